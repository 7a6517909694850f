#include "profiler/report/sections/ranks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/style.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/rank_columns.h"
#include "profiler/report/columns/rank_region_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"

namespace ompprof::report {
namespace {

using analyze::RankCost;

constexpr size_t kOtherPrograms = 8;  // by name

// The rows to show, in order of rank.
std::vector<bool> Chosen(const analyze::Ranks& ranks, size_t limit) {
  const size_t count = ranks.ranks.size();
  if (limit == 0 || count <= limit) return std::vector<bool>(count, true);
  std::vector<size_t> by_useful(count);
  for (size_t i = 0; i < count; ++i) by_useful[i] = i;
  std::stable_sort(by_useful.begin(), by_useful.end(),
                   [&](size_t a, size_t b) { return ranks.ranks[a].useful > ranks.ranks[b].useful; });
  std::vector<bool> chosen(count, false);
  for (size_t i = 0; i < limit; ++i) chosen[by_useful[i % 2 == 0 ? i / 2 : count - 1 - i / 2]] = true;
  return chosen;
}

bool Any(const analyze::Ranks& ranks, bool (*holds)(const RankCost&)) {
  return std::any_of(ranks.ranks.begin(), ranks.ranks.end(), holds);
}

// The columns that say nothing about these ranks.
std::set<std::string> Empty(const analyze::Ranks& ranks) {
  std::set<std::string> empty;
  if (!Any(ranks, [](const RankCost& rank) { return rank.mpi > 0; })) empty.insert("mpi_cpu_ns");
  if (!Any(ranks, [](const RankCost& rank) { return rank.off_cpu_ns > 0; })) empty.insert("off_cpu_ns");
  if (!Any(ranks, [](const RankCost& rank) { return rank.threads > 1; })) empty.insert("thread_imbalance");
  if (ranks.jobs.size() < 2 || ranks.MainJob() == nullptr) empty.insert("job");
  return empty;
}

void AddImbalance(const analyze::Ranks& ranks, const analyze::RankedJob& job, RowsText<RankRow>* table) {
  table->AddPart({{"rank", "max/mean - 1"},
                  {"duration_ns", Percent(ranks.Imbalance(job, &RankCost::duration_ns))},
                  {"cpu_ns", Percent(ranks.Imbalance(job, &RankCost::cpu_ns))},
                  {"useful_cpu_ns", Percent(ranks.Imbalance(job, &RankCost::useful))},
                  {"mpi_cpu_ns", Percent(ranks.Imbalance(job, &RankCost::mpi))},
                  {"wait_ns", Percent(ranks.Imbalance(job, &RankCost::wait_ns))}});
}

// "; within them 4.0 % on average, at most 9.1 % (rank 2)". Empty if no rank has several threads.
std::string WithinText(const analyze::Ranks& ranks, const analyze::RankedJob& job) {
  double sum = 0;
  const RankCost* most = nullptr;
  for (size_t i = job.first; i < job.first + job.count; ++i) {
    const RankCost& rank = ranks.ranks[i];
    const double within = analyze::Ranks::ThreadImbalance(rank);
    sum += within;
    if (rank.threads > 1 && (most == nullptr || within > analyze::Ranks::ThreadImbalance(*most))) most = &rank;
  }
  if (most == nullptr) return "";
  return "; within them " + Percent(sum / static_cast<double>(job.count)) + " on average, at most " +
         Percent(analyze::Ranks::ThreadImbalance(*most)) + " (" + RankName(*most) + ")";
}

std::string ImbalanceText(const analyze::Ranks& ranks, const analyze::RankedJob& job, bool nanoseconds,
                          const Style& style) {
  const RankCost& busiest = ranks.Largest(job, &RankCost::useful);
  const std::string across = ranks.jobs.size() < 2 ? "across them" : "across job " + std::to_string(job.number);
  return Sentence(style, "Imbalance " + across + " " + Percent(ranks.Imbalance(job, &RankCost::useful)) + ": " +
                             RankName(busiest) + " has " + Weight(busiest.useful, nanoseconds) +
                             " of useful time, the mean is " +
                             Weight(static_cast<uint64_t>(ranks.Mean(job, &RankCost::useful)), nanoseconds) +
                             WithinText(ranks, job));
}

// "3 others, not counted in the table: mpirun, sh (2)".
std::string OthersText(const analyze::Ranks& ranks, const Style& style) {
  if (ranks.others.empty()) return "";
  std::map<std::string, size_t> programs;
  for (const analyze::OtherProcess& other : ranks.others) ++programs[other.program];
  std::string names;
  size_t shown = 0;
  for (const auto& [program, count] : programs) {
    if (shown++ == kOtherPrograms) break;
    names += (names.empty() ? "" : ", ") + Printable(program) + (count > 1 ? " (" + Count(count) + ")" : "");
  }
  if (programs.size() > kOtherPrograms) names += ", ...";
  return Sentence(style, Count(ranks.others.size()) + (ranks.others.size() == 1 ? " other" : " others") +
                             ", not counted in the table: " + names);
}

}  // namespace

std::string RanksText(const analyze::Ranks& ranks, bool nanoseconds, size_t limit, const Style& style) {
  if (ranks.ranks.empty() || ranks.ranks.size() + ranks.others.size() < 2) return "";
  const std::set<std::string> empty = Empty(ranks);
  RowsText<RankRow> table(RankColumns(), &Column<RankRow>::text, {nanoseconds, ""}, empty);
  const std::vector<bool> chosen = Chosen(ranks, limit);
  size_t left_out = 0;
  std::string imbalances;
  for (const analyze::RankedJob& job : ranks.jobs) {
    size_t shown = 0;
    for (size_t i = job.first; i < job.first + job.count; ++i) {
      if (!chosen[i]) continue;
      table.Add({ranks, ranks.ranks[i], nanoseconds});
      ++shown;
    }
    left_out += job.count - shown;
    if (job.count < 2 || shown == 0) continue;
    AddImbalance(ranks, job, &table);
    imbalances += ImbalanceText(ranks, job, nanoseconds, style);
  }
  const bool named = Any(ranks, [](const RankCost& rank) { return !rank.rank.empty(); });
  std::string text =
      Title(style, std::string(named ? "Ranks" : "Processes") + " (useful: sampled, neither waiting nor idle" +
                       (empty.count("mpi_cpu_ns") == 0 ? " nor in MPI" : "") +
                       "; waiting: thread time in OpenMP, exact)") +
      table.Text(style);
  if (left_out > 0)
    text += Sentence(
        style, "... and " + Count(left_out) + " between the most and the least useful (--ranks --limit=0 shows all)");
  return text + OthersText(ranks, style) + imbalances;
}

namespace {

constexpr size_t kUsualRegions = 20;

}  // namespace

std::string RankRegionsText(const analyze::View& view, const analyze::Ranks& ranks, const TextOptions& options) {
  if (ranks.regions.empty()) return "";
  const bool mpi =
      std::any_of(ranks.ranks.begin(), ranks.ranks.end(), [](const analyze::RankCost& rank) { return rank.mpi > 0; });
  std::set<std::string> empty;
  if (!mpi) empty = {"others_mpi_cpu_ns", "most_mpi_rank"};
  if (ranks.regions.front().job == ranks.regions.back().job) empty.insert("job");
  RowsText<RankRegionRow> table(RankRegionColumns(), &Column<RankRegionRow>::text, WeighingOf(view), empty);
  const size_t rows = std::min(ranks.regions.size(), options.limit == 0 ? kUsualRegions : options.limit);
  for (size_t i = 0; i < rows; ++i) table.Add({view, ranks, ranks.regions[i], &options});
  std::string text =
      Title(options.style,
            "Regions and their late ranks (useful time: sampled; between: imbalance between ranks; within: "
            "between threads)") +
      table.Text(options.style) + Omitted(rows, ranks.regions.size(), "regions");
  if (mpi)
    text +=
        Sentence(options.style,
                 "Time in MPI is of the whole run. A profile does not tell for which rank the others waited there.");
  return text;
}

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
