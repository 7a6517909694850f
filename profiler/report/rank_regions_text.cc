#include "profiler/report/rank_regions_text.h"

#include <algorithm>
#include <set>

#include "profiler/report/columns/rank_region_columns.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/names_text.h"
#include "profiler/report/style.h"

namespace ompprof::report {
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

}  // namespace ompprof::report
