// A team: its waiting threads, the last thread at each of its barriers, and the time when each thread finished its
// work. Working threads are blamed by it. At a region's end, it shows how evenly the work was shared. Each region
// instance has one team. Every update is a short critical section on the team's own lines, or a store into the thread's
// own slot.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_TEAM_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_TEAM_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/blame_clock.h"
#include "profiler/collect/blame/window_clock.h"

namespace ompprof::collect {

// The participation of a thread that has left the region before its end.
inline constexpr Participation kDeparted = static_cast<Participation>(kParticipations);

// Total waiting by the clocks of all estimated teams. This exceeds the waits themselves by the time of callbacks in
// windows.
extern std::atomic<uint64_t> window_waited_ns;

// A thread's data for the primary to read at the region's end. The thread writes its data again if it executes tasks in
// the last barrier. Each member has a cache line of its own. A member's data carries the instance's number, so that the
// primary writes into none of the members.
struct alignas(64) TeamMember {
  std::atomic<uint64_t> arrived_ns;  // at the barrier at the region's end
  std::atomic<uint64_t> useful_ns;   // the thread's time in the region until then, without its waits
  std::atomic<uint64_t> waited_ns;   // in that barrier before then, between tasks
  std::atomic<uint64_t> late_ns;     // of Team::Membership
  std::atomic<uint32_t> arrived_in;  // the instance of the data above
  // The thread's present participation and its instance: a plain store for each change.
  std::atomic<uint64_t> participation_in;
  // The participation that the clock has counted for the thread (Team::RecountFor), until the thread's next change. The
  // thread may have published another participation just then. Under the team's lock.
  uint32_t counted_in;
  Participation counted;

  void Publish(uint32_t in, Participation participation) {
    participation_in.store(static_cast<uint64_t>(in) << 8 | static_cast<uint32_t>(participation),
                           std::memory_order_release);
  }
  // The published participation. False if the thread has not begun in that instance.
  bool ParticipationIn(uint32_t in, Participation* participation) const {
    const uint64_t published = participation_in.load(std::memory_order_acquire);
    *participation = static_cast<Participation>(published & 0xff);
    return published >> 8 == in;
  }
};

struct alignas(64) Team {
  // The clock's lock also guards the members up to `more_members`. The clock's `arrivals` counts arrivals at barriers
  // inside the region, modulo `size`; `end_arrivals` counts arrivals at the region's end.
  BlameClock clock;
  std::atomic<uint32_t> size;    // 0: none of its threads has begun
  std::atomic<bool> each_tells;  // each thread tells the clock when it leaves a barrier
  // The team's waits are estimated. Times then come from window_clock.h. While that clock stands still, threads only
  // publish their participation. Never reset in a region.
  std::atomic<bool> estimated;
  bool ended;
  uint32_t departed;  // threads that left before the end
  uint32_t window;    // in an estimated team: WindowClock::Moment::number at the last count of its threads
  uint32_t recounts;  // the number of such counts

  uint32_t instance;         // goes up with each region that uses the record; not 0 in a region
  TeamMember* more_members;  // of a team larger than kInline; kept with the record
  uint32_t more_capacity;
  static constexpr uint32_t kInline = 16;
  TeamMember inline_members[kInline];

  // Called before the region begins. `largest`: the largest possible size of the team.
  void Reset(uint32_t largest);

  // From here on, the team's waits are estimated, by a clock that shows `window_ns` now. Called in a callback of a
  // thread of the team.
  void Estimate(uint64_t now_ns, uint64_t window_ns, double passed);
  bool IsEstimated() const { return estimated.load(std::memory_order_acquire); }

  // The member of a thread number. NULL if memory did not suffice for it.
  TeamMember* member(uint32_t thread_num) {
    if (thread_num < kInline) return &inline_members[thread_num];
    return thread_num - kInline < more_capacity ? &more_members[thread_num - kInline] : nullptr;
  }

  // The team's first thread begins. All others count as working from then on, even if they are late. True if the
  // calling thread was the first.
  bool Begin(uint32_t actual_size);

  // A thread comes to the barrier at the region's end. IsAtEnd: whether it has come.
  void ArriveAtEnd(TeamMember* member, uint64_t now_ns, uint64_t useful_ns, uint64_t waited_ns, uint64_t late_ns) {
    member->late_ns.store(late_ns, std::memory_order_relaxed);
    member->useful_ns.store(useful_ns, std::memory_order_relaxed);
    member->waited_ns.store(waited_ns, std::memory_order_relaxed);
    member->arrived_ns.store(now_ns, std::memory_order_relaxed);
    member->arrived_in.store(instance, std::memory_order_release);
  }
  bool IsAtEnd(const TeamMember& member) const { return member.arrived_in.load(std::memory_order_acquire) == instance; }

