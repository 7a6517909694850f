// The outcome of `ompprof diff --fail-on-regression` for a continuous integration: JUnit XML, and the workflow commands
// of GitHub Actions.
#ifndef OMPPROF_PROFILER_REPORT_DIFF_DIFF_GATE_H_
#define OMPPROF_PROFILER_REPORT_DIFF_DIFF_GATE_H_

#include <string>
#include <vector>

#include "profiler/analyze/compare/diff.h"

namespace ompprof::report {

struct DiffGateOptions {
  double percent = -1;  // of --fail-on-regression; negative: nothing is a regression
  bool nanoseconds = true;
  std::string measured = "CPU time";  // as in DiffTextOptions
  std::string before = {};            // the compared profiles, for a person
  std::string after = {};
  std::string folder = {};  // annotations name files relative to this folder; empty: as they are
};

// One <testsuites> with a test case for each figure, a failure for each regression, and <skipped> for a figure whose
// noise is not known. The attributes are those of Jenkins' junit-10.xsd. Times are in seconds.
std::string DiffJunit(const std::vector<analyze::GatedFigure>& figures, const DiffGateOptions& options);

// "::error ..." for each regression, then "::warning ..." for each other figure that grew beyond noise: a line each.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
std::string DiffGithub(const std::vector<analyze::GatedFigure>& figures, const DiffGateOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DIFF_DIFF_GATE_H_
