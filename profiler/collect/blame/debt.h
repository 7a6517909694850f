// What a thread owes for those that wait for it, by the blame clocks of its team, of the teams around it and of the
// process; and where that goes: to the thread's samples, or to the path of an event if it takes none.
//
// Blame goes to the samples of the thread that works. One that works asleep (it reads a file, or sleeps) takes no
// samples by the CPU clock, and is not woken: what it owes goes to the path of its next event of waiting, which is the
// function that meets the barrier, begins the region or ends the program and not always the one that slept, or to its
// next sample.
// --clock=wall, which interrupts sleepers, puts it where they sleep.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_DEBT_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_DEBT_H_

#include <stdint.h>

#include "profiler/collect/blame/window_clock.h"
#include "profiler/collect/tasks/current_task.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// What a sample of the thread, which works in `region` (0: outside all), is to blame for: the time of threads that
// waited while it worked. Async-signal-safe; the calling thread's own state.
uint64_t TakeBlame(ThreadState* thread, RegionRef region);

// What that says of a thread in the implicit task is an estimate: its team's waits are. Likewise.
bool IsEstimated(const OpenTask* task);

// That sample was given some. Likewise.
void RememberBlamed(ThreadState* thread, const Sample& sample);

// The rest is for the thread's own callbacks.

// Keeps the thread's handler from what is owed while it is changed.
class BlameScope {
 public:
  explicit BlameScope(ThreadState* thread) : thread_(thread), before_(thread->blame.busy) {
    thread_->blame.busy = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~BlameScope() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread_->blame.busy = before_;
  }

 private:
  ThreadState* thread_;
  sig_atomic_t before_;
};

// Now, by the clock that waits in the region are measured by: CLOCK_MONOTONIC, or where they are estimated the window
// clock.
inline uint64_t NowIn(ThreadState* thread, const RegionRecord* region) {
  return region != nullptr && region->team.IsEstimated() ? window_clock.Now() : NowFor(thread);
}

// How often a clock is tried that is being changed: while waiting for it is allowed.
inline constexpr int kTries = 2000;

// What a thread owes that is `doing` that in the region (0: that works outside regions): to the threads of its team;
// and to those of the teams around it, and to the process's idle threads, the share of it that falls to its team's
// working threads, each level's team being one working thread of the next. False if one of the clocks is being changed
// for too long. Async-signal-safe with few tries.
bool ReadCharge(RegionRef ref, Doing doing, uint64_t now_ns, int tries, BlameClock::Charge* charge);

// What the region's team as a whole owes in the one around it.
BlameClock::Charge PassedTo(const RegionRecord& region, uint64_t now_ns, int tries = kTries);

// What the thread has worked since `blamed_until_ns` is paid for, the clock having come from `before` to `owed`.
void Owe(ThreadState* thread, double before, double owed, uint64_t now_ns);

// The thread does something else in its team from here on. `now_ns`: NowIn. `no_wait`: where waits are estimated, it
// has not waited, though it said so.
void Change(ThreadState* thread, OpenTask* task, RegionRecord* region, Doing to, uint64_t now_ns,
            Team::Arrival* arrival = nullptr, bool no_wait = false);

// The same, where the thread leaves a barrier and the team knows already (Team::MayLeave).
void LeaveBarrier(ThreadState* thread, OpenTask* task, uint64_t now_ns);

// Whether what the thread owes in that task (NULL: outside all) can be had from the clock. Async-signal-safe.
bool IsKnown(const OpenTask* task);

// What a thread owes that has gone so long without a sample that it must have slept is put where it is now. `finished`:
// the implicit task that it is at the end of.
void SettleSleep(ThreadState* thread, uint32_t state, const OpenTask* finished = nullptr);

// The same at an event in the midst of the thread's work, if it has not been heard of for as long.
void SettleLongSleep(ThreadState* thread, uint32_t state);

// What is left of it at the end of a stretch in one region (0: none), begun at `since_ns`, that was long enough to be
// told from its neighbours: it stays there. In short ones it waits for their next sample, which is as likely in each
// as it is long.
void SettleRest(ThreadState* thread, RegionRef region, uint64_t since_ns, uint64_t now_ns);

// All of it where nothing comes after: the runtime or the profile ends, and the thread, in that region, brings it
// about. It goes to its last sample in this stretch, or to the path of the end.
void SettleAtEnd(ThreadState* thread, RegionRef region);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_DEBT_H_
