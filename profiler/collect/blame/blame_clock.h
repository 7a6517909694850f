// What a group of threads owes for those of it that wait: of a team, and of the process's threads outside regions.
//
// Undirected blame: Tallent and Mellor-Crummey, "Effective performance measurement and analysis of multithreaded
// applications", PPoPP 2009, section 3: while k of n threads wait, each of the n - k that work is charged k / (n - k)
// of its time. The paper charges each sample by the counts of that moment. Here the charge of one working thread is
// added up as time goes on, whenever a thread begins or ends waiting, so that a thread owes the difference of two
// readings: exact however long it was not sampled (it may sleep) and however often the counts changed meanwhile.
//
// Threads that wait for tasks (taskwait, taskgroup) charge those that execute some, and all that work if none does.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_BLAME_CLOCK_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_BLAME_CLOCK_H_

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
    uint64_t partial_ns;   // wall time in which a thread waited or queued
  };

  // Locked, or before other threads see it; a new one is zeroed memory. `passed`: what the thread that stands for this
  // group in the one around it owes there: the group's threads share that.
  void Reset(uint64_t now_ns, double passed);

  // Changes are made between these two, by Advance first and then to `threads`; a spin of a few instructions.
  void Lock() {
    if (!TryLock()) WaitForLock();
    std::atomic_thread_fence(std::memory_order_release);
  }
  void Unlock() { sequence.store(sequence.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  // Result: by how much `waited` grew.
  uint64_t Advance(uint64_t now_ns, double passed);
  // Locked, as of the last Advance: one thread that was counted as waiting for the last `ns` did not wait.
  void TakeBack(uint64_t ns);
  // Locked, after a change: for OwedNow.
  void AddUpExecuting() {
    executing_either.store(working.load(std::memory_order_relaxed) + executing_task.load(std::memory_order_relaxed),
                           std::memory_order_relaxed);
  }
  void Add(Doing doing, int32_t more) {
    std::atomic<int16_t>& count = threads[static_cast<uint32_t>(doing)];
    count.store(static_cast<int16_t>(count.load(std::memory_order_relaxed) + more), std::memory_order_relaxed);
  }
  int32_t Count(Doing doing) const { return threads[static_cast<uint32_t>(doing)].load(std::memory_order_relaxed); }
  // Locked: as of the last Advance.
  Reading Now(double passed_rate) const { return At(RatesNow(), passed_rate); }
  Totals Sums() const;
  // While it stands still, without the lock: what a thread that does that owes. AddUpExecuting has been called since
  // the last change. No arithmetic: this comes with every event between windows (floating_point_test).
  Charge OwedNow(Doing doing) const {
    return {(doing != Doing::kExecutingTask ? working : executing_either).load(std::memory_order_relaxed), 0};
  }

  // As of `now_ns`. False if it is just being changed. Async-signal-safe.
  bool Read(uint64_t now_ns, const Charge& passed, Reading* reading) const;

  // Who is charged with what, per nanosecond.
  struct Rates {
    int32_t working;        // threads that are charged, of either kind
    int32_t waiting;        // threads that wait, of either kind
    double each;            // to each that works
    double each_executing;  // to each that executes a task, besides
  };
  Rates RatesNow() const;
  Reading At(const Rates& rates, double passed_rate) const;
  static double Inverse(int32_t count);  // a table for the usual ones: a division costs more than all the rest
  // The bit at once: a look before would have the line sent twice.
  bool TryLock() { return (sequence.fetch_or(1, std::memory_order_acquire) & 1) == 0; }
  void WaitForLock();

  // What every change writes is one cache line, which goes from processor to processor.
  std::atomic<uint32_t> sequence;  // odd: locked
  std::atomic<int16_t> threads[kDoings];
  // The owner's own, under the lock: Team's arrivals at barriers.
  uint16_t arrivals;
  uint16_t end_arrivals;
  std::atomic<uint32_t> released;  // the last barrier that all have come to, by its number
  std::atomic<uint64_t> changed_ns;
  std::atomic<double> working;  // what each working thread owes
  std::atomic<uint64_t> waited;
  std::atomic<uint64_t> partial;
  uint64_t last_arrival_ns;  // as `arrivals`

  // What is seldom written.
  alignas(64) std::atomic<double> executing_task;  // what one that executes a task owes besides
  std::atomic<double> executing_either;            // working + executing_task
  std::atomic<double> passed;                      // as of changed_ns
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
  const int32_t executing = Count(Doing::kExecutingTask);
  const int32_t for_tasks = Count(Doing::kWaitingForTask);
  Rates rates{Count(Doing::kWorking) + executing, Count(Doing::kWaiting) + for_tasks, 0, 0};
  if (rates.waiting <= 0 || rates.working <= 0) return rates;
  const int32_t for_all = executing > 0 ? rates.waiting - for_tasks : rates.waiting;
  if (for_all > 0) rates.each = for_all * Inverse(rates.working);
  if (executing > 0 && for_tasks > 0) rates.each_executing = for_tasks * Inverse(executing);
  return rates;
}

inline BlameClock::Reading BlameClock::At(const Rates& rates, double passed_rate) const {
  double rate = rates.each;
  if (passed_rate != 0 && rates.working > 0) rate += passed_rate * Inverse(rates.working);
  const double owed = working.load(std::memory_order_relaxed);
  return {{owed, rate}, {owed + executing_task.load(std::memory_order_relaxed), rate + rates.each_executing}};
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
  if (rates.working > 0 && passed_now.owed > passed_before)
    more += (passed_now.owed - passed_before) * Inverse(rates.working);
  now.working.owed += more;
  now.executing_task.owed += more + rates.each_executing * time;
  *reading = now;
  return true;
}

static_assert(offsetof(BlameClock, executing_task) == 64, "one line for what every change writes");

// A team is not larger than its counters can count.
inline constexpr uint32_t kMaxTeam = INT16_MAX;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_BLAME_CLOCK_H_
