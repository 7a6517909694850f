// The report for a terminal: what was profiled, where the time went by OpenMP state, by parallel region and by
// function. `ompprof report` prints it.
#ifndef OMPPROF_PROFILER_REPORT_TEXT_REPORT_H_
#define OMPPROF_PROFILER_REPORT_TEXT_REPORT_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/answers.h"
#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::report {

struct TextOptions {
  // Sections. None of them: the first screen, which has states, regions and functions.
  bool tree = false;
  bool top = false;
  bool threads = false;
  bool regions = false;
  bool blame = false;
  bool waits = false;
  bool advice = false;
  bool locks = false;
  bool ranks = false;

  bool full_names = false;   // C++ names with parameters and template arguments
  bool lines = false;        // tell a function's lines apart
  double min_percent = 0.5;  // of all time; what has less is left out of the tree
  size_t limit = 0;          // rows of each table, 0: as many as suit the section
  bool filtered = false;     // the view's samples were filtered: shares are still of the whole profile
};

// Without `answers` their sections are left out.
std::string TextReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const TextOptions& options, const analyze::Answers* answers = nullptr);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TEXT_REPORT_H_
