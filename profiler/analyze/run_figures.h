// What one run comes to, figure by figure, under names that another build of the program has as well. Two lists of
// these are what a comparison is made from.
#ifndef OMPPROF_PROFILER_ANALYZE_RUN_FIGURES_H_
#define OMPPROF_PROFILER_ANALYZE_RUN_FIGURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/noise.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

// A function, or a construct ("solve [omp parallel solve.c:12]").
struct FunctionFigures {
  std::string name;
  std::string file;   // last part of its path: another build may lie elsewhere
  uint32_t line = 0;  // of a construct; else 0
  Amount self;        // sampled
  Amount total;
};

struct StateFigures {
  std::string name;  // see StateName
  Amount cpu;        // sampled
  Amount wait;       // exact
};

struct RegionFigures {
  std::string name;
  std::string file;
  uint32_t line = 0;
  Amount cpu;      // sampled
  Amount elapsed;  // exact, wall time
  Amount wait;     // exact, thread time in its barriers, locks and taskwaits
};

struct RunFigures {
  Amount wall;  // exact; how it varies is not known from one run
  Amount cpu;   // sampled: what all samples weigh
  std::vector<FunctionFigures> functions;
  std::vector<StateFigures> states;
  std::vector<RegionFigures> regions;
};

RunFigures MeasureRun(const View& view);

// Processes by run: those whose times overlap are of one run (ranks, children), others are runs of their own. In order
// of time.
std::vector<std::vector<const model::ProcessProfile*>> GroupRuns(
    const std::vector<const model::ProcessProfile*>& processes);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_RUN_FIGURES_H_
