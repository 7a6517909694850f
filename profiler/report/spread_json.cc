#include "profiler/report/spread_json.h"

#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/spread_columns.h"

namespace ompprof::report {

void SpreadJson(const analyze::View& view, JsonWriter* json) {
  if (view.job_figures.empty()) return;
  json->Key("spread");
  json->BeginArray();
  for (const analyze::JobFigure& figure : view.job_figures) {
    if (figure.histogram.empty()) continue;
    json->BeginObject();
    JsonMembers(SpreadColumns(), SpreadRow{view, figure}, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
