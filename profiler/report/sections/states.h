// The text report's tables of OpenMP states and of threads.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_STATES_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_STATES_H_

#include <string>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// The first screen's table: sampled time by state.
std::string StatesText(const analyze::View& view, const analyze::Summary& summary, const TextOptions& options);

// Sampled time and exact waiting by state, for all threads and for each.
std::string StatesByThreadText(const analyze::View& view, const TextOptions& options);

// Each thread with its activities.
std::string ThreadsText(const analyze::View& view, const analyze::Summary& summary, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_STATES_H_
