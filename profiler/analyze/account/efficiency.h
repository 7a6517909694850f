// Measures how well the run used its threads. The reports, advice and predictions use the result. Waits are exact, from
// the OpenMP runtime's events. The profiler's own time, time in MPI and waiting in other libraries are sampled. Time
// off the processor comes from the threads' clocks (thread_account.h).
//
// The efficiencies are those of the POP project (pop-coe.eu, "POP Standard Metrics for Parallel Performance Analysis"),
// with threads in the place of processes: parallel efficiency = load balance x the busiest thread's share. POP calls
// that share communication efficiency. Useful time is time in which a thread runs on a processor and does the program's
// work. It is not useful to wait in the OpenMP runtime or in another library, to be idle between regions, to be in MPI,
// or to run the profiler.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_EFFICIENCY_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_EFFICIENCY_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct Efficiency {
  bool known = false;  // false: no OMPT, or no waits recorded; the other members then mean nothing
  // The largest number of OpenMP threads that lived at a time. Threads that follow each other count as one thread:
  // threads of teams that are made anew, and of programs that ran one after the other.
  uint32_t threads = 0;
  uint64_t duration_ns = 0;    // wall time in which an OpenMP process ran
  uint64_t useful_ns = 0;      // of all threads
  uint64_t useful_max_ns = 0;  // of the busiest thread, with the threads that it followed; of a unified process, of
                               // the mean member
  uint64_t own_ns = 0;         // sampled: the profiler's time in all threads, not part of the two above
  uint64_t mpi_ns = 0;         // sampled: in MPI, likewise; 0 if samples do not weigh nanoseconds
  uint64_t library_ns = 0;     // sampled: waiting in other libraries, and for locks outside OpenMP, likewise
                               // (library_waits.h)
  // Off the processor outside of OpenMP's waits, likewise. In processes with MPI it contains sleep in MPI.
  uint64_t ready_ns = 0;
  uint64_t blocked_ns = 0;
  uint64_t wait_ns = 0;     // of all threads, inside regions
  uint64_t barrier_ns = 0;  // the parts of wait_ns
  uint64_t task_ns = 0;
  uint64_t lock_ns = 0;
  Estimate wait_estimate;       // of wait_ns, and thus of useful_ns
  uint64_t device_wait_ns = 0;  // of all threads, for devices
  uint64_t idle_ns = 0;         // of workers between regions, or not yet created
  // Wall time, means over the processes that ran at a time.
  uint64_t serial_ns = 0;  // in no parallel region
  uint64_t parallel_ns = 0;
  uint64_t partial_ns = 0;  // with fewer than all threads of the team busy; serial time not included

  uint64_t off_cpu_ns() const { return ready_ns + blocked_ns; }
  double busy_threads() const { return Ratio(useful_ns, duration_ns); }  // mean over the run
  double load_balance() const { return Ratio(useful_ns, useful_max_ns) / Threads(); }
  double busiest_thread() const { return Ratio(useful_max_ns, duration_ns); }
  double parallel() const { return busy_threads() / Threads(); }
  // Of all processes' times, because the serial part of a short process does not belong to the longest process.
  double serial_fraction() const { return Ratio(serial_ns, serial_ns + parallel_ns); }
  // Amdahl's bound: how many times faster more threads can make the run. 0: no bound, or no team of more than one
  // thread, so the parallel part is not known.
  double speedup_bound() const { return parallel_ns == 0 ? 0 : Ratio(serial_ns + parallel_ns, serial_ns); }
  // Whether the bound says something: nobody has more than 100 times the processors.
  bool has_speedup_bound() const { return speedup_bound() > 0 && speedup_bound() <= 100; }

 private:
  static double Ratio(uint64_t a, uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }
  double Threads() const { return threads == 0 ? 1 : threads; }
};

enum class LossKind {
  kBarriers,
  kTasks,
  kLocks,
  kDevices,
  kIdle,     // workers between regions, or not yet created
  kReady,    // could run, but had no processor
  kBlocked,  // off the processor outside of OpenMP's waits
  kMpi,
  kLibraries,
  kOwn,  // in the profiler
};

// "at barriers", "waiting for locks"
const char* LossTitle(LossKind kind);

// A part of the threads' time that is not useful.
struct Loss {
  LossKind kind;
  uint64_t ns;  // thread-time
};

// The losses of the run, the largest first. With the useful time they add up to threads x duration.
std::vector<Loss> LossesOf(const Efficiency& efficiency);

Efficiency MeasureEfficiency(const View& view, const MpiTime& mpi);

Unblamed MeasureUnblamed(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_EFFICIENCY_H_
