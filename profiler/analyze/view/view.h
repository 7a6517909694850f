// The symbolized profiles of one or several processes: one tree of call paths, with samples at its nodes. Reports and
// exporters read a View and nothing of the recorded form.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_VIEW_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_VIEW_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/view/counted_event.h"
#include "profiler/analyze/view/estimate.h"
#include "profiler/analyze/view/frame_table.h"
#include "profiler/analyze/view/job_figures.h"
#include "profiler/analyze/view/overhead.h"
#include "profiler/analyze/view/path_tree.h"
#include "profiler/analyze/view/run_facts.h"
#include "profiler/analyze/view/selection.h"
#include "profiler/analyze/view/thread_account.h"
#include "profiler/analyze/view/wait_lengths.h"
#include "profiler/model/cost.h"
#include "profiler/model/symbolizer.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

using model::Cost;

enum class ViewKind {
  kUser,     // the program as written: regions spliced, constructs named, runtime frames left out
  kMachine,  // the stacks as recorded
};

// The cost of one combination of path, thread, OpenMP state, lock, region and phase.
struct ViewSample {
  PathId path;
  uint32_t process;                    // index into RunFacts::processes
  uint32_t thread;                     // ThreadFacts::id there; 0: not known
  OmptState state = OmptState::kNone;  // also kStateMpi, kStateLibraryWait, and kStateOwn in the user view
  uint64_t wait_id;
  FunctionId region;  // the innermost parallel construct; kNoFunction: none
  Cost cost;
  uint32_t phase = 0;     // index into View::phases
  bool in_wait = false;   // taken while the thread waited in OpenMP: these waits are in View::waits
  bool own = false;       // taken in the profiler's own code; the state in the user view is then kStateOwn
  bool interval = false;  // stands for stretches of waiting in View::timed, and has no cost
};

// The time of a sample, or of a stretch of waiting. Only with `record --timeline`.
struct TimedSample {
  uint32_t sample;   // index into View::samples; if `interval` is set there, an exact stretch of waiting of a sampling
                     // period or more
  uint64_t time_ns;  // the end, since the first process's start; to the microsecond
  uint64_t weight;   // a sample's CPU time (or events), or a stretch's wall time, in nanoseconds that end at time_ns.
                     // Samples of a spinning thread lie within the stretch of its wait
};

// The totals of one thread's waits of one kind at one place. With `charge`, the totals of other threads' waits for a
// lock while this thread was the holder. Exact except for `estimate`. See WaitStats.
struct WaitTotal {
  uint32_t process;  // index into RunFacts::processes
  uint32_t thread;
  OmptState state = OmptState::kNone;  // kIdle: a worker between regions
  FunctionId region;                   // the innermost parallel construct; kNoFunction: none
  Line place;                          // of the construct that waits; for a charge, of the release
  Line acquired_at;                    // for a charge: the place of the lock's acquisition
  // The calls whose innermost lines are `place` and `acquired_at`. No address: not known.
  model::CodeAddress call;
  model::CodeAddress acquiring_call;
  bool charge;
  uint64_t wait_id;
  model::CodeAddress variable;  // the variable at address wait_id, if a module has one there; see ViewLock
  uint32_t lock;                // LockInit.id of the lock at wait_id; 0: not known
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
  uint64_t last_count;  // for a barrier: how often the thread came last, and by how much in total
  uint64_t last_by_ns;
  uint64_t held_count;  // for a charge: the number of timed acquisitions, and the total time that the lock was held
  uint64_t held_ns;
  Estimate estimate;    // of total_ns
  WaitLengths lengths;  // for a lock
};

// A lock that the program initialized.
struct ViewLock {
  bool nested;              // a nest_lock
  model::CodeAddress call;  // the call that initialized the lock; no address: not known
  PathId path;              // the call path of this call; kEmptyPath: not known
};

// What the host may ask of a device.
enum class DeviceWork : uint8_t {
  kOther,
  kTarget,  // a target construct, with its kernel and copies
  kEnterData,
  kExitData,
  kUpdate,
  kKernel,
  kAllocation,
  kToDevice,
  kFromDevice,
  kFree,
};

inline bool IsCopy(DeviceWork work) { return work == DeviceWork::kToDevice || work == DeviceWork::kFromDevice; }

// What the host asked of a device at one place; see DeviceStats.
struct DeviceWorkTotal {
  uint32_t process;
  uint32_t device;  // Device.id; 0: the host
  DeviceWork work;
  FunctionId construct;  // the target construct; of an operation outside of target constructs: the construct unknown
  Line place;            // the call of the runtime
  uint64_t count = 0;
  uint64_t bytes = 0;
  uint64_t host_ns = 0;
  uint64_t longest_ns = 0;
  uint64_t waited_ns = 0;
  uint64_t in_regions_ns = 0;  // the part of waited_ns inside of parallel regions
  uint64_t charged_ns = 0;     // other waits that a construct with nowait is charged with
  uint64_t traced = 0;         // kernels in the device's trace
  uint64_t traced_ns = 0;      // of these, by the device's clock

