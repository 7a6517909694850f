// A thread's debt to the threads that wait for it, and the samples or call paths that carry the debt. The debt comes
// from the blame clocks of the thread's team, of the teams around it and of the process.
//
// Samples of the working thread carry its debt. A thread that works asleep (in a read, or in a sleep) takes no samples
// by the CPU clock, and ompprof does not wake it. Its debt goes to its next sample, or to the path of its next waiting
// event. That event is a function that meets a barrier, begins a region or ends the program, and not always the
// function that slept. --clock=wall interrupts sleepers, and charges the place where they sleep.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_DEBT_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_DEBT_H_

#include <stdint.h>

#include "profiler/collect/blame/window_clock.h"
#include "profiler/collect/tasks/current_task.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// The time of threads that waited while the calling thread worked, in nanoseconds. `off_processor`: the part of this
// work in which the thread was off its processor, in kAllParts; 0 for estimated waits. `slept`: it may have been
// asleep, else it could run.
struct Blame {
  uint64_t ns = 0;
  uint8_t off_processor = 0;
  bool slept = false;
};

// The blame of a sample of the calling thread, which works in `region` (0: outside all regions), with `clocks` at the
// sample. Async-signal-safe; takes the calling thread's own state.
Blame TakeBlame(ThreadState* thread, RegionRef region, const ProcessorClocks& clocks);

// Whether TakeBlame's result is an estimate for a thread in this implicit task, because its team's waits are estimated.
// Async-signal-safe; takes the calling thread's own state.
bool IsEstimated(const OpenTask* task);

// Remembers that this sample carries blame. Async-signal-safe; takes the calling thread's own state.
void RememberBlamed(ThreadState* thread, const Sample& sample);

// The thread's own callbacks call the rest.

// Keeps the thread's handler away from the debt during a change. A handler of the program may jump out of it: then the
// thread's handler ends it (sampling/signal_handler.cc).
class BlameScope {
 public:
  explicit BlameScope(ThreadState* thread)
      : thread_(thread), inner_(thread->blame.busy != 0 && thread->blame.busy_at > At()) {
    if (!inner_) thread_->blame.busy_at = At();
    thread_->blame.busy = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~BlameScope() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (!inner_) thread_->blame.busy = 0;
  }

 private:
  uintptr_t At() const { return reinterpret_cast<uintptr_t>(this); }

  ThreadState* thread_;
  bool inner_;  // within another, whose frame is older. A younger frame has been left
};

// The time by the clock that measures waits in the region: CLOCK_MONOTONIC, or the window clock if the region's waits
// are estimated.
inline uint64_t NowIn(ThreadState* thread, const RegionRecord* region) {
  return region != nullptr && region->team.IsEstimated() ? window_clock.Now() : NowFor(thread);
}

// The number of tries to read a clock that another thread is changing, where waiting for the clock is allowed.
inline constexpr int kTries = 2000;

// The debt of a thread with this participation in the region (0: working outside regions). It has three parts: the
// debt to the threads of its team, to threads of the teams around the team, and to the process's idle threads. The last
// two are shares that fall to the team's working threads: each team is one working thread of the next team. False if
// another thread changes one of the clocks for too long. Async-signal-safe with few tries.
bool ReadCharge(RegionRef ref, Participation participation, uint64_t now_ns, int tries, BlameClock::Charge* charge);

// The debt of the region's whole team in the group around the region.
BlameClock::Charge PassedTo(const RegionRecord& region, uint64_t now_ns, int tries = kTries);

// Adds the debt that the clock shows for the thread's work until `now_ns`: the clock went from `before` to `after`.
void AddDebt(ThreadState* thread, double before, double after, uint64_t now_ns);

// The thread changes its participation in its team to `to`. `now_ns`: NowIn. `no_wait`: for estimated waits, the thread
// has not waited, although it said so.
void ChangeParticipation(ThreadState* thread, OpenTask* task, RegionRecord* region, Participation to, uint64_t now_ns,
                         Team::Arrival* arrival = nullptr, bool no_wait = false);

// The thread leaves a barrier, and its team needs no change (Team::MayLeave).
void LeaveBarrier(ThreadState* thread, OpenTask* task, uint64_t now_ns);

// Whether the clock knows the thread's debt in this task (NULL: outside all tasks). Async-signal-safe.
bool IsKnown(const OpenTask* task);

// Charges a sleeping thread's outstanding debt to its current call path. A thread counts as asleep after kLeastSleepNs
// without a sample, or after two sampling periods if these are longer. `finished`: the implicit task that the thread
// ends.
void SettleSleep(ThreadState* thread, OmptState state, const OpenTask* finished = nullptr);

// SettleSleep at an event during the thread's work, if the thread had no event for an equally long time.
void SettleLongSleep(ThreadState* thread, OmptState state);

// Charges the rest of the debt at the end of a stretch in one region (0: none). The stretch began at `since_ns`. Does
// so only if the stretch is long enough to differ from its neighbours: the debt then stays in this stretch. The debt of
// a short stretch waits for the next sample, which falls into each stretch with a chance in proportion to its length.
void SettleRest(ThreadState* thread, RegionRef region, uint64_t since_ns, uint64_t now_ns);

// Charges all of the debt at the end of the runtime or of the profile. The calling thread, in `region`, causes the end.
// Its debt goes to its last sample in this stretch, or to the path of the end.
void SettleAtEnd(ThreadState* thread, RegionRef region);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_DEBT_H_
