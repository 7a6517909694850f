#include "profiler/report/ranks_json.h"

#include "profiler/report/columns/rank_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {

using analyze::RankCost;

void RanksJson(const analyze::Ranks& ranks, JsonWriter* json) {
  json->Key("ranks");
  json->BeginArray();
  for (const RankCost& rank : ranks.ranks) {
    json->BeginObject();
    JsonMembers(RankColumns(), RankRow{ranks, rank}, json);
    json->EndObject();
  }
  json->EndArray();
  json->Key("rank_imbalance");
  json->BeginObject();
  json->Member("duration", ranks.Imbalance(&RankCost::duration_ns));
  json->Member("cpu", ranks.Imbalance(&RankCost::cpu_ns));
  json->Member("useful", ranks.Imbalance(&RankCost::useful));
  json->Member("mpi", ranks.Imbalance(&RankCost::mpi));
  json->Member("wait", ranks.Imbalance(&RankCost::wait_ns));
  json->EndObject();
}

}  // namespace ompprof::report
