#include "profiler/report/ranks_text.h"

#include <algorithm>

#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using analyze::RankCost;
using Align = TextTable::Align;

std::string Name(const RankCost& rank) {
  return rank.rank.empty() ? "process " + std::to_string(rank.pid) : "rank " + Printable(rank.rank);
}

std::string Who(const RankCost& rank) {
  std::string text = std::to_string(rank.pid) + " on " + Printable(rank.host);
  if (rank.processes > 1) text += " and " + std::to_string(rank.processes - 1) + " more";
  return text;
}

// Which rows to show, in order of rank.
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
  std::vector<TextTable::Column> columns = {{"", Align::kLeft},
                                            {"wall", Align::kRight},
                                            {"CPU", Align::kRight},
                                            {"useful", Align::kRight},
                                            {"waiting", Align::kRight},
                                            {"threads", Align::kRight, TextTable::Fit::kKeep, 1},
                                            {"efficiency", Align::kRight},
                                            {"process", Align::kLeft, TextTable::Fit::kShorten}};
  if (mpi) columns.insert(columns.begin() + 4, {"in MPI", Align::kRight});
  TextTable table(columns);
  const std::vector<bool> chosen = Chosen(ranks, limit);
  const auto add = [&](std::vector<std::string> row, const std::string& in_mpi) {
    if (mpi) row.insert(row.begin() + 4, in_mpi);
    table.Add(std::move(row));
  };
  size_t left_out = 0;
  for (size_t i = 0; i < ranks.ranks.size(); ++i) {
    const RankCost& rank = ranks.ranks[i];
    if (!chosen[i]) {
      ++left_out;
      continue;
    }
    add({Name(rank), Duration(rank.duration_ns), Duration(rank.cpu_ns), Weight(rank.useful, nanoseconds),
         Measured(rank.wait_ns, rank.wait_estimate), std::to_string(rank.threads),
         nanoseconds ? Percent(ranks.Efficiency(rank)) : "-", Who(rank)},
        Weight(rank.mpi, nanoseconds));
  }
  add({"max/mean - 1", Percent(ranks.Imbalance(&RankCost::duration_ns)), Percent(ranks.Imbalance(&RankCost::cpu_ns)),
       Percent(ranks.Imbalance(&RankCost::useful)), Percent(ranks.Imbalance(&RankCost::wait_ns)), "", "", ""},
      Percent(ranks.Imbalance(&RankCost::mpi)));

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
  text += Wrap("  Imbalance across them " + Percent(ranks.Imbalance(&RankCost::useful)) + ": " + Name(busiest) +
                   " has " + Weight(busiest.useful, nanoseconds) + " of useful time, the mean is " +
                   Weight(static_cast<uint64_t>(ranks.Mean(&RankCost::useful)), nanoseconds),
               2, style.width) +
          "\n";
  return text;
}

}  // namespace ompprof::report
