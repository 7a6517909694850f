#include "profiler/report/ranks_json.h"

#include "profiler/report/columns/rank_columns.h"
#include "profiler/report/columns/rank_region_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {

using analyze::RankCost;

namespace {

// Without a job, all figures are 0.
void Imbalances(const char* key, const analyze::Ranks& ranks, const analyze::RankedJob* job, JsonWriter* json) {
  const auto imbalance = [&](uint64_t RankCost::*figure) { return job == nullptr ? 0 : ranks.Imbalance(*job, figure); };
  json->Key(key);
  json->BeginObject();
  json->Member("duration", imbalance(&RankCost::duration_ns));
  json->Member("cpu", imbalance(&RankCost::cpu_ns));
  json->Member("useful", imbalance(&RankCost::useful));
  json->Member("mpi", imbalance(&RankCost::mpi));
  json->Member("wait", imbalance(&RankCost::wait_ns));
  json->EndObject();
}

void Jobs(const analyze::Ranks& ranks, JsonWriter* json) {
  json->Key("jobs");
  json->BeginArray();
  for (const analyze::RankedJob& job : ranks.jobs) {
    json->BeginObject();
    json->Member("job", job.number);
    json->Member("program", job.program);
    json->Member("ranks", uint64_t{job.count});
    json->Member("duration_ns", job.duration_ns);
    Imbalances("imbalance", ranks, &job, json);
    json->EndObject();
  }
  json->EndArray();
}

void Launchers(const analyze::Ranks& ranks, JsonWriter* json) {
  json->Key("launchers");
  json->BeginArray();
  for (const analyze::OtherProcess& other : ranks.others) {
    json->BeginObject();
    json->Member("program", other.program);
    json->Member("host", other.host);
    json->Member("process", other.pid);
    json->Member("cpu_ns", other.cpu_ns);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace

void RanksJson(const analyze::View& view, const analyze::Ranks& ranks, JsonWriter* json) {
  json->Key("ranks");
  json->BeginArray();
  for (const RankCost& rank : ranks.ranks) {
    json->BeginObject();
    JsonMembers(RankColumns(), RankRow{ranks, rank}, json);
    json->EndObject();
  }
  json->EndArray();
  json->Key("rank_regions");
  json->BeginArray();
  for (const analyze::RankRegion& region : ranks.regions) {
    json->BeginObject();
    JsonMembers(RankRegionColumns(), RankRegionRow{view, ranks, region}, json);
    json->EndObject();
  }
  json->EndArray();
  Imbalances("rank_imbalance", ranks, ranks.MainJob(), json);
  Jobs(ranks, json);
  Launchers(ranks, json);
}

}  // namespace ompprof::report
