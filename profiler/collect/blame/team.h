// Who of a team waits, who came last to its barriers, and when each of its threads was done: what a working thread is
// blamed by, and what says at a region's end how well its work was shared. One per region instance; every update is
// one short critical section on the team's own lines, or a store into the thread's own slot.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_TEAM_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_TEAM_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/blame_clock.h"
#include "profiler/collect/blame/window_clock.h"

namespace ompprof::collect {

// Of a thread that has left the region before its end.
inline constexpr Doing kDeparted = static_cast<Doing>(kDoings);

// What the clocks of all estimated teams say was waited: more than the waits themselves, by what callbacks take in
// windows.
extern std::atomic<uint64_t> window_waited_ns;

// What a thread of the team leaves for the primary to read at the region's end. Written again if it executes tasks in
// the last barrier. Each has a cache line of its own, and marks what it writes with the instance's number, so that the
// primary writes into none of them.
struct alignas(64) TeamMember {
  std::atomic<uint64_t> arrived_ns;  // at the barrier at the region's end
  std::atomic<uint64_t> useful_ns;   // its time in the region until then, without its waits
  std::atomic<uint64_t> waited_ns;   // in that barrier before then, between tasks
  std::atomic<uint64_t> late_ns;     // Team::Standing's
  std::atomic<uint32_t> arrived_in;  // the instance that these are of
  // What the thread does now, and in which instance: a plain store for each change.
  std::atomic<uint64_t> doing_in;
  // As what the clock counts the thread since it was counted last (Team::Recount), until the thread's next change: it
  // may have published another just then. Under the team's lock.
  uint32_t counted_in;
  Doing counted;

  void Publish(uint32_t in, Doing doing) {
    doing_in.store(static_cast<uint64_t>(in) << 8 | static_cast<uint32_t>(doing), std::memory_order_release);
  }
  // False if the thread has not begun in that instance.
  bool DoingIn(uint32_t in, Doing* doing) const {
    const uint64_t published = doing_in.load(std::memory_order_acquire);
    *doing = static_cast<Doing>(published & 0xff);
    return published >> 8 == in;
  }
};

struct alignas(64) Team {
  // Its lock also guards what is before the members. Its arrivals: at barriers inside the region the last of each
  // `size`; that at its end is counted by itself.
  BlameClock clock;
  std::atomic<uint32_t> size;    // 0: none of its threads has begun
  std::atomic<bool> each_tells;  // when it leaves a barrier
  // Its waits are estimated: times are those of window_clock.h, and threads publish what they do and touch nothing else
  // while that clock stands still. Never taken back.
  std::atomic<bool> estimated;
  bool ended;
  uint32_t departed;  // threads that left before that
  uint32_t window;    // of an estimated team: WindowClock::Moment::number when its threads were counted
  uint32_t recounts;  // how often they were

  uint32_t instance;         // goes up with each region that the record is used for, and is not 0 in one
  TeamMember* more_members;  // of a team larger than kInline; kept with the record
  uint32_t more_capacity;
  static constexpr uint32_t kInline = 16;
  TeamMember inline_members[kInline];

  // Before the region begins. `largest`: that the team can become.
  void Reset(uint32_t largest);

  // From here on its waits are estimated, by a clock that shows `window_ns` now. In a callback of one of its threads.
  void Estimate(uint64_t now_ns, uint64_t window_ns, double passed);
  bool IsEstimated() const { return estimated.load(std::memory_order_acquire); }

  // NULL for a thread number beyond what there was memory for.
  TeamMember* member(uint32_t thread_num) {
    if (thread_num < kInline) return &inline_members[thread_num];
    return thread_num - kInline < more_capacity ? &more_members[thread_num - kInline] : nullptr;
  }

  // The first thread of it begins; all others count as working from then on, though they may be late. True if this was
  // the first.
  bool Begin(uint32_t actual_size);

  // A thread comes to the barrier at the region's end. And whether it has.
  void ArriveAtEnd(TeamMember* member, uint64_t now_ns, uint64_t useful_ns, uint64_t waited_ns, uint64_t late_ns) {
    member->late_ns.store(late_ns, std::memory_order_relaxed);
    member->useful_ns.store(useful_ns, std::memory_order_relaxed);
    member->waited_ns.store(waited_ns, std::memory_order_relaxed);
    member->arrived_ns.store(now_ns, std::memory_order_relaxed);
    member->arrived_in.store(instance, std::memory_order_release);
  }
  bool IsAtEnd(const TeamMember& member) const { return member.arrived_in.load(std::memory_order_acquire) == instance; }

