// The arrays and objects of a region in JSON: useful times, loops, call paths.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_REGION_OBJECTS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_REGION_OBJECTS_H_

#include <vector>

#include "profiler/analyze/account/region_paths.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {

// Mean useful time of a thread, in nanoseconds; 0: not known.
double MeanUseful(const analyze::RunTotals& runs);

// Each writes a value.
void JsonUseful(const analyze::RunTotals& runs, JsonWriter* json);
void JsonLoops(const analyze::View& view, const analyze::Region& region, JsonWriter* json);
void JsonPaths(const analyze::View& view, const std::vector<analyze::RegionPath>& paths, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_REGION_OBJECTS_H_
