// `ompprof scale`: how speed changes with the number of threads, and why.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_SCALING_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_SCALING_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/compare/scaling.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

struct ScalingOptions {
  std::string command;                   // the program, for the first line
  std::string profile;                   // a profile of the last judged point, for the commands that the text names
  analyze::Extrapolation extrapolation;  // threads 0: none is wanted
  size_t limit = 5;                      // rows of each table of code
  bool full_names = false;
  Style style = {};
};

// Sentences first: where scaling ends, why, and what to do. Then the tables.
std::string ScalingText(const analyze::Scaling& scaling, const ScalingOptions& options);

// One object, with a newline at its end.
std::string ScalingJson(const analyze::Scaling& scaling, const ScalingOptions& options);

// A row for each number of threads, times in nanoseconds of thread time.
std::string ScalingCsv(const analyze::Scaling& scaling);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_SCALING_H_
