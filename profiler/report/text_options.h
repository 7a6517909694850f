// What a text report shows, and how. The command line fills it in; each section reads what concerns it.
#ifndef OMPPROF_PROFILER_REPORT_TEXT_OPTIONS_H_
#define OMPPROF_PROFILER_REPORT_TEXT_OPTIONS_H_

#include <cstddef>
#include <optional>
#include <regex>

#include "profiler/analyze/breakdown.h"
#include "profiler/analyze/cost.h"
#include "profiler/report/style.h"

namespace ompprof::report {

struct TextOptions {
  // Sections. None of them: the first screen, which has states, regions and functions.
  bool tree = false;
  bool top = false;
  bool threads = false;
  bool states = false;
  bool regions = false;
  bool blame = false;
  bool waits = false;
  bool advice = false;
  bool locks = false;
  bool ranks = false;
  std::optional<std::regex> peek;        // functions, by name
  std::optional<analyze::Dimension> by;  // functions broken down

  analyze::Metric metric = analyze::Metric::kWeight;  // of functions, tree and peek
  bool paths = false;                                 // with `regions`: by call path as well
  bool full_names = false;                            // C++ names with parameters and template arguments
  bool lines = false;                                 // tell a function's lines apart
  double min_percent = 0.5;                           // of all time; what has less is left out of the tree
  size_t limit = 0;                                   // rows of each table, 0: as many as suit the section
  bool filtered = false;  // the view's samples were filtered: shares are still of the whole profile
  Style style;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TEXT_OPTIONS_H_
