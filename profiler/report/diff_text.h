// The comparison of two profiles for a terminal: run, functions, regions and states, by absolute change. `ompprof diff`
// prints it.
#ifndef OMPPROF_PROFILER_REPORT_DIFF_TEXT_H_
#define OMPPROF_PROFILER_REPORT_DIFF_TEXT_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/compare/diff.h"
#include "profiler/report/style.h"

namespace ompprof::report {

struct DiffTextOptions {
  bool nanoseconds = true;            // the unit of samples' weights
  std::string measured = "CPU time";  // the quantity in the weights
  bool full_names = false;
  size_t limit = 20;  // rows of each table
  Style style = {};
};

// `before` and `after` describe the compared profiles, a line each.
std::string DiffText(const analyze::Diff& diff, const std::string& before, const std::string& after,
                     const DiffTextOptions& options);

// "+1.20 s", "-830.00 ms": a change of sampled weight.
std::string SignedWeight(double change, bool nanoseconds);

// "+12.3 %"; empty if the figure was 0 before.
std::string SignedPercent(const analyze::Difference& difference);

// "slower" or "faster" (for events, "more" or "fewer"). "?" if the noise is not known; empty within noise.
std::string VerdictName(analyze::Verdict verdict, bool nanoseconds);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DIFF_TEXT_H_
