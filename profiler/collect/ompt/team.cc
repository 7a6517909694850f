#include "profiler/collect/ompt/team.h"

#include "profiler/collect/os.h"

namespace ompprof::collect {

void Team::Reset(uint32_t largest) {
  size.store(0, std::memory_order_relaxed);
  each_tells.store(false, std::memory_order_relaxed);
  // A worker of the region before may still be about to depart from that.
  clock.Lock();
  clock.Reset(0, 0);
  ended = false;
  departed = 0;
  if (++instance == 0) instance = 1;
  clock.Unlock();
  if (largest > kInline && largest - kInline > more_capacity && largest <= 1u << 16) {
    // The smaller block stays: a thread of an earlier region may be late in it.
    auto* members = static_cast<TeamMember*>(MapMemory(sizeof(TeamMember) * (largest - kInline)));
    if (members != nullptr) {
      more_members = members;
      more_capacity = largest - kInline;
    }
  }
}

bool Team::Begin(uint32_t actual_size) {
  clock.Lock();
  const bool first = size.load(std::memory_order_relaxed) == 0 && actual_size != 0;
  if (first) {
    clock.Add(Doing::kWorking, static_cast<int32_t>(actual_size));
    size.store(actual_size, std::memory_order_relaxed);
  }
  clock.Unlock();
  return first;
}

void Team::Release(Standing* last, uint32_t all) {
  // Cancellation has threads leave a barrier that others never come to: what was counted is out of step then.
  if (clock.Count(Doing::kWaiting) != static_cast<int32_t>(all)) return;
  clock.Add(Doing::kWaiting, -static_cast<int32_t>(all));
  clock.Add(Doing::kWorking, static_cast<int32_t>(all));
  clock.working.store(0, std::memory_order_relaxed);
  clock.released.store(last->barriers, std::memory_order_relaxed);
  last->late_ns -= all * clock.changed_ns.load(std::memory_order_relaxed);
}

Team::Changed Team::Change(Standing* standing, Doing to, uint64_t now_ns, const BlameClock::Charge& passed,
                           Arrival* arrival) {
  clock.Lock();
  clock.Advance(now_ns, passed.owed);
  Changed changed{Works(standing->doing), standing->doing, {}};
  Doing counted = standing->doing;
  if (standing->at_barrier) {
    if (Knows(*standing)) {
      counted = Doing::kWorking;
      standing->late_ns += standing->left_ns != 0 ? standing->left_ns : now_ns;
    } else {
      counted = Doing::kWaiting;
      changed.worked = false;
      if (standing->left_ns != 0) each_tells.store(true, std::memory_order_relaxed);
    }
    standing->at_barrier = false;
    standing->left_ns = 0;
  }
  clock.Add(counted, -1);
  clock.Add(to, 1);
  standing->doing = to;
  changed.reading = clock.Now(passed.rate);
  if (arrival != nullptr) {
    const uint32_t all = size.load(std::memory_order_relaxed);
    uint16_t* count = arrival->at_end ? &clock.end_arrivals : &clock.arrivals;
    arrival->last = ++*count == all;
    if (arrival->last && !arrival->at_end) *count = 0;
    if (all < 2) arrival->last = false;
    const uint64_t before = clock.last_arrival_ns;
    arrival->by_ns = before != 0 && now_ns > before ? now_ns - before : 0;
    if (now_ns > before) clock.last_arrival_ns = now_ns;
    if (!arrival->at_end) {
      standing->at_barrier = true;
      ++standing->barriers;
      if (*count == 0 && !each_tells.load(std::memory_order_relaxed)) Release(standing, all);
    }
  }
  clock.Unlock();
  return changed;
}

bool Team::Depart(const Standing& standing, TeamMember* member, uint64_t now_ns) {
  clock.Lock();
  const bool before = instance == standing.instance && !ended;
  if (before) {
    // What is passed meanwhile stays: nobody works who would be charged with it.
    clock.Advance(now_ns, clock.passed.load(std::memory_order_relaxed));
    clock.Add(standing.doing, -1);
    ++departed;
    if (member != nullptr && IsAtEnd(*member)) {
      const uint64_t arrived = member->arrived_ns.exchange(UINT64_MAX, std::memory_order_relaxed);
      if (now_ns > arrived) member->waited_ns.fetch_add(now_ns - arrived, std::memory_order_relaxed);
    }
  }
  clock.Unlock();
  return before;
}

BlameClock::Totals Team::End(uint64_t now_ns, const BlameClock::Charge& passed) {
  clock.Lock();
  clock.Advance(now_ns, passed.owed);
  const BlameClock::Totals sums = clock.Sums();
  ended = true;
  clock.Unlock();
  return sums;
}

}  // namespace ompprof::collect
