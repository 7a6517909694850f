#include "profiler/collect/ompt/team.h"

#include "profiler/collect/os.h"

namespace ompprof::collect {

void Team::Reset(uint32_t size) {
  waiting.store(0, std::memory_order_relaxed);
  partial_since_ns.store(0, std::memory_order_relaxed);
  partial_ns.store(0, std::memory_order_relaxed);
  arrivals.store(0, std::memory_order_relaxed);
  last_arrival_ns.store(0, std::memory_order_relaxed);
  if (++instance == 0) instance = 1;
  if (size > kInline && size - kInline > more_capacity && size <= 1u << 16) {
    // The smaller block stays: a thread of an earlier region may be late in it.
    auto* members = static_cast<TeamMember*>(MapMemory(sizeof(TeamMember) * (size - kInline)));
    if (members != nullptr) {
      more_members = members;
      more_capacity = size - kInline;
    }
  }
}

int32_t Team::Queueing(uint32_t size) {
  int32_t queueing = 0;
  for (uint32_t i = 0; i < size && i < kMaxAsked; ++i) {
    const TeamMember* one = member(i);
    if (one == nullptr) break;
    if (one->queueing_in.load(std::memory_order_relaxed) == instance) ++queueing;
  }
  return queueing;
}

void Team::Wait(uint64_t now_ns) {
  if (waiting.fetch_add(1, std::memory_order_acq_rel) == 0) partial_since_ns.store(now_ns, std::memory_order_release);
}

void Team::Resume(uint64_t now_ns) {
  const uint64_t since = partial_since_ns.load(std::memory_order_acquire);
  if (waiting.fetch_sub(1, std::memory_order_acq_rel) == 1 && since != 0 && now_ns > since)
    partial_ns.fetch_add(now_ns - since, std::memory_order_relaxed);
}

bool Team::Arrive(uint32_t size, uint64_t now_ns, uint64_t* by_ns) {
  const uint64_t before = last_arrival_ns.exchange(now_ns, std::memory_order_acq_rel);
  const uint32_t nth = arrivals.fetch_add(1, std::memory_order_acq_rel) + 1;
  *by_ns = before != 0 && now_ns > before ? now_ns - before : 0;
  return size > 1 && nth % size == 0;
}

}  // namespace ompprof::collect
