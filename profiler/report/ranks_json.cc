#include "profiler/report/ranks_json.h"

#include "profiler/report/estimate_json.h"

namespace ompprof::report {

using analyze::RankCost;

void RanksJson(const analyze::Ranks& ranks, JsonWriter* json) {
  json->Key("ranks");
  json->BeginArray();
  for (const RankCost& rank : ranks.ranks) {
    json->BeginObject();
    json->Member("rank", rank.rank);
    json->Member("host", rank.host);
    json->Member("process", rank.pid);
    json->Member("processes", rank.processes);
    json->Member("threads", rank.threads);
    json->Member("duration_ns", rank.duration_ns);
    json->Member("cpu_ns", rank.cpu_ns);
    json->Member("useful_cpu_ns", rank.useful);
    json->Member("useful_samples", rank.useful_samples);
    json->Member("mpi_cpu_ns", rank.mpi);
    json->Member("wait_ns", rank.wait_ns);
    JsonEstimate(rank.wait_estimate, json);
    json->Member("efficiency", ranks.Efficiency(rank));
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
