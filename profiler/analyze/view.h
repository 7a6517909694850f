// One or several processes' profiles, symbolized, as one tree of call paths with the samples at its nodes. Reports and
// exporters are made from a View and need nothing of the recorded form.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/estimate.h"
#include "profiler/analyze/frame_table.h"
#include "profiler/analyze/overhead.h"
#include "profiler/analyze/path_tree.h"
#include "profiler/analyze/run_facts.h"
#include "profiler/analyze/wait_lengths.h"
#include "profiler/model/cost.h"
#include "profiler/model/symbolizer.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

using model::Cost;

enum class ViewKind {
  kUser,     // the program as written: regions joined, constructs named, runtime frames left out
  kMachine,  // the stacks as they were
};

// What one combination of path, thread and OpenMP state cost.
struct ViewSample {
  PathId path;
  uint32_t process;                    // index into RunFacts::processes
  uint32_t thread;                     // ThreadFacts::id there; 0: not known
  OmptState state = OmptState::kNone;  // of the user view also kStateOwn
  uint64_t wait_id;
  FunctionId region;  // the innermost parallel construct, kNoFunction: none
  Cost cost;
  uint32_t phase = 0;     // index into View::phases
  bool own = false;       // taken in the profiler's own code; the user view's state is kStateOwn then
  bool interval = false;  // stretches of waiting, which only View::timed says more of: its cost is 0
};

// When a sample was taken, or a stretch of waiting ended. Only with `record --timeline`.
struct TimedSample {
  uint32_t sample;   // index into View::samples; one with `interval`: an exact stretch of waiting of a sampling period
                     // or more
  uint64_t time_ns;  // its end, since the first process's start; to the microsecond
  uint64_t weight;   // nanoseconds that end at time_ns: of a sample CPU time (events, where a profile counts these), of
                     // a stretch wall time. Samples that come while a thread spins lie within the stretch
};

// Totals of one thread's waits of one kind at one place, or of what others waited for a lock while it had it; exact but
// for what `estimate` says. See WaitStats.
struct WaitTotal {
  uint32_t process;  // index into RunFacts::processes
  uint32_t thread;
  OmptState state = OmptState::kNone;  // kIdle: a worker between regions
  FunctionId region;                   // the innermost parallel construct, kNoFunction: none
  Line place;                          // of the construct that waits; of a charge: of the release
  Line acquired_at;                    // of a charge: where the lock was taken
  // The calls there, of which `place` and `acquired_at` are the innermost lines; no address: not known.
  model::CodeAddress call;
  model::CodeAddress acquiring_call;
  bool charge;
  uint64_t wait_id;
  model::CodeAddress variable;  // at wait_id, where that is a variable of a module; see ViewLock
  uint32_t lock;                // LockInit.id of the lock at wait_id, 0: not known
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
  uint64_t last_count;  // of a barrier: how often the thread came last, and by how much in all
  uint64_t last_by_ns;
  uint64_t held_count;  // of a charge: acquisitions that were timed, and how long the lock was held then
  uint64_t held_ns;
  Estimate estimate;    // of total_ns
  WaitLengths lengths;  // of a lock
};

// A lock that the program initialized.
struct ViewLock {
  bool nested;              // a nest_lock
  model::CodeAddress call;  // that initialized it; no address: not known
  PathId path;              // and how it came there; kEmptyPath: not known
};

// A worksharing construct in a region, all threads together; see WorkStats.
struct Loop {
  uint32_t type;  // ompt_work_t
  Line place;
  uint64_t count = 0;       // executions, of each thread
  uint64_t iterations = 0;  // of each thread's executions, as the runtime says
  uint64_t chunks = 0;      // 0: the runtime does not tell
};

// What instances of a region took, added up over them; thread-time but for the first.
struct RunTotals {
  uint64_t ended = 0;
  uint64_t elapsed_ns = 0;     // wall time
  uint64_t end_wait_ns = 0;    // in the barrier at its end
  uint64_t useful_ns = 0;      // without waits
  uint64_t useful_max_ns = 0;  // of the busiest thread of each
  uint64_t useful_min_ns = 0;  // and the idlest
  uint64_t team_ns = 0;        // elapsed time by team size
  uint64_t estimated = 0;      // instances whose waits, and with them useful time, are estimated in part

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

