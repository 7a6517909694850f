// What events counted (`record --count`), as JSON.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_COUNTS_JSON_H_
#define OMPPROF_PROFILER_REPORT_BASICS_COUNTS_JSON_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {

// An object: the counts by the events' names.
inline void JsonCounts(const analyze::View& view, const analyze::Counts& counts, JsonWriter* json) {
  json->BeginObject();
  for (const analyze::CountedEvent& event : view.counted) json->Member(event.name, counts[event.at]);
  json->EndObject();
}

// The members `counts` and `ipc` of the open object; none if nothing was counted.
inline void JsonCountMembers(const analyze::View& view, const analyze::Counts& counts, JsonWriter* json) {
  if (view.counted.empty()) return;
  json->Key("counts");
  JsonCounts(view, counts, json);
  if (const auto ipc = analyze::Ipc(view.counted, counts)) json->Member("ipc", *ipc);
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_COUNTS_JSON_H_
