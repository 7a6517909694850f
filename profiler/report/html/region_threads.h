// What each row of threads did in each parallel region, who came last to its barriers, and where its threads waited.
#ifndef OMPPROF_PROFILER_REPORT_HTML_REGION_THREADS_H_
#define OMPPROF_PROFILER_REPORT_HTML_REGION_THREADS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/report/html/thread_rows.h"
#include "profiler/report/html/time_class.h"

namespace ompprof::report {

struct LastArriver {
  std::string thread;
  std::string at;      // the barrier's place
  uint64_t count = 0;  // how often it came last
  uint64_t by_ns = 0;  // by how much after the one before it, in all
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
  std::vector<uint64_t> useful;                              // by row: sampled weight there, waiting left out
  std::vector<uint64_t> wait_ns;                             // by row; exact
  std::map<TimeClass, std::vector<uint64_t>> wait_by_class;  // what it is made of
  std::vector<LastArriver> last;                             // by how much, descending; not all where there are many
  std::vector<RegionWait> waits;                             // by time, descending; likewise
};

// One for each of view.regions. Regions nested in one are not of it here.
std::vector<RegionThreads> BuildRegionThreads(const analyze::View& view, const ThreadRows& rows);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_REGION_THREADS_H_
