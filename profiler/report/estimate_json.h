// The members that say of a sum whether it is estimated. Every JSON writer of sums of waits calls it.
#ifndef OMPPROF_PROFILER_REPORT_ESTIMATE_JSON_H_
#define OMPPROF_PROFILER_REPORT_ESTIMATE_JSON_H_

#include "profiler/analyze/cost.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// `estimated` and `ci95`, in nanoseconds, of the one sum that an object has.
inline void JsonEstimate(const analyze::Estimate& estimate, JsonWriter* json) {
  json->Member("estimated", estimate.any());
  json->Member("ci95", estimate.ci95_ns());
}

// The same of an object with `wait_ns`, `blame_ns` and `total_blame_ns`; nothing where all of them are exact.
inline void JsonEstimates(const analyze::Cost& self, const analyze::Cost& total, JsonWriter* json) {
  if (!total.wait_estimate().any() && !total.blame_estimate().any()) return;
  json->Member("estimated", true);
  json->Key("ci95");
  json->BeginObject();
  json->Member("wait_ns", self.wait_estimate().ci95_ns());
  json->Member("blame_ns", self.blame_estimate().ci95_ns());
  json->Member("total_blame_ns", total.blame_estimate().ci95_ns());
  json->EndObject();
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ESTIMATE_JSON_H_
