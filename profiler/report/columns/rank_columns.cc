#include "profiler/report/columns/rank_columns.h"

#include "profiler/report/basics/units.h"
#include "profiler/report/columns/estimate_columns.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using RankGroup = std::vector<Column<RankRow>>;

analyze::Estimate EstimateOf(const RankRow& row) { return row.rank.wait_estimate; }

Cell WhoCell(const RankRow& row) {
  std::string text = std::to_string(row.rank.pid) + " on " + Printable(row.rank.host);
  if (row.rank.processes > 1) text += " and " + std::to_string(row.rank.processes - 1) + " more";
  return text;
}

RankGroup RankIdentity() {
  return {
      {.key = "program",
       .heading = "program",
       .value = [](const RankRow& row) -> Value { return row.rank.program; },
       .text = {3, 0, Fit::kShorten},
       .page = 3,
       .meaning = "file name of the program"},
      {.key = "job",
       .heading = "job",
       .unit = Unit::kNumber,
       .value = [](const RankRow& row) -> Value { return uint64_t{row.rank.job}; },
       .text = {6},
       .page = 6,
       .meaning = "number of the job, from 1: processes of one program that ran at the same time"},
      {.key = "rank",
       .heading = "rank",
       .value = [](const RankRow& row) -> Value { return row.rank.rank; },
       .text = {10},
       .page = 10,
       .cell = [](const RankRow& row) -> Cell { return RankName(row.rank); },
       .meaning = "MPI rank as recorded; empty: none"},
      {.key = "host",
       .value = [](const RankRow& row) -> Value { return row.rank.host; },
       .meaning = "host of the rank's first process"},
      {.key = "process",
       .heading = "process",
       .unit = Unit::kNumber,
       .value = [](const RankRow& row) -> Value { return row.rank.pid; },
       .meaning = "pid of the rank's first process"},
      {.key = "who", .heading = "process", .text = {90, 4, Fit::kShorten}, .files = 0, .cell = WhoCell},
      {.key = "processes",
       .unit = Unit::kNumber,
       .value = [](const RankRow& row) -> Value { return uint64_t{row.rank.processes}; },
       .meaning = "number of the rank's processes: the first, and processes of its program that it started"},
      {.key = "threads",
       .heading = "threads",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const RankRow& row) -> Value { return uint64_t{row.rank.threads}; },
       .text = {70, 1},
       .page = 40,
       .meaning =
           "OpenMP threads that lived at a time. Without OMPT all threads; if the process uses MPI, those with at "
           "least 1 % of the busiest thread's CPU time, which MPI's own threads lack"},
  };
}

RankGroup RankFigures() {
  return {
      {.key = "duration_ns",
       .heading = "wall",
       .unit = Unit::kNs,
       .from = From::kClock,
       .value = [](const RankRow& row) -> Value { return row.rank.duration_ns; },
       .text = {20},
       .page = 20,
       .meaning = "wall time of the rank's longest process"},
      {.key = "cpu_ns",
       .heading = "CPU",
       .unit = Unit::kNs,
       .from = From::kClock,
       .value = [](const RankRow& row) -> Value { return row.rank.cpu_ns; },
       .text = {30},
       .page = 30,
       .meaning = "CPU time"},
      {.key = "useful_cpu_ns",
       .heading = "useful",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRow& row) -> Value { return row.rank.useful; },
       .text = {40},
       .page = 50,
       .meaning = "time not waiting, not idle, not in the OpenMP runtime and not in MPI"},
      {.key = "useful_samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const RankRow& row) -> Value { return row.rank.useful_samples; },
       .meaning = "the samples behind `useful_cpu_ns`"},
      {.key = "thread_imbalance",
       .heading = "within",
       .unit = Unit::kShare,
       .from = From::kComputed,
       .value = [](const RankRow& row) -> Value { return analyze::Ranks::ThreadImbalance(row.rank); },
       .text = {45, 3},
       .page = 55,
       .known = [](const RankRow& row) { return row.rank.threads > 1 && row.rank.useful > 0; },
       .meaning = "imbalance between the rank's threads: maximum / mean of their useful time, less 1; serial work of a "
                  "thread counts, because the other threads are idle meanwhile"},
  };
}

// Time that is not useful.
RankGroup Losses() {
  return {
      {.key = "mpi_cpu_ns",
       .heading = "in MPI",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RankRow& row) -> Value { return row.rank.mpi; },
       .text = {50},
       .page = 60,
       .meaning =
           "time in functions of MPI, mostly waiting for other ranks; a thread that sleeps there has no samples"},
      {.key = "off_cpu_ns",
       .heading = "off CPU",
       .unit = Unit::kNs,
       .from = From::kComputed,
       .value = [](const RankRow& row) -> Value { return row.rank.off_cpu_ns; },
       .text = {55, 2},
       .page = 65,
       .meaning = "thread time off the processor outside of OpenMP's waits: asleep in MPI or elsewhere, or ready to "
                  "run without "
                  "a processor; not useful; 0 with `--clock=wall`, whose samples contain sleep"},
      {.key = "wait_ns",
       .heading = "waiting",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RankRow& row) -> Value { return row.rank.wait_ns; },
       .text = {60},
       .page = 70,
       .estimate = EstimateOf,
       .meaning = "thread time of waits in OpenMP, inside regions"},
  };
}

RankGroup Efficiency() {
  return {
      {.key = "efficiency",
       .heading = "efficiency",
       .unit = Unit::kShare,
       .from = From::kComputed,
       .value = [](const RankRow& row) -> Value { return row.ranks.Efficiency(row.rank); },
       .text = {80},
       .page = 80,
       .known = [](const RankRow& row) { return row.nanoseconds; },
       .meaning = "`useful_cpu_ns` / (`threads` x the `duration_ns` of the job's longest rank); time without a "
                  "processor lowers it"},
  };
}

}  // namespace

const std::vector<Column<RankRow>>& RankColumns() {
  static const RankGroup columns =
      AllOf({RankIdentity(), RankFigures(), Losses(), EstimateColumns<RankRow, EstimateOf>("wait_ns"), Efficiency()});
  return columns;
}

std::string RankName(const analyze::RankCost& rank) {
  return rank.rank.empty() ? "process " + std::to_string(rank.pid) : "rank " + Printable(rank.rank);
}

}  // namespace ompprof::report
