// `ompprof diff`: changes in speed between two profiles.
#ifndef OMPPROF_PROFILER_REPORT_DIFF_DIFF_H_
#define OMPPROF_PROFILER_REPORT_DIFF_DIFF_H_

#include <cstddef>
#include <string>
#include <vector>

#include "profiler/analyze/compare/diff.h"
#include "profiler/report/basics/style.h"

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

// One object, with a newline at its end. `unit` is SamplingFacts::weight_unit.
std::string DiffJson(const analyze::Diff& diff, const std::string& unit,
                     const std::vector<analyze::GatedFigure>& regressions);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DIFF_DIFF_H_
