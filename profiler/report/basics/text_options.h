// The options of a text report. The command line sets them, and each section reads its own options.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_TEXT_OPTIONS_H_
#define OMPPROF_PROFILER_REPORT_BASICS_TEXT_OPTIONS_H_

#include <cstddef>
#include <optional>

#include "profiler/analyze/account/breakdown.h"
#include "profiler/analyze/view/cost.h"
#include "profiler/analyze/view/name_pattern.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

struct TextOptions {
  // The sections. Without any: the first screen.
  bool full = false;  // the most important sections
  bool tree = false;
  bool top = false;
  bool threads = false;
  bool states = false;
  bool regions = false;
  bool blame = false;
  bool waits = false;
  bool advice = false;
  bool locks = false;
  bool devices = false;
  bool ranks = false;
  std::optional<analyze::NamePattern> peek;  // functions, by name
  std::optional<analyze::Dimension> by;      // the dimension for functions

  analyze::Metric metric = analyze::Metric::kWeight;  // for functions, tree and peek
  bool paths = false;                                 // with `regions`: regions by call path too
  bool full_names = false;                            // C++ names with parameters and template arguments
  bool raw = false;                                   // OMPT's own names of states
  bool lines = false;                                 // a row for each line of a function
  bool no_fold = false;                               // trees and paths show each call of a recursion
  double min_percent = 0.5;                           // of all time; the tree leaves smaller functions out
  size_t limit = 0;                                   // rows of each table; 0: the section's default
  bool filtered = false;                              // samples were filtered; shares still refer to the whole profile
  Style style;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_TEXT_OPTIONS_H_
