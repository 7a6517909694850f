#include "profiler/report/columns/rank_region_columns.h"

#include <algorithm>
#include <string>
#include <utility>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/rank_columns.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using RankRegionGroup = std::vector<Column<RankRegionRow>>;

constexpr char kNoRegion[] = "<no region>";

const analyze::RankCost& Late(const RankRegionRow& row) { return row.ranks.ranks[row.region.late]; }
const analyze::RankCost& MostInMpi(const RankRegionRow& row) { return row.ranks.ranks[row.region.most_mpi]; }

std::string Name(const RankRegionRow& row) {
  return row.region.construct == analyze::kNoFunction ? kNoRegion : row.view.frames.function(row.region.construct).name;
}

Cell NameCell(const RankRegionRow& row) {
  std::string name = NameText(row.view, row.region.construct, *row.options, kNoRegion);
  const Color color = NameColor(name);
  return {std::move(name), color};
}

// The region in all processes together; null: none, or its waits were not recorded.
const analyze::Region* MeasuredRegion(const RankRegionRow& row) {
  const auto& regions = row.view.regions;
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const analyze::Region& region) {
    return region.construct == row.region.construct && region.useful_ns > 0;
  });
  return row.region.construct == analyze::kNoFunction || found == regions.end() ? nullptr : &*found;
}

uint64_t Rounded(double weight) { return static_cast<uint64_t>(std::max(0.0, weight) + 0.5); }

double Imbalance(const RankRegionRow& row) {
  const double mean = row.ranks.Mean(row.region);
  return mean == 0 ? 0 : row.ranks.LateBy(row.region) / mean;
}

RankRegionGroup RankRegionIdentity() {
  return {
      {.key = "job",
       .heading = "job",
       .unit = Unit::kNumber,
       .value = [](const RankRegionRow& row) -> Value { return uint64_t{row.region.job}; },
       .text = {5},
       .page = 5,
       .meaning = "`ranks[].job`"},
      {.key = "name",
       .heading = "parallel region",
       .value = [](const RankRegionRow& row) -> Value { return Name(row); },
       .text = {90, 0, Fit::kShorten},
       .page = 10,
       .cell = NameCell,
       .meaning = "the parallel construct, as in `functions`; `<no region>`: all code outside of regions"},
  };
}

RankRegionGroup Lateness() {
  return {
      {.key = "late_rank",
       .heading = "late",
       .value = [](const RankRegionRow& row) -> Value { return Late(row).rank; },
       .text = {10},
       .page = 20,
       .cell = [](const RankRegionRow& row) -> Cell { return RankName(Late(row)); },
       .meaning = "the rank with the largest useful time in the region; empty: a process without a rank"},
      {.key = "late_process",
       .unit = Unit::kNumber,
       .value = [](const RankRegionRow& row) -> Value { return Late(row).pid; },
       .meaning = "pid of the late rank's first process"},
      {.key = "late_useful_cpu_ns",
       .heading = "useful",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return row.region.late_useful; },
       .text = {20},
       .page = 30,
       .meaning = "useful time of the late rank in the region, without regions nested in it"},
      {.key = "late_samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return row.region.late_samples; },
       .meaning = "the samples behind `late_useful_cpu_ns`"},
      {.key = "mean_useful_cpu_ns",
       .heading = "mean",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return Rounded(row.ranks.Mean(row.region)); },
       .text = {30},
       .page = 40,
       .meaning = "mean useful time of the job's ranks in the region"},
      {.key = "late_by_cpu_ns",
       .heading = "late by",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return Rounded(row.ranks.LateBy(row.region)); },
       .text = {40, 4},
       .page = 50,
       .meaning = "the late rank's useful time less the mean"},
  };
}

RankRegionGroup Imbalances() {
  return {
      {.key = "imbalance",
       .heading = "between",
       .unit = Unit::kShare,
       .from = From::kComputed,
       .value = [](const RankRegionRow& row) -> Value { return Imbalance(row); },
       .text = {50},
       .page = 60,
       .meaning = "imbalance between the ranks: maximum / mean of their useful time in the region, less 1"},
      {.key = "thread_imbalance",
       .heading = "within",
       .unit = Unit::kShare,
       .from = From::kExact,
       .value = [](const RankRegionRow& row) -> Value {
         const analyze::Region* region = MeasuredRegion(row);
         return region == nullptr ? Value() : Value(std::max(0.0, region->Imbalance()));
       },
       .text = {55, 2},
       .page = 65,
       .known = [](const RankRegionRow& row) { return MeasuredRegion(row) != nullptr; },
       .meaning = "imbalance between the threads of each team, in all ranks: `regions[].imbalance`"},
  };
}

Cell MostCell(const RankRegionRow& row) {
  const uint64_t mpi = MostInMpi(row).mpi;
  return mpi == 0 ? "" : RankName(MostInMpi(row)) + ": " + Weight(mpi, WeighsNanoseconds(row.view));
}

RankRegionGroup RankRegionMpi() {
  return {
      {.key = "mpi_cpu_ns",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return row.region.mpi; },
       .meaning = "time in MPI inside the region, of all ranks"},
      {.key = "others_mpi_cpu_ns",
       .heading = "others in MPI",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return row.region.others_mpi; },
       .text = {60},
       .page = 70,
       .meaning = "time in MPI of the other ranks in the whole run: not known for whom they waited there"},
      {.key = "most_mpi_rank",
       .heading = "most in MPI",
       .value = [](const RankRegionRow& row) -> Value { return MostInMpi(row).rank; },
       .text = {70, 1},
       .page = 80,
       .cell = MostCell,
       .meaning = "of the other ranks, the rank with most time in MPI"},
      {.key = "most_mpi_process",
       .unit = Unit::kNumber,
       .value = [](const RankRegionRow& row) -> Value { return MostInMpi(row).pid; },
       .meaning = "pid of that rank's first process"},
      {.key = "most_mpi_cpu_ns",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRegionRow& row) -> Value { return MostInMpi(row).mpi; },
       .meaning = "its time in MPI"},
  };
}

}  // namespace

const std::vector<Column<RankRegionRow>>& RankRegionColumns() {
  static const RankRegionGroup columns = AllOf({RankRegionIdentity(), Lateness(), Imbalances(), RankRegionMpi()});
  return columns;
}

}  // namespace ompprof::report
