// Regions: the figures of each parallel construct.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_REGIONS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_REGIONS_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// The first screen's table: the time of each region. This text and the texts below are empty if the view has no region.
std::string RegionsText(const analyze::View& view, const TextOptions& options);

// The losses and the potential gains of each region.
std::string RegionLossesText(const analyze::View& view, uint64_t duration_ns, const TextOptions& options);

// Each region by the call path that reaches it.
std::string TargetsText(const analyze::View& view, const TextOptions& options);

std::string RegionPathsText(const analyze::View& view, const TextOptions& options);

// Writes the member "regions".
void JsonRegions(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_REGIONS_H_