  // The time of all kernels: by the device's clock if its trace has every kernel, else as the host measures it.
  uint64_t KernelNs() const { return traced == count && count != 0 ? traced_ns : host_ns; }
};

// The part of a DeviceWorkTotal on one call path.
struct DevicePathTotal {
  uint32_t total;            // index into View::device_work
  PathId path;               // the path that launched or asked; it ends with the construct. Empty: not known
  PathId leaf = kEmptyPath;  // of kernels and copies of a device: the path, and then <omp kernel> or <omp copy>
  uint64_t count = 0;
  uint64_t bytes = 0;
  uint64_t host_ns = 0;
  uint64_t waited_ns = 0;
  uint64_t traced = 0;
  uint64_t traced_ns = 0;

  uint64_t KernelNs() const { return traced == count && count != 0 ? traced_ns : host_ns; }
};

// An operation of a device in time: a kernel, a copy, an allocation or a free. Only with `record --timeline`.
struct DeviceOperation {
  uint32_t part;      // index into View::device_paths
  uint32_t thread;    // ThreadFacts::id of the host's thread; 0: a kernel of the device's trace
  uint64_t begin_ns;  // since the first process's start
  uint64_t end_ns;
  uint64_t bytes;
};

// A device that the runtime of a process has initialized.
struct ViewDevice {
  uint32_t process;
  uint32_t id;  // its number in OpenMP, plus 1
  std::string type;
};

// A worksharing construct in a region, for all threads together; see WorkStats.
struct Loop {
  uint32_t type;  // ompt_work_t
  Line place;
  uint64_t count = 0;       // executions, added up over threads
  uint64_t iterations = 0;  // of these executions, as the runtime tells
  uint64_t chunks = 0;      // 0: the runtime does not tell them
  model::CodeAddress call = {};
  std::set<std::pair<uint32_t, uint32_t>> threads = {};  // that began it: process, thread
};

// The times of a region's instances, added up: thread-time, except elapsed_ns.
struct RunTotals {
  uint64_t ended = 0;
  uint64_t elapsed_ns = 0;     // wall time
  uint64_t end_wait_ns = 0;    // in the barrier at the region's end
  uint64_t useful_ns = 0;      // time without waits
  uint64_t useful_max_ns = 0;  // of the busiest thread of each instance
  uint64_t useful_min_ns = 0;  // of the least busy thread of each instance
  uint64_t team_ns = 0;        // elapsed time by team size
  uint64_t estimated = 0;      // instances whose waits and useful time are estimated in part

  void Add(const RunTotals& more) {
    ended += more.ended;
    elapsed_ns += more.elapsed_ns;
    end_wait_ns += more.end_wait_ns;
    useful_ns += more.useful_ns;
    useful_max_ns += more.useful_max_ns;
    useful_min_ns += more.useful_min_ns;
    team_ns += more.team_ns;
    estimated += more.estimated;
  }

  // The mean team size, over the elapsed time of all instances; 0: not known.
  double MeanTeam() const {
    return elapsed_ns == 0 ? 0 : static_cast<double>(team_ns) / static_cast<double>(elapsed_ns);
  }

  // How much longer the busiest thread works than the mean thread: max / mean - 1, over all instances.
  double Imbalance() const {
    if (useful_ns == 0 || elapsed_ns == 0) return 0;
    return static_cast<double>(useful_max_ns) * MeanTeam() / static_cast<double>(useful_ns) - 1;
  }
};

// The figures of a parallel construct: exact counts from callbacks, CPU time from samples.
struct Region : RunTotals {
  FunctionId construct;
  uint64_t invocations = 0;
  uint64_t elapsed_max_ns = 0;  // of the longest instance
  uint64_t team_sum = 0;        // the team sizes of all invocations, added up
  uint32_t team_min = 0;
  uint32_t team_max = 0;
  uint32_t requested_min = 0;
  uint32_t requested_max = 0;
  uint32_t nesting_level = 0;  // the outermost level at which the region ran
  uint64_t samples = 0;
  uint64_t weight = 0;  // inside the region, nested regions included
  uint64_t faults = 0;  // likewise: page faults that needed no disk, and CPU time in the kernel
  uint64_t kernel_ns = 0;
  Counts counts = {};       // likewise: of the events in View::counted
  uint64_t partial_ns = 0;  // exact: wall time of ended instances with fewer than all threads busy
  // Exact thread-time in regions of this construct, without regions nested in them.
  uint64_t barrier_wait_ns = 0;  // in barriers before the barrier at the region's end
  uint64_t task_wait_ns = 0;     // in taskwait and taskgroup
  uint64_t lock_wait_ns = 0;     // for locks, criticals, ordered and atomics
  Estimate end_wait_estimate;    // the estimates belong to the sums with these names
  Estimate barrier_wait_estimate;
  Estimate task_wait_estimate;
  Estimate lock_wait_estimate;
  // Weights of the samples directly in the region: runtime work without waits, by purpose; the program's code.
  uint64_t overhead_weight[kOverheads] = {};
  uint64_t handing_out_weight = 0;  // of scheduling: in functions that hand out the chunks of loops
  uint64_t work_weight = 0;
  uint64_t own_weight = 0;  // the profiler's code; own_useful_weight: while the thread did not wait
  uint64_t own_useful_weight = 0;
  uint64_t library_wait_weight = 0;  // waiting outside OpenMP, in no state of waiting: kStateLibraryWait
  uint64_t mpi_weight = 0;           // in MPI, in no state of waiting: kStateMpi
  // Sampled CPU time without waits (in OpenMP or in a library), without MPI and without the profiler's: of the program
  // and the runtime, nested regions included.
  uint64_t busy_weight = 0;
  // The parts of the threads' time without waits in which they were off the processor, by samples (account_regions.h).
  // useful_ns and its like are without ready_ns, and contain blocked_ns.
  uint64_t ready_ns = 0;    // could run, but had no processor
  uint64_t blocked_ns = 0;  // asleep, outside of OpenMP's waits
  // The sampled work of one thread directly in the region.
  struct ThreadWork {
    uint32_t process;
    uint32_t thread;
    uint64_t weight;
    uint64_t samples;
    uint64_t of_weight = 0;  // all samples of the thread: its CPU time, exactly. 0: not known
    uint32_t slot = 0;       // threads that lived one after the other have one number; 0: the thread is alone
  };
  std::vector<ThreadWork> thread_work;  // by process and thread
  // By the threads' CPU time, where threads lacked processors: then their wall times say nothing of their work.
  std::optional<double> cpu_imbalance;
  std::vector<Loop> loops;

