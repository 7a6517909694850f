// The debt of a group of threads to its waiting members. A team is a group. The process's threads outside regions are
// another group. Team and OutsideRegions hold the clocks, OMPT callbacks change them, and the handler reads them.
//
// Undirected blame: Tallent and Mellor-Crummey, "Effective performance measurement and analysis of multithreaded
// applications", PPoPP 2009, section 3. While k of n threads wait, each of the n - k working threads is charged k / (n
// - k) of its time. The paper charges each sample by the counts of that moment. Here, the clock adds up the charge of
// one working thread, whenever a thread begins or ends a wait. A thread's debt is the difference of two readings. So
// the debt is exact, however long the thread took no sample (it may sleep) and however often the counts changed
// meanwhile.
//
// Threads that wait for tasks (taskwait, taskgroup) charge the threads that execute tasks. If no thread executes a
// task, they charge all working threads.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_BLAME_CLOCK_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_BLAME_CLOCK_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// A thread's participation in its innermost team.
enum class Participation : uint32_t {
  kWorking,
  kExecutingTask,   // an explicit one
  kWaiting,         // at a barrier; outside regions: idle
  kWaitingForTask,  // in a taskwait or taskgroup, with no task to run
  kQueueing,        // for a lock: its holder is charged, not this clock's threads
};
inline constexpr uint32_t kParticipations = 5;

inline bool Works(Participation participation) {
  return participation == Participation::kWorking || participation == Participation::kExecutingTask;
}

struct alignas(64) BlameClock {
  // The debt of one thread since the clock began, in nanoseconds, and its growth per nanosecond from now on.
  struct Charge {
    double debt;
    double rate;
  };
  struct Reading {
    Charge working;
    Charge executing_task;
    const Charge& of(Participation participation) const {
      return participation == Participation::kExecutingTask ? executing_task : working;
    }
  };
  struct Totals {
    uint64_t waited_ns;    // thread-time in kWaiting and kWaitingForTask
    uint64_t unblamed_ns;  // the part of waited_ns and passed_ns that came while no thread worked
    uint64_t passed_ns;    // charged from outside
    uint64_t partial_ns;   // wall time in which a thread waited or queued
  };

  // Needs the lock, or a clock that other threads do not see yet. A new clock is zeroed memory. `passed`: the debt of
  // the thread that stands for this group in the group around it. This group's threads share it.
  void Reset(uint64_t now_ns, double passed);

  // Every change happens between Lock and Unlock: first Advance, then the change of `threads`. Lock spins for a few
  // instructions.
  void Lock() {
    if (!TryLock()) WaitForLock();
    std::atomic_thread_fence(std::memory_order_release);
  }
  // Another thread may have taken the lock over (Spin), and given it back.
  void Unlock() { sequence.store((sequence.load(std::memory_order_relaxed) | 1) + 1, std::memory_order_release); }
  // Brings the clock to `now_ns`. Result: the growth of `waited`.
  uint64_t Advance(uint64_t now_ns, double passed);
  // Needs the lock. Takes back the last `ns` of one thread that was counted as waiting and did not wait, as of the last
  // Advance.
  void TakeBack(uint64_t ns);
  // Needs the lock, after a change. Prepares DebtNow.
  void AddUpExecuting() {
    executing_either.store(working.load(std::memory_order_relaxed) + executing_task.load(std::memory_order_relaxed),
                           std::memory_order_relaxed);
  }
  void Add(Participation participation, int32_t more) {
    std::atomic<int16_t>& count = threads[static_cast<uint32_t>(participation)];
    count.store(static_cast<int16_t>(count.load(std::memory_order_relaxed) + more), std::memory_order_relaxed);
  }
  int32_t Count(Participation participation) const {
    return threads[static_cast<uint32_t>(participation)].load(std::memory_order_relaxed);
  }
  // Needs the lock. The reading as of the last Advance.
  Reading Now(double passed_rate) const { return At(RatesNow(), passed_rate); }
  Totals Sums() const;
  // The debt of a thread with this participation, while the clock stands still; needs no lock. AddUpExecuting has been
  // called since the last change. No arithmetic, because every event between windows calls this (floating_point_test).
  Charge DebtNow(Participation participation) const {
    return {
        (participation != Participation::kExecutingTask ? working : executing_either).load(std::memory_order_relaxed),
        0};
  }

