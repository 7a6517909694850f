#include "profiler/report/ranks_text.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "profiler/report/columns/rank_columns.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using analyze::RankCost;

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

}  // namespace

std::string RanksText(const analyze::Ranks& ranks, bool nanoseconds, size_t limit, const Style& style) {
  if (ranks.ranks.size() < 2) return "";
  const bool mpi =
      std::any_of(ranks.ranks.begin(), ranks.ranks.end(), [](const RankCost& rank) { return rank.mpi > 0; });
  RowsText<RankRow> table(RankColumns(), &Column<RankRow>::text, {nanoseconds, ""},
                          mpi ? std::set<std::string>() : std::set<std::string>{"mpi_cpu_ns"});
  const std::vector<bool> chosen = Chosen(ranks, limit);
  size_t left_out = 0;
  for (size_t i = 0; i < ranks.ranks.size(); ++i) {
    if (chosen[i])
      table.Add({ranks, ranks.ranks[i], nanoseconds});
    else
      ++left_out;
  }
  table.AddPart({{"rank", "max/mean - 1"},
                 {"duration_ns", Percent(ranks.Imbalance(&RankCost::duration_ns))},
                 {"cpu_ns", Percent(ranks.Imbalance(&RankCost::cpu_ns))},
                 {"useful_cpu_ns", Percent(ranks.Imbalance(&RankCost::useful))},
                 {"mpi_cpu_ns", Percent(ranks.Imbalance(&RankCost::mpi))},
                 {"wait_ns", Percent(ranks.Imbalance(&RankCost::wait_ns))}});

  const RankCost& busiest = ranks.Largest(&RankCost::useful);
  const bool named =
      std::any_of(ranks.ranks.begin(), ranks.ranks.end(), [](const RankCost& rank) { return !rank.rank.empty(); });
  std::string text =
      Title(style, std::string(named ? "Ranks" : "Processes") + " (useful: sampled, neither waiting nor idle" +
                       (mpi ? " nor in MPI" : "") + "; waiting: thread time in OpenMP, exact)") +
      table.Text(style);
  if (left_out > 0)
    text += Wrap("  ... and " + Count(left_out) + " between the most and the least useful (--ranks shows all)", 2,
                 style.width) +
            "\n";
  text += Wrap("  Imbalance across them " + Percent(ranks.Imbalance(&RankCost::useful)) + ": " + RankName(busiest) +
                   " has " + Weight(busiest.useful, nanoseconds) + " of useful time, the mean is " +
                   Weight(static_cast<uint64_t>(ranks.Mean(&RankCost::useful)), nanoseconds),
               2, style.width) +
          "\n";
  return text;
}

}  // namespace ompprof::report