  // Threads of a team, as of all instances together; 0: not known.
  double MeanTeam() const {
    return elapsed_ns == 0 ? 0 : static_cast<double>(team_ns) / static_cast<double>(elapsed_ns);
  }

  // How much longer the busiest thread works than the mean one: max / mean - 1, as of all instances together.
  double Imbalance() const {
    if (useful_ns == 0 || elapsed_ns == 0) return 0;
    return static_cast<double>(useful_max_ns) * MeanTeam() / static_cast<double>(useful_ns) - 1;
  }
};

// A parallel construct: counts from callbacks (exact), CPU time from samples.
struct Region : RunTotals {
  FunctionId construct;
  uint64_t invocations = 0;
  uint64_t elapsed_max_ns = 0;  // of the longest instance
  uint64_t team_sum = 0;        // of the team sizes got, over invocations
  uint32_t team_min = 0;
  uint32_t team_max = 0;
  uint32_t requested_min = 0;
  uint32_t requested_max = 0;
  uint32_t nesting_level = 0;  // the outermost at which it was met
  uint64_t samples = 0;
  uint64_t weight = 0;      // inside it, regions nested in it included
  uint64_t partial_ns = 0;  // exact, over ended instances: wall time with fewer than all threads busy
  // Thread-time in regions of this construct but not in those nested in them; exact.
  uint64_t barrier_wait_ns = 0;  // in barriers before the one at its end
  uint64_t task_wait_ns = 0;     // in taskwait and taskgroup
  uint64_t lock_wait_ns = 0;     // for locks, criticals, ordered and atomics
  Estimate end_wait_estimate;    // of the sums of these names
  Estimate barrier_wait_estimate;
  Estimate task_wait_estimate;
  Estimate lock_wait_estimate;
  // Of the samples there: those in the runtime that do not wait, by what it does; and those in the program.
  uint64_t overhead_weight[kOverheads] = {};
  uint64_t work_weight = 0;
  uint64_t own_weight = 0;  // and those in the profiler, of which `own_useful` where the thread did not wait
  uint64_t own_useful_weight = 0;
  std::vector<Loop> loops;

  // Of all its waits, and so of its useful time, which is what waits leave.
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

// Instances of a parallel region on one call path that have ended and were long enough, or lucky enough, to be met by a
// sample or a wait of a sampling period. Exact, of those, but for the waits and useful time of those that are
// estimated.
struct RegionRun {
  FunctionId construct;
  PathId path;  // ends with the construct
  RunTotals totals;
};

struct View {
  ViewKind kind = ViewKind::kUser;
  RunFacts run;
  FrameTable frames;
  PathTree paths;
  std::vector<std::string> phases = {""};     // what the program's labels say: "outer/inner"; the first is none
  std::vector<uint32_t> phases_around = {0};  // of each the one that it is in, which comes before it; 0: none
  std::vector<ViewSample> samples;
  std::vector<TimedSample> timed;      // by process, thread, time
  std::vector<Region> regions;         // by weight, then elapsed time, descending
  std::vector<RegionRun> region_runs;  // in the user view only
  std::vector<WaitTotal> waits;
  std::map<std::pair<uint32_t, uint32_t>, ViewLock> locks;  // by process and LockInit.id
  uint64_t total_samples = 0;
  uint64_t total_weight = 0;
  uint64_t total_wait = 0;    // nanoseconds, of ViewSample::wait
  uint64_t total_blame = 0;   // of both kinds
  double weight_squares = 0;  // of the weights of single samples, added up; see EffectiveSamples
  uint64_t own_weight = 0;    // of samples in the profiler's own code
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> own_useful_weight;  // of these where the thread, by process and
                                                                        // Thread.id, did not wait
  uint64_t unspliced_weight = 0;      // of samples in a region whose path is not known
  std::vector<std::string> warnings;  // limits of this view, a sentence each
};

// Builds the view of `processes`, which must outlive `symbolizer`, and which the view does not need. `symbolizer` must
// be fresh.
View BuildView(const std::vector<const model::ProcessProfile*>& processes, ViewKind kind,
               model::Symbolizer* symbolizer);

// False if an OpenMP process of it was recorded with --waits=off: nothing that comes of waits is known then, of regions
// neither.
bool WaitsRecorded(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_H_
