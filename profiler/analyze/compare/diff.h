// Compares two profiles: which things became slower or faster, and which differences exceed chance. `ompprof diff`
// shows the result.
//
// A difference is beyond noise if chance makes a table contain such a difference in fewer than one of twenty
// comparisons. With m rows, each row is tested at the significance level 0.05 / m (Bonferroni).
#ifndef OMPPROF_PROFILER_ANALYZE_COMPARE_DIFF_H_
#define OMPPROF_PROFILER_ANALYZE_COMPARE_DIFF_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/compare/run_figures.h"

namespace ompprof::analyze {

enum class Verdict {
  kUnknown,  // the variance of the figures is not known
  kNoise,    // chance alone may cause the difference
  kMore,
  kLess,
};

// A figure on both sides, as the mean over each side's runs, with the noise of the difference.
struct Difference {
  double before = 0;
  double after = 0;
  double margin = -1;  // the 95 % interval of the change is change() - margin to change() + margin; negative: not known
  double variance = -1;  // of the change; negative: not known
  double degrees = 0;    // degrees of freedom of that variance; infinite: it does not come from the runs' differences
  Verdict verdict = Verdict::kUnknown;

  double change() const { return after - before; }
  bool beyond_noise() const { return verdict == Verdict::kMore || verdict == Verdict::kLess; }
  // Relative to `before`: 0.25 is 25 % more. 0 if `before` is 0.
  double relative() const { return before == 0 ? 0 : change() / before; }
};

struct FunctionDiff {
  std::string name;  // the name after, or before if the function is gone
  std::string file;
  std::string path;          // the whole path of `file`, likewise
  uint32_t declared = 0;     // the line of the declaration or construct, likewise
  uint32_t line_before = 0;  // of constructs
  uint32_t line_after = 0;
  bool is_before = false;  // whether that side has the function
  bool is_after = false;
  Difference self;   // sampled
  Difference total;  // sampled
};

struct StateDiff {
  std::string name;
  Difference cpu;   // sampled
  Difference wait;  // exact
};

struct RegionDiff {
  std::string name;
  std::string file;
  std::string path;
  uint32_t declared = 0;
  uint32_t line_before = 0;
  uint32_t line_after = 0;
  bool is_before = false;
  bool is_after = false;
  Difference cpu;      // sampled
  Difference elapsed;  // exact
  Difference wait;     // exact
};

struct Diff {
  size_t runs_before = 0;
  size_t runs_after = 0;
  Difference wall;  // exact; the noise is known only from several runs
  Difference cpu;   // sampled
  // By absolute change, descending. Functions: of their own CPU time. Regions: of CPU time. States: of CPU time or
  // waiting, whichever changed more.
  std::vector<FunctionDiff> functions;
  std::vector<StateDiff> states;
  std::vector<RegionDiff> regions;
};

// Pairs functions by name and file. Pairs the constructs of one function in the order of their lines. If one side has
// more constructs, the pairs with the least difference of lines are chosen.
Diff Compare(const std::vector<RunFigures>& before, const std::vector<RunFigures>& after);

// Pairs all elements of the shorter list with elements of the longer list, in order, with the least sum of distances.
// Both lists are sorted. Returns indices into `a` and `b`.
std::vector<std::pair<size_t, size_t>> PairLines(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

// A construct's name without its place: "solve [omp parallel]" for "solve [omp parallel solve.c:12]". Other names stay
// unchanged.
std::string WithoutPlace(const std::string& name);

// A figure that a comparison is tested by.
struct GatedFigure {
  FigureKind kind = FigureKind::kRun;  // or kFunction, kRegion
  std::string name;                    // "CPU time", "relax (solve.c)", "solve [omp parallel solve.c:12]"
  std::string path;  // of a function's or region's source file, as the debug information has it; empty: not known
  uint32_t line = 0;
  Difference difference;
  bool is_regression = false;

  // "CPU time", "function relax (solve.c)", "region solve [omp parallel solve.c:12]"
  std::string What() const;
  // Whether the noise is known. Only then can the figure be a regression.
  bool is_tested() const { return difference.variance >= 0; }
};

// The figures that a comparison is tested by, and of these as regressions: the figures that grew beyond noise and by
// more than `percent`. Tested are the run's CPU time, the run's wall time if several runs tell its variance, and the
// CPU time of functions (own) and regions. Functions and regions are tested only if both sides have them, because time
// may just have moved to another name. They must also take a hundredth of the run. Frames that are no code, such as
// <omp overhead>, are not tested. `measured` names the samples' weights, which may be another quantity than CPU time.
//
// Equal programs give a regression in fewer than one of 100 comparisons, whatever `percent` is (Bonferroni). The
// variance that a few runs give is doubtful. That of a function or region is taken to be no less than the median
// relative variance of all of them, which counts as further degrees of freedom. So four runs on each side find 10 %
// with a probability of 95 % if wall times vary by 1.5 % from run to run, and functions by 1 %.
std::vector<GatedFigure> TestFigures(const Diff& diff, double percent, const std::string& measured = "CPU time");

// The regressions among `figures`.
std::vector<GatedFigure> RegressionsOf(const std::vector<GatedFigure>& figures);

// The regressions of TestFigures.
std::vector<GatedFigure> FindRegressions(const Diff& diff, double percent, const std::string& measured = "CPU time");

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COMPARE_DIFF_H_
