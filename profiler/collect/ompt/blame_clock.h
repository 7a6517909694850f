// What a group of threads owes for those of it that wait: of a team, and of the process's threads outside regions.
//
// Undirected blame: Tallent and Mellor-Crummey, "Effective performance measurement and analysis of multithreaded
// applications", PPoPP 2009, section 3: while k of n threads wait, each of the n - k that work is charged k / (n - k)
// of its time. The paper charges each sample by the counts of that moment. Here the charge of one working thread is
// added up as time goes on, whenever a thread begins or ends waiting, so that a thread owes the difference of two
// readings: exact however long it was not sampled (it may sleep) and however often the counts changed meanwhile.
//
// Threads that wait for tasks (taskwait, taskgroup) charge those that execute some, and all that work if none does.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_BLAME_CLOCK_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_BLAME_CLOCK_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// What a thread does in its innermost team.
enum class Doing : uint32_t {
  kWorking,
  kExecutingTask,   // an explicit one
  kWaiting,         // at a barrier; outside regions: with nothing to do
  kWaitingForTask,  // in a taskwait or taskgroup, with no task to run
  kQueueing,        // for a lock: charged to its holder, not here
};
inline constexpr uint32_t kDoings = 5;

inline bool Works(Doing doing) { return doing == Doing::kWorking || doing == Doing::kExecutingTask; }

struct alignas(64) BlameClock {
  // What one thread owes since the clock began, in nanoseconds, and how much more in a nanosecond from now on.
  struct Charge {
    double owed;
    double rate;
  };
  struct Reading {
    Charge working;
    Charge executing_task;
    const Charge& of(Doing doing) const { return doing == Doing::kExecutingTask ? executing_task : working; }
  };
  struct Totals {
    uint64_t waited_ns;    // thread-time in kWaiting and kWaitingForTask
    uint64_t unblamed_ns;  // of that and of `passed`, what came while no thread worked
    uint64_t passed_ns;    // charged from outside
    uint64_t partial_ns;   // wall time in which a thread waited
  };

  // Before other threads see it. `passed`: what the thread that stands for this group in the one around it owes there:
  // the group's threads share that.
  void Reset(uint64_t now_ns, double passed);

  // Changes are made between these two, by Advance first and then to `threads`; a spin of a few instructions.
  void Lock();
  void Unlock() { sequence.store(sequence.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  void Advance(uint64_t now_ns, double passed);
  void Add(Doing doing, int32_t more) {
    std::atomic<int16_t>& count = threads[static_cast<uint32_t>(doing)];
    count.store(static_cast<int16_t>(count.load(std::memory_order_relaxed) + more), std::memory_order_relaxed);
  }
  // Locked: as of the last Advance.
  Reading Now(double passed_rate) const;
  Totals Sums() const;

  // As of `now_ns`. False if it is just being changed. Async-signal-safe.
  bool Read(uint64_t now_ns, const Charge& passed, Reading* reading) const;

  // What every change writes is one cache line, which goes from processor to processor.
  std::atomic<uint32_t> sequence;  // odd: locked
  std::atomic<int16_t> threads[kDoings];
  // The owner's own, under the lock: Team's arrivals at barriers.
  uint16_t arrivals;
  uint16_t end_arrivals;
  std::atomic<uint64_t> changed_ns;
  std::atomic<double> working;  // what each working thread owes
  std::atomic<uint64_t> waited;
  std::atomic<uint64_t> partial;
  uint64_t last_arrival_ns;  // as `arrivals`

  // What is seldom written.
  alignas(64) std::atomic<double> executing_task;  // what one that executes a task owes besides
  std::atomic<double> passed;                      // as of changed_ns
  std::atomic<double> passed_at_begin;
  std::atomic<double> unblamed;
};
static_assert(offsetof(BlameClock, executing_task) == 64, "one line for what every change writes");

// A team is not larger than its counters can count.
inline constexpr uint32_t kMaxTeam = INT16_MAX;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_BLAME_CLOCK_H_
