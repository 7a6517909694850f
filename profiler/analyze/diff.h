// Two profiles compared: what became slower or faster, and which of it is more than chance. `ompprof diff` shows it.
//
// A change is beyond noise if the two sides differ by more than chance would make them differ in one of twenty
// comparisons of the whole table: with m rows, each is tested at a level of 0.05 / m (Bonferroni).
#ifndef OMPPROF_PROFILER_ANALYZE_DIFF_H_
#define OMPPROF_PROFILER_ANALYZE_DIFF_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/run_figures.h"

namespace ompprof::analyze {

enum class Verdict {
  kUnknown,  // the figures do not say how much they vary
  kNoise,    // within what chance alone does
  kMore,
  kLess,
};

// A figure on both sides, means over each side's runs.
struct Change {
  double before = 0;
  double after = 0;
  double margin = -1;  // the 95 % interval of the change is change() - margin to change() + margin; negative: not known
  Verdict verdict = Verdict::kUnknown;

  double change() const { return after - before; }
  bool beyond_noise() const { return verdict == Verdict::kMore || verdict == Verdict::kLess; }
  // Relative to before: 0.25 is 25 % more. 0 where before is 0.
  double relative() const { return before == 0 ? 0 : change() / before; }
};

struct FunctionChange {
  std::string name;  // after, or before where it is gone
  std::string file;
  uint32_t line_before = 0;  // of constructs
  uint32_t line_after = 0;
  bool is_before = false;  // that side has it
  bool is_after = false;
  Change self;   // sampled
  Change total;  // sampled
};

struct StateChange {
  std::string name;
  Change cpu;   // sampled
  Change wait;  // exact
};

struct RegionChange {
  std::string name;
  std::string file;
  uint32_t line_before = 0;
  uint32_t line_after = 0;
  bool is_before = false;
  bool is_after = false;
  Change cpu;      // sampled
  Change elapsed;  // exact
  Change wait;     // exact
};

struct Diff {
  size_t runs_before = 0;
  size_t runs_after = 0;
  Change wall;  // exact; its noise is known only of several runs
  Change cpu;   // sampled
  // By absolute change of CPU time (self, of functions; of states or waiting, whichever is more), descending.
  std::vector<FunctionChange> functions;
  std::vector<StateChange> states;
  std::vector<RegionChange> regions;
};

// Functions are the same if name and file are. Constructs of one function are paired in the order of their lines; where
// one side has more of them, so that the lines differ least.
Diff Compare(const std::vector<RunFigures>& before, const std::vector<RunFigures>& after);

// Pairs all of the shorter list with elements of the longer one, in order, with the least sum of distances. Both are
// sorted. Indices into `a` and `b`.
std::vector<std::pair<size_t, size_t>> PairLines(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

// A construct's name without its line: "solve [omp parallel]" of "solve [omp parallel solve.c:12]". Other names as they
// are.
std::string WithoutPlace(const std::string& name);

// What became slower beyond noise and by more than `percent` of what it was.
struct Regression {
  std::string what;  // "CPU time", "function relax (solve.c)"
  Change change;
};

// Of the whole run's CPU time, of its wall time where several runs tell how that varies, and of the functions' own and
// the regions' CPU time where both sides have them and it is at least a hundredth of the run: what moved to a function
// of another name is not slower by itself. `measured`: what is called CPU time here, as weights may be of another kind.
std::vector<Regression> FindRegressions(const Diff& diff, double percent, const std::string& measured = "CPU time");

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_DIFF_H_
