// Who of a team waits, and when each of its threads was done: what a sample of a working thread is blamed by, and what
// says at a region's end how well its work was shared. One per region instance; every update is one atomic addition, or
// a store into the thread's own slot.
//
// Undirected blame: Tallent and Mellor-Crummey, "Effective performance measurement and analysis of multithreaded
// applications", PPoPP 2009, section 3: while k of n threads wait, each of the n - k that work is charged k / (n - k)
// of its time.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TEAM_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TEAM_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// What a thread of the team leaves for others to read. Each has a cache line of its own, and marks what it writes with
// the instance's number, so that the primary writes into none of them.
struct alignas(64) TeamMember {
  // For the primary at the region's end; written again if the thread executes tasks in the last barrier.
  std::atomic<uint64_t> arrived_ns;   // at the barrier at the region's end
  std::atomic<uint64_t> useful_ns;    // its time in the region until then, without its waits
  std::atomic<uint32_t> arrived_in;   // the instance whose two times these are
  std::atomic<uint32_t> queueing_in;  // the instance in which it is in the queue for a lock that another holds; 0: none
};

struct alignas(64) Team {
  std::atomic<int32_t> waiting;            // threads in a barrier, taskwait or taskgroup with nothing to run
  std::atomic<uint64_t> partial_since_ns;  // since when `waiting` is not 0
  std::atomic<uint64_t> partial_ns;        // time with fewer than all threads busy, but for what is going on
  // Barriers inside the region: every n-th arrival is a last one.
  std::atomic<uint32_t> arrivals;
  std::atomic<uint64_t> last_arrival_ns;

  uint32_t instance;         // goes up with each region that the record is used for, and is not 0 in one
  TeamMember* more_members;  // of a team larger than kInline; kept with the record
  uint32_t more_capacity;
  static constexpr uint32_t kInline = 16;
  TeamMember inline_members[kInline];

  // Before the region begins. `size` is the largest that the team can become.
  void Reset(uint32_t size);

  // NULL for a thread number beyond what there was memory for.
  TeamMember* member(uint32_t thread_num) {
    if (thread_num < kInline) return &inline_members[thread_num];
    return thread_num - kInline < more_capacity ? &more_members[thread_num - kInline] : nullptr;
  }

  // A thread comes to the barrier at the region's end. And whether it has.
  void ArriveAtEnd(TeamMember* member, uint64_t now_ns, uint64_t useful_ns) {
    member->useful_ns.store(useful_ns, std::memory_order_relaxed);
    member->arrived_ns.store(now_ns, std::memory_order_relaxed);
    member->arrived_in.store(instance, std::memory_order_release);
  }
  bool IsAtEnd(const TeamMember& member) const { return member.arrived_in.load(std::memory_order_acquire) == instance; }

  // How many of a team of `size` are in the queue for a lock, the first kMaxAsked of them asked. Async-signal-safe.
  static constexpr uint32_t kMaxAsked = 256;
  int32_t Queueing(uint32_t size);

  // One more thread waits, or one fewer. `now` in CLOCK_MONOTONIC nanoseconds.
  void Wait(uint64_t now_ns);
  void Resume(uint64_t now_ns);

  // A thread of a team of `size` comes to a barrier. True if it is the last; *by_ns: how long after the one before it.
  bool Arrive(uint32_t size, uint64_t now_ns, uint64_t* by_ns);
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TEAM_H_
