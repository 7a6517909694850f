// The JSON members for estimated sums. Every JSON writer of sums of waits calls these functions.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_ESTIMATE_JSON_H_
#define OMPPROF_PROFILER_REPORT_BASICS_ESTIMATE_JSON_H_

#include "profiler/analyze/view/cost.h"
#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {

// Writes `estimated` and `ci95` (nanoseconds) for an object with one sum.
inline void JsonEstimate(const analyze::Estimate& estimate, JsonWriter* json) {
  json->Member("estimated", estimate.any());
  json->Member("ci95", estimate.ci95_ns());
}

// Writes these members for an object with `wait_ns`, `blame_ns` and `total_blame_ns`. Writes nothing if all three are
// exact.
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

#endif  // OMPPROF_PROFILER_REPORT_BASICS_ESTIMATE_JSON_H_