  // The reading at `now_ns`. False if another thread is changing the clock. Async-signal-safe.
  bool Read(uint64_t now_ns, const Charge& passed, Reading* reading) const;

  // The charge per nanosecond.
  struct Rates {
    int32_t working;        // working threads and threads that execute tasks: these are charged
    int32_t waiting;        // threads that wait, for tasks or otherwise
    double each;            // to each charged thread
    double each_executing;  // in addition, to each thread that executes a task
  };
  Rates RatesNow() const;
  Reading At(const Rates& rates, double passed_rate) const;
  static double Inverse(int32_t count);  // a table for small counts: a division costs more than all the rest
  // Sets the bit at once. A look before would send the cache line twice.
  bool TryLock() { return (sequence.fetch_or(1, std::memory_order_acquire) & 1) == 0; }
  void WaitForLock();

  // Every change writes only this cache line, which travels between the processors.
  std::atomic<uint32_t> sequence;  // odd: locked
  std::atomic<int16_t> threads[kParticipations];
  // The owner's data, under the lock: Team's arrivals at barriers.
  uint16_t arrivals;
  uint16_t end_arrivals;
  std::atomic<uint32_t> released;  // the number of the last barrier that all threads have reached
  std::atomic<uint64_t> changed_ns;
  std::atomic<double> working;  // the debt of each working thread
  std::atomic<uint64_t> waited;
  std::atomic<uint64_t> partial;
  uint64_t last_arrival_ns;  // for the owner, like `arrivals`

  // Seldom written.
  alignas(64) std::atomic<double> executing_task;  // the additional debt of a thread that executes a task
  std::atomic<double> executing_either;            // working + executing_task
  std::atomic<double> passed;                      // the group's debt outside, as of changed_ns
  std::atomic<double> passed_at_begin;
  std::atomic<double> unblamed;
};

inline double BlameClock::Inverse(int32_t count) {
  static constexpr double kInverses[] = {0,        1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,
                                         1.0 / 6,  1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11,
                                         1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};
  return static_cast<size_t>(count) < sizeof(kInverses) / sizeof(*kInverses) ? kInverses[count] : 1.0 / count;
}

inline BlameClock::Rates BlameClock::RatesNow() const {
  const int32_t executing = Count(Participation::kExecutingTask);
  const int32_t for_tasks = Count(Participation::kWaitingForTask);
  Rates rates{Count(Participation::kWorking) + executing, Count(Participation::kWaiting) + for_tasks, 0, 0};
  if (rates.waiting <= 0 || rates.working <= 0) return rates;
  const int32_t for_all = executing > 0 ? rates.waiting - for_tasks : rates.waiting;
  if (for_all > 0) rates.each = for_all * Inverse(rates.working);
  if (executing > 0 && for_tasks > 0) rates.each_executing = for_tasks * Inverse(executing);
  return rates;
}

inline BlameClock::Reading BlameClock::At(const Rates& rates, double passed_rate) const {
  double rate = rates.each;
  if (passed_rate != 0 && rates.working > 0) rate += passed_rate * Inverse(rates.working);
  const double debt = working.load(std::memory_order_relaxed);
  return {{debt, rate}, {debt + executing_task.load(std::memory_order_relaxed), rate + rates.each_executing}};
}

inline bool BlameClock::Read(uint64_t now_ns, const Charge& passed_now, Reading* reading) const {
  const uint32_t before = sequence.load(std::memory_order_acquire);
  if ((before & 1) != 0) return false;
  const Rates rates = RatesNow();
  Reading now = At(rates, passed_now.rate);
  const uint64_t since = changed_ns.load(std::memory_order_relaxed);
  const double passed_before = passed.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (sequence.load(std::memory_order_relaxed) != before) return false;
  const double time = now_ns > since ? static_cast<double>(now_ns - since) : 0;
  double more = rates.each * time;
  if (rates.working > 0 && passed_now.debt > passed_before)
    more += (passed_now.debt - passed_before) * Inverse(rates.working);
  now.working.debt += more;
  now.executing_task.debt += more + rates.each_executing * time;
  *reading = now;
  return true;
}

static_assert(offsetof(BlameClock, executing_task) == 64, "one line for what every change writes");

// The largest team: its counters hold no more.
inline constexpr uint32_t kMaxTeam = INT16_MAX;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_BLAME_CLOCK_H_
