// The text report's tables of parallel regions.
#ifndef OMPPROF_PROFILER_REPORT_REGIONS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_REGIONS_TEXT_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// The first screen's: what each region takes. Empty if there is none, as with the others.
std::string RegionsText(const analyze::View& view, const TextOptions& options);

// What each region loses, and what could be gained.
std::string RegionLossesText(const analyze::View& view, uint64_t duration_ns, const TextOptions& options);

// Each region by the call path that reaches it.
std::string RegionPathsText(const analyze::View& view, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_REGIONS_TEXT_H_