  // A thread's coming to a barrier.
  struct Arrival {
    bool at_end;     // of the region
    bool last;       // it is the team's last
    uint64_t by_ns;  // how long after the one before it
  };

  // How a thread stands in the team: its own.
  struct Standing {
    Doing doing;
    bool at_barrier;    // it has come to a barrier inside the region, or has left it since, and changed nothing else
    uint32_t barriers;  // how many such it has come to
    uint64_t left_ns;   // when it left that one, 0: it has not
    uint64_t late_ns;   // in all threads together, how long they took to leave barriers once the last had come: modulo
                        // 2^64, as who comes last subtracts for all that have not left yet
    uint32_t instance;  // of the team, 0: not known
    uint64_t told_ns;   // in an estimated team: when it changed last, by the window clock
  };

  struct Changed {
    bool worked;  // until now, as far as the clock knows: it owes what `reading` says more than the one before
    Doing from;   // what it did
    BlameClock::Reading reading;
  };

  // A thread of it does something else from here on. `arrival`: what it does is come to a barrier; may be NULL. `now`
  // in CLOCK_MONOTONIC nanoseconds, `passed` as in BlameClock.
  //
  // With the last arrival at a barrier inside the region all threads work again, as far as the team is concerned: who
  // leaves it has nothing to tell (MayLeave), and the team's line is not sent around a second time for each barrier.
  // What a thread takes to wake up is a wait all the same, for which nobody is to blame. The clock begins anew then.
  // Not so (each_tells) in a region with explicit tasks, which are executed in barriers and keep them up, and once a
  // barrier was left that not all had come to.
  Changed Change(Standing* standing, Doing to, uint64_t now_ns, const BlameClock::Charge& passed, Arrival* arrival);
  // The same in an estimated team, whose clock has run since its threads were counted or changed last. Each thread
  // tells of its leaving a barrier, too. `window_ns` becomes the time of the change, which leaves out what the thread
  // waits for the team's lock. `no_wait`: it did not wait since its last change, though it said so.
  Changed ChangeInWindow(Standing* standing, TeamMember* self, Doing to, const BlameClock::Charge& passed, bool no_wait,
                         uint64_t* window_ns);
  // The clock is as of `window_ns`, with the threads as they are: for a sample in a window without an event. False if
  // it is locked. Async-signal-safe.
  bool TryAdvance(uint64_t window_ns, uint32_t number, const BlameClock::Charge& passed);
  // Nothing has passed since.
  bool IsUpToDate(uint64_t window_ns) const { return clock.changed_ns.load(std::memory_order_acquire) >= window_ns; }
  // Threads that are counted in a window: of a larger team nobody is blamed.
  static constexpr uint32_t kMostCounted = 256;

  bool MayLeave(const Standing& standing) const {
    return standing.at_barrier && !each_tells.load(std::memory_order_relaxed);
  }
  static void Leave(Standing* standing, uint64_t now_ns) {
    standing->doing = Doing::kWorking;
    standing->left_ns = now_ns;
  }
  // What the thread owes can be had from the clock: it has not left a barrier to which not all had come, as one does
  // when the region is cancelled. Async-signal-safe.
  bool Knows(const Standing& standing) const {
    return !standing.at_barrier || clock.released.load(std::memory_order_relaxed) == standing.barriers;
  }

  // A worker is done with its region before the primary is, as libgomp's of a nested region are, whose threads end: it
  // waits in it no longer. False if the team has ended before it, and may be another region's by now.
  bool Depart(const Standing& standing, TeamMember* member, uint64_t now_ns);

  BlameClock::Totals End(uint64_t now_ns, const BlameClock::Charge& passed);

 private:
  // Locked. The threads are counted as what they publish, unless all have told of their changes since the last time:
  // they do so in a window, and after it until the clock is up to date.
  void RecountFor(uint32_t number);
  // Locked. The last of the team has come to the barrier that they are at.
  void Release(Standing* last, uint32_t all);
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_TEAM_H_