  // The arrival of a thread at a barrier.
  struct Arrival {
    bool at_end;     // of the region
    bool last;       // the thread is the team's last
    uint64_t by_ns;  // the time since the previous arrival
  };

  // A thread's own record of its place in the team. Only the thread itself uses it.
  struct Membership {
    Participation participation;
    bool at_barrier;    // the thread has come to a barrier inside the region; it may have left it, but changed no more
    uint32_t barriers;  // number of barriers inside the region that the thread has come to
    uint64_t left_ns;   // when it left that barrier; 0: it has not left
    // Summed over all threads: the time that threads took to leave barriers after the last thread's arrival. One
    // thread's value is modulo 2^64, because the last thread subtracts for all threads that have not left yet.
    uint64_t late_ns;
    uint32_t instance;  // the team's instance; 0: not known
    uint64_t told_ns;   // in an estimated team: the time of the last change, by the window clock
  };

  struct Changed {
    bool worked;         // the thread worked until now, as far as the clock knows: its debt grew to `reading`
    Participation from;  // its participation before
    BlameClock::Reading reading;
  };

  // A thread of the team changes its participation to `to`. `arrival`: the thread does so by coming to a barrier; may
  // be NULL. `now_ns` in CLOCK_MONOTONIC nanoseconds, `passed` as in BlameClock.
  //
  // With the last arrival at a barrier inside the region, all threads work again, as far as the team is concerned. A
  // thread that leaves the barrier has nothing to tell (MayLeave), so the team's line does not travel a second time for
  // each barrier. A thread's wake-up time counts as waiting all the same, and nobody is blamed for it. The clock begins
  // anew then. This does not hold (each_tells) in a region with explicit tasks, because barriers execute tasks and
  // tasks keep barriers up. It does not hold either once a thread has left a barrier that not all threads had reached.
  Changed ChangeParticipation(Membership* membership, Participation to, uint64_t now_ns,
                              const BlameClock::Charge& passed, Arrival* arrival);
  // ChangeParticipation in an estimated team, whose clock has run since its threads were counted or changed last. Here,
  // each thread also reports that it leaves a barrier. `window_ns` becomes the time of the change, without the thread's
  // wait for the team's lock. `no_wait`: the thread did not wait since its last change, although it said so.
  Changed ChangeInWindow(Membership* membership, TeamMember* self, Participation to, const BlameClock::Charge& passed,
                         bool no_wait, uint64_t* window_ns);
  // Brings the clock to `window_ns`, with the threads' present participation: for a sample in a window without an
  // event. False if the clock is locked. Async-signal-safe.
  bool TryAdvance(uint64_t window_ns, uint32_t number, const BlameClock::Charge& passed);
  // Whether the clock has reached `window_ns`.
  bool IsUpToDate(uint64_t window_ns) const { return clock.changed_ns.load(std::memory_order_acquire) >= window_ns; }
  // The most threads that are counted in a window. In a larger team, nobody is blamed.
  static constexpr uint32_t kMostCounted = 256;

  bool MayLeave(const Membership& membership) const {
    return membership.at_barrier && !each_tells.load(std::memory_order_relaxed);
  }
  static void Leave(Membership* membership, uint64_t now_ns) {
    membership->participation = Participation::kWorking;
    membership->left_ns = now_ns;
  }
  // Whether the clock knows the thread's debt. If the thread has left a barrier that not all threads had reached, the
  // clock does not. This happens when the region is cancelled. Async-signal-safe.
  bool Knows(const Membership& membership) const {
    return !membership.at_barrier || clock.released.load(std::memory_order_relaxed) == membership.barriers;
  }

  // A worker finishes its region before the primary thread, and no longer waits in the region. libgomp's workers of a
  // nested region do so: their threads end. False if the team has ended before; the record may belong to another region
  // by now.
  bool Depart(const Membership& membership, TeamMember* member, uint64_t now_ns);

  BlameClock::Totals End(uint64_t now_ns, const BlameClock::Charge& passed);

 private:
  // Needs the lock. Counts the threads by their published participation, unless all threads have reported their changes
  // since the last count. They report in a window, and after it until the clock is up to date.
  void RecountFor(uint32_t number);
  // Needs the lock. The team's last thread has come to the barrier.
  void Release(Membership* last, uint32_t all);
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_TEAM_H_
