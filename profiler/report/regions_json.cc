#include "profiler/report/regions_json.h"

#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/report/columns/region_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/target_columns.h"

namespace ompprof::report {

void JsonRegions(const analyze::View& view, JsonWriter* json) {
  const std::vector<analyze::RegionPaths> paths = analyze::PathsOfRegions(view);
  const std::vector<analyze::RegionPath> none;
  json->Key("regions");
  json->BeginArray();
  for (size_t at = 0; at < view.regions.size(); ++at) {
    RegionRow row = RowOf(view, view.regions[at]);
    row.paths = at < paths.size() ? &paths[at].paths : &none;
    json->BeginObject();
    JsonMembers(RegionColumns(), row, json);
    json->EndObject();
  }
  for (const analyze::TargetConstruct& target : analyze::TargetConstructs(view)) {
    json->BeginObject();
    JsonMembers(TargetColumns(), TargetRow{view, target}, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
