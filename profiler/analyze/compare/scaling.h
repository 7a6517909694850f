// How a program's speed changes with the number of its threads, and why. `ompprof scale` shows the result.
//
// At n threads, the threads' time is n x the wall time. It is the work of the run with the fewest threads, and parts
// that add up to the rest. Work inflation is useful time that grew: "Characterizing and mitigating work time inflation
// in task parallel programs", Olivier et al., SC 2012. The efficiencies are those of the POP project ("POP Standard
// Metrics for Parallel Performance Analysis", pop-coe.eu): global = parallel x computation scaling.
#ifndef OMPPROF_PROFILER_ANALYZE_COMPARE_SCALING_H_
#define OMPPROF_PROFILER_ANALYZE_COMPARE_SCALING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/compare/diff.h"
#include "profiler/analyze/compare/noise.h"
#include "profiler/analyze/compare/run_figures.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// Thread time beyond the work at the fewest threads.
enum class ScalingPart {
  kInflation,  // work that grew; negative if it shrank
  kRuntime,    // in the OpenMP runtime, not waiting; sampled
  kBarriers,
  kTasks,
  kLocks,
  kDevices,
  kIdle,  // workers while the program was serial
  kReady,
  kBlocked,
  kMpi,
  kLibraries,
  kOwn,
};
inline constexpr size_t kScalingParts = 12;

// "work inflation", "at barriers", "ready without a processor"; ShortTitle: a column's title, "inflation".
const char* ScalingPartTitle(ScalingPart part);
const char* ScalingPartShortTitle(ScalingPart part);

// Nanoseconds of thread time, by ScalingPart.
struct ScalingParts : std::array<double, kScalingParts> {
  ScalingParts() { fill(0); }
  double& operator[](ScalingPart part) { return at(static_cast<size_t>(part)); }
  double operator[](ScalingPart part) const { return at(static_cast<size_t>(part)); }
  double sum() const;
};

// A region in one run, or the mean over runs.
struct RegionTimes {
  double elapsed_ns = 0;  // wall time; 0: the region did not run
  double work_ns = 0;     // useful thread time outside the runtime
  ScalingParts parts;     // without kInflation
};

struct RunRegion {
  std::string name;  // "relax [omp parallel stencil.c:40]"
  std::string file;
  uint32_t line = 0;
  RegionTimes times;
};

// What is kept of a run.
struct ScalingRun {
  std::string why_not;    // a sentence, if the run has no such figures; the other members then mean nothing
  uint32_t threads = 0;   // Efficiency::threads
  uint32_t asked = 0;     // OMP_NUM_THREADS; 0: not set
  double processors = 0;  // that the run's threads could use at a time; 0: not known
  bool bound = false;     // to fewer processors than the process could use
  double wall_ns = 0;
  double work_ns = 0;  // useful thread time outside the runtime
  ScalingParts parts;  // without kInflation. With work_ns, they add up to threads x wall_ns
  std::vector<RunRegion> regions;
  FunctionFigures serial;  // SerialPart::most: name, file and declaration; without a name, no function is
  RunFigures functions;
  RunFigures lines;  // `functions` has a row for each line: its function's name, and `line`
};

// `symbolizer` may be null: see FindSerialPart.
ScalingRun MeasureScalingRun(const View& view, const model::Symbolizer* symbolizer);

// All runs with one number of threads, as means.
struct ScalingPoint {
  uint32_t threads = 0;
  size_t runs = 0;
  double processors = 0;  // the fewest of these runs; 0: not known
  bool bound = false;     // ScalingRun::bound, of any of these runs
  double wall_ns = 0;
  double wall_margin_ns = -1;  // at 95 %, from the differences between the runs; negative: not known
  double speedup = 1;          // over the point with the fewest threads
  double work_ns = 0;          // of the point with the fewest threads
  ScalingParts parts;

  double thread_ns() const { return threads * wall_ns; }
  // Useful time, the runtime's work included.
  double useful_ns() const { return work_ns + parts[ScalingPart::kInflation] + parts[ScalingPart::kRuntime]; }
  double parallel_efficiency() const { return thread_ns() > 0 ? useful_ns() / thread_ns() : 0; }
  bool has_processors() const { return processors == 0 || threads <= processors; }
};

struct RegionScaling {
  std::string name;
  std::string file;
  uint32_t line = 0;
  std::vector<RegionTimes> times;  // by point, means over its runs
  double inflation_ns = 0;         // at the last judged point, thread time
  double gain_ns = 0;              // wall time that the last judged point would save, were the region's speed ideal
  size_t best = 0;                 // the judged point at which the region takes the least time
};

// The wall time with more threads than were judged.
struct Extrapolation {
  std::string why_not;  // a sentence without its full stop; the other members then mean nothing
  uint32_t threads = 0;
  // Amdahl's law, with the serial part and the work inflation for each thread that the last judged point has. What else
  // is lost keeps its share.
  double amdahl_ns = 0;
  // The Universal Scalability Law: wall(n) = wall(1) (1 + s (n - 1) + k n (n - 1)) / n. It is fitted to all judged
  // runs. The margin is the 95 % interval of one run. Source: Gunther, "Guerrilla Capacity Planning", 2007.
  double law_ns = 0;
  double law_margin_ns = 0;
};

struct Scaling {
  std::vector<ScalingPoint> points;  // by number of threads
  // The first `judged` points had a processor for each thread. What is said of speed is said of these. 0 or 1: nothing
  // can be said.
  size_t judged = 0;
  size_t best = 0;                      // the judged point with the least wall time
  size_t end = 0;                       // the first judged point than which none is faster beyond chance
  size_t enough = 0;                    // the first judged point within kNearlyBest of the best
  std::set<uint32_t> refused;           // numbers of threads that runs were asked for, and had another
  std::vector<RegionScaling> regions;   // by gain, descending
  FunctionFigures serial;               // ScalingRun::serial, of the last judged point
  std::vector<FunctionDiff> functions;  // from the first point to the last judged, own CPU time; by growth, descending.
  std::vector<FunctionDiff> lines;      // Code that grew, without frames that are no code

  const ScalingPoint& first() const { return points[0]; }
  const ScalingPoint& last_judged() const { return points[judged == 0 ? 0 : judged - 1]; }
  // Whether other programs took so much of the processors that speeds mean nothing.
  bool is_disturbed() const;
  // Whether the point is faster than `other` beyond chance: by the runs' differences, or where each has one run by more
  // than times usually differ.
  bool IsFaster(size_t point, size_t other) const;
};

inline constexpr double kNearlyBest = 0.05;

// `runs`: as for MeasureScaling. Refused where the runs do not carry it: fewer than three judged points, fewer than two
// runs beyond that, a disturbed machine, or an interval of more than half of the time.
Extrapolation Extrapolate(const Scaling& scaling, const std::vector<ScalingRun>& runs, uint32_t threads);

// `runs`: at least one, all with figures.
Scaling MeasureScaling(const std::vector<ScalingRun>& runs);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COMPARE_SCALING_H_
