// Which stretch of a region on the initial thread made workers take part in it. The export for Perfetto draws an arrow
// for each.
#ifndef OMPPROF_PROFILER_REPORT_EXPORTS_REGION_FLOWS_H_
#define OMPPROF_PROFILER_REPORT_EXPORTS_REGION_FLOWS_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// A region on a thread's track. Times are in microseconds since the first process's start.
struct RegionSlice {
  uint32_t process;
  uint32_t thread;
  analyze::FunctionId region;
  uint64_t begin_us;
  uint64_t end_us;
};

struct RegionFlow {
  RegionSlice from;  // on the initial thread
  RegionSlice to;    // on the worker
  uint64_t at_us;    // the first time within both
};

// For each worker's slice, the slice of the same region on an initial thread that it overlaps most. Workers without
// such a slice get no flow. Regions within regions get none: their creator may be any thread, and samples do not tell.
// `slices`: in any order.
std::vector<RegionFlow> RegionFlows(const analyze::View& view, std::vector<RegionSlice> slices);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_EXPORTS_REGION_FLOWS_H_