  uint64_t off_cpu_ns() const { return ready_ns + blocked_ns; }
  // Thread-time that is not useful.
  uint64_t LostNs() const { return end_wait_ns + barrier_wait_ns + task_wait_ns + lock_wait_ns + off_cpu_ns(); }
  double Imbalance() const { return cpu_imbalance ? *cpu_imbalance : RunTotals::Imbalance(); }

  // The estimate of all waits, and thus of useful time, which is the time without waits.
  Estimate wait_estimate() const {
    Estimate all = end_wait_estimate;
    for (const Estimate& more : {barrier_wait_estimate, task_wait_estimate, lock_wait_estimate}) all.Add(more);
    return all;
  }
  Estimate all_barriers_estimate() const {
    Estimate all = end_wait_estimate;
    all.Add(barrier_wait_estimate);
    return all;
  }
  bool is_estimated() const { return estimated > 0 || wait_estimate().any(); }
};

// The ended instances of a region on one call path, if a sample or a wait of a sampling period fell into them. Their
// times are exact, except the waits and useful time of estimated instances.
struct RegionRun {
  FunctionId construct;
  PathId path;  // ends with the construct
  RunTotals totals;
};

struct View {
  ViewKind kind = ViewKind::kUser;
  Selection selection;      // the part of the run that all figures below are of; see Select
  uint64_t run_weight = 0;  // of a selection: total_weight of the whole run
  RunFacts run;
  FrameTable frames;
  std::vector<std::string> objects;  // paths of object files, by ViewFunction::object
  PathTree paths;
  std::vector<ViewDevice> devices;
  std::vector<DeviceWorkTotal> device_work;
  std::vector<DevicePathTotal> device_paths;
  std::vector<DeviceOperation> device_operations;
  std::vector<std::string> phases = {""};  // from the program's labels: "outer/inner"; the first is outside all phases
  std::vector<uint32_t> phases_around = {0};  // by phase: the phase around it, which has a smaller index; 0: none
  std::vector<CountedEvent> counted;          // the events that all processes counted (--count)
  std::vector<ViewSample> samples;
  ThreadAccounts accounts;             // how each thread spent its wall time
  std::vector<TimedSample> timed;      // by process, thread, time
  std::vector<Region> regions;         // by weight, then by elapsed time, descending
  std::vector<RegionRun> region_runs;  // in the user view only
  std::vector<WaitTotal> waits;        // of each process in the order of its records
  // The construct of each record of a region's statistics: process and construct, likewise. A job's figures need it.
  std::vector<std::pair<uint32_t, FunctionId>> region_constructs;
  std::map<std::pair<uint32_t, uint32_t>, ViewLock> locks;  // by process and LockInit.id
  std::vector<JobFigure> job_figures;                       // of unified processes
  std::vector<JobMember> job_members;
  uint64_t total_samples = 0;
  uint64_t total_weight = 0;
  uint64_t total_wait = 0;    // nanoseconds of Cost::wait
  uint64_t total_blame = 0;   // nanoseconds of Cost::all_blame
  Counts total_counts = {};   // of the events in `counted`
  double weight_squares = 0;  // the squared weights of single samples, added up; see EffectiveSamples
  uint64_t own_weight = 0;    // of the samples in the profiler's own code
  std::map<std::pair<uint32_t, uint32_t>, uint64_t>
      own_useful_weight;              // of these, the samples while the thread did not wait; by process and Thread.id
  uint64_t unspliced_weight = 0;      // of samples in a region with an unknown path
  std::vector<std::string> warnings;  // the limits of this view, a sentence each
};

// False if an OpenMP process was recorded with --waits=off. Then no figure that comes from waits is known, also in
// regions.
bool WaitsRecorded(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_VIEW_H_
