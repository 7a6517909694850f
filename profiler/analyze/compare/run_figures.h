// The figures of one run, under names that another build of the program has too. A comparison takes two lists of
// RunFigures.
#ifndef OMPPROF_PROFILER_ANALYZE_COMPARE_RUN_FIGURES_H_
#define OMPPROF_PROFILER_ANALYZE_COMPARE_RUN_FIGURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/compare/noise.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// A function, or a construct ("solve [omp parallel solve.c:12]").
struct FunctionFigures {
  std::string name;
  std::string file;   // the last part of the path, because another build may lie elsewhere
  uint32_t line = 0;  // of a construct; 0 for other functions
  Amount self;        // sampled
  Amount total;
  std::string path = {};  // the whole path of `file`, in this build
  uint32_t declared = 0;  // the line of the declaration, or of the construct; 0: not known
};

struct StateFigures {
  std::string name;  // see StateName
  Amount cpu;        // sampled
  Amount wait;       // exact
};

// A parallel region, or a target construct.
struct RegionFigures {
  std::string name;
  std::string file;
  uint32_t line = 0;
  Amount cpu;      // sampled
  Amount elapsed;  // exact, wall time
  Amount wait;     // exact, thread time in its barriers, locks and taskwaits; of a target construct: for the device
  std::string path = {};  // the whole path of `file`
  uint32_t declared = 0;  // as `line`
};

struct RunFigures {
  Amount wall;  // exact; one run does not tell the variance
  Amount cpu;   // sampled: the weight of all samples
  std::vector<FunctionFigures> functions;
  std::vector<StateFigures> states;
  std::vector<RegionFigures> regions;
};

RunFigures MeasureRun(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COMPARE_RUN_FIGURES_H_
