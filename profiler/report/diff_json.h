// The comparison of two profiles as JSON: `ompprof diff --format=json`. README.md in this folder has the members.
#ifndef OMPPROF_PROFILER_REPORT_DIFF_JSON_H_
#define OMPPROF_PROFILER_REPORT_DIFF_JSON_H_

#include <string>
#include <vector>

#include "profiler/analyze/compare/diff.h"

namespace ompprof::report {

// One object, with a newline at its end. `unit` is SamplingFacts::weight_unit.
std::string DiffJson(const analyze::Diff& diff, const std::string& unit,
                     const std::vector<analyze::GatedFigure>& regressions);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DIFF_JSON_H_
