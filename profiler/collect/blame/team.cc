#include "profiler/collect/blame/team.h"

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

std::atomic<uint64_t> window_waited_ns{0};

void Team::Reset(uint32_t largest) {
  size.store(0, std::memory_order_relaxed);
  each_tells.store(false, std::memory_order_relaxed);
  // A worker of the previous region may still be about to depart from that region.
  clock.Lock();
  clock.Reset(0, 0);
  estimated.store(false, std::memory_order_relaxed);
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

void Team::Estimate(uint64_t now_ns, uint64_t window_ns, double passed) {
  clock.Lock();
  if (!estimated.load(std::memory_order_relaxed)) {
    clock.Advance(now_ns, passed);
    clock.AddUpExecuting();
    clock.changed_ns.store(window_ns, std::memory_order_relaxed);
    window = 0;
    estimated.store(true, std::memory_order_release);
  }
  clock.Unlock();
}

void Team::RecountFor(uint32_t number) {
  const bool in_window = (number & 1) != 0;
  if (window == number || (!in_window && window != 0 && window + 1 == number)) return;
  window = number;
  if (++recounts == 0) recounts = 1;
  int32_t counts[kParticipations] = {};
  const uint32_t all = size.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < all && all <= kMostCounted; ++i) {
    TeamMember* of_thread = member(i);
    Participation participation = Participation::kWorking;
    if (of_thread != nullptr) {
      // A thread that has not begun yet counts as working.
      if (!of_thread->ParticipationIn(instance, &participation)) participation = Participation::kWorking;
      if (participation == kDeparted) continue;
      of_thread->counted = participation;
      of_thread->counted_in = recounts;
    }
    ++counts[static_cast<uint32_t>(participation)];
  }
  for (uint32_t participation = 0; participation < kParticipations; ++participation)
    clock.Add(static_cast<Participation>(participation),
              counts[participation] - clock.Count(static_cast<Participation>(participation)));
}

Team::Changed Team::ChangeInWindow(Membership* membership, TeamMember* self, Participation to,
                                   const BlameClock::Charge& passed, bool no_wait, uint64_t* window_ns) {
  clock.Lock();
  const WindowClock::Moment now = window_clock.Read();
  RecountFor(now.number);
  uint64_t waited = clock.Advance(now.ns, passed.debt);
  if (no_wait && now.ns > membership->told_ns) {
    clock.TakeBack(now.ns - membership->told_ns);
    waited -= now.ns - membership->told_ns;  // modulo 2^64, like the sum
  }
  clock.AddUpExecuting();
  window_waited_ns.fetch_add(waited, std::memory_order_relaxed);
  membership->told_ns = *window_ns = now.ns;
  Changed changed{Works(membership->participation), membership->participation, {}};
  const Participation counted = self->counted_in == recounts ? self->counted : membership->participation;
  self->counted_in = 0;
  if (size.load(std::memory_order_relaxed) <= kMostCounted) {
    clock.Add(counted, -1);
    clock.Add(to, 1);
  }
  membership->participation = to;
  membership->at_barrier = false;
  self->Publish(instance, to);
  changed.reading = clock.Now(passed.rate);
  clock.Unlock();
  return changed;
}

bool Team::TryAdvance(uint64_t window_ns, uint32_t number, const BlameClock::Charge& passed) {
  if (!clock.TryLock()) return false;
  std::atomic_thread_fence(std::memory_order_release);
  RecountFor(number);
  window_waited_ns.fetch_add(clock.Advance(window_ns, passed.debt), std::memory_order_relaxed);
  clock.AddUpExecuting();
  clock.Unlock();
  return true;
}

bool Team::Begin(uint32_t actual_size) {
  clock.Lock();
  const bool first = size.load(std::memory_order_relaxed) == 0 && actual_size != 0;
  if (first) {
    clock.Add(Participation::kWorking, static_cast<int32_t>(actual_size));
    size.store(actual_size, std::memory_order_relaxed);
  }
  clock.Unlock();
  return first;
}

void Team::Release(Membership* last, uint32_t all) {
  // With cancellation, threads leave a barrier that other threads never reach. The counts are then out of step.
  if (clock.Count(Participation::kWaiting) != static_cast<int32_t>(all)) return;
  clock.Add(Participation::kWaiting, -static_cast<int32_t>(all));
  clock.Add(Participation::kWorking, static_cast<int32_t>(all));
  clock.working.store(0, std::memory_order_relaxed);
  clock.released.store(last->barriers, std::memory_order_relaxed);
  last->late_ns -= all * clock.changed_ns.load(std::memory_order_relaxed);
}

Team::Changed Team::ChangeParticipation(Membership* membership, Participation to, uint64_t now_ns,
                                        const BlameClock::Charge& passed, Arrival* arrival) {
  clock.Lock();
  clock.Advance(now_ns, passed.debt);
  Changed changed{Works(membership->participation), membership->participation, {}};
  Participation counted = membership->participation;
  if (membership->at_barrier) {
    if (Knows(*membership)) {
      counted = Participation::kWorking;
      membership->late_ns += membership->left_ns != 0 ? membership->left_ns : now_ns;
    } else {
      counted = Participation::kWaiting;
      changed.worked = false;
      if (membership->left_ns != 0) each_tells.store(true, std::memory_order_relaxed);
    }
    membership->at_barrier = false;
    membership->left_ns = 0;
  }
  clock.Add(counted, -1);
  clock.Add(to, 1);
  membership->participation = to;
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
      membership->at_barrier = true;
      ++membership->barriers;
      if (*count == 0 && !each_tells.load(std::memory_order_relaxed)) Release(membership, all);
    }
  }
  clock.Unlock();
  return changed;
}

bool Team::Depart(const Membership& membership, TeamMember* member, uint64_t now_ns) {
  clock.Lock();
  const bool before = instance == membership.instance && !ended;
  if (before) {
    // Debt that is passed meanwhile stays: nobody works who could be charged.
    clock.Advance(now_ns, clock.passed.load(std::memory_order_relaxed));
    if (IsEstimated()) clock.AddUpExecuting();
    clock.Add(membership.participation, -1);
    ++departed;
    if (member != nullptr) member->Publish(instance, kDeparted);
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
  clock.Advance(now_ns, passed.debt);
  const BlameClock::Totals sums = clock.Sums();
  ended = true;
  clock.Unlock();
  return sums;
}

}  // namespace ompprof::collect
