// The work and waits of each row of threads in each region, the threads that came last to barriers, and the places of
// waits. The page's data contain them.
#ifndef OMPPROF_PROFILER_REPORT_HTML_REGION_THREADS_H_
#define OMPPROF_PROFILER_REPORT_HTML_REGION_THREADS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/html/thread_rows.h"
#include "profiler/report/html/time_class.h"

namespace ompprof::report {

struct LastArriver {
  std::string thread;
  std::string at;      // the barrier's place
  uint64_t count = 0;  // how often the thread came last
  uint64_t by_ns = 0;  // by how much after the previous thread, in total
};

struct RegionWait {
  std::string state;
  TimeClass time_class = TimeClass::kUnknown;
  std::string at;
  uint64_t count = 0;
  uint64_t wait_ns = 0;
  uint64_t max_ns = 0;
  analyze::Estimate estimate;  // of wait_ns
};

struct RegionThreads {
  std::vector<uint64_t> useful;                              // by row: sampled weight in the region, without waiting
  std::vector<uint64_t> samples;                             // by row: the number of samples behind it
  std::vector<uint64_t> wait_ns;                             // by row; exact
  std::map<TimeClass, std::vector<uint64_t>> wait_by_class;  // the parts of wait_ns, by row
  std::vector<LastArriver> last;                             // by by_ns, descending; the largest only
  std::vector<RegionWait> waits;                             // by wait_ns, descending; the largest only
};

// An entry for each of view.regions, without nested regions.
std::vector<RegionThreads> BuildRegionThreads(const analyze::View& view, const ThreadRows& rows);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_REGION_THREADS_H_
