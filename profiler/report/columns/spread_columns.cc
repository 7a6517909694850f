#include "profiler/report/columns/spread_columns.h"

#include <string>

#include "profiler/analyze/compare/jobs.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/value_text.h"

namespace ompprof::report {
namespace {

using analyze::FigureKind;
using analyze::FigureMetric;
using analyze::JobFigure;
using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using SpreadGroup = std::vector<Column<SpreadRow>>;

const char* KindName(FigureKind kind) {
  static const char* const kNames[] = {"unknown", "run", "path", "function", "region", "state", "wait", "lock"};
  return kNames[static_cast<int>(kind)];
}

// A metric's name in files, and its words for people.
struct MetricNames {
  const char* name;
  const char* words;
};
constexpr MetricNames kMetrics[] = {{"unknown", "?"},
                                    {"sampled", "CPU with calls"},
                                    {"sampled_self", "CPU"},
                                    {"wait_ns", "waiting"},
                                    {"count", "count"},
                                    {"elapsed_ns", "wall"},
                                    {"useful_ns", "without waits"},
                                    {"cpu_ns", "CPU clock"},
                                    {"mpi", "in MPI"},
                                    {"work", "useful"}};

const MetricNames& NamesOf(const JobFigure& figure) { return kMetrics[static_cast<int>(figure.metric)]; }

Cell Amount(const SpreadRow& row, double value) {
  const auto whole = static_cast<uint64_t>(value + 0.5);
  switch (row.figure.metric) {
    case FigureMetric::kCount:
      return Count(whole);
    case FigureMetric::kWait:
    case FigureMetric::kElapsed:
    case FigureMetric::kUseful:
    case FigureMetric::kCpu:
      return Duration(whole);
    default:
      return Weight(whole, row.view.run.weighs_ns());
  }
}

Cell NameCell(const SpreadRow& row) {
  const JobFigure& figure = row.figure;
  if (figure.kind == FigureKind::kRun) return "the process";
  if (figure.kind == FigureKind::kState) return Printable(analyze::PlainStateName(figure.name));
  if (figure.kind == FigureKind::kRegion && figure.name.empty()) return "<no region>";
  return Printable(row.view.frames.ShortName(figure.name));
}

SpreadGroup SpreadIdentity() {
  return {
      {.key = "program",
       .heading = "program",
       .value = [](const SpreadRow& row) -> Value {
         return analyze::ProgramName(row.view.run.process(row.figure.process));
       },
       .text = {10},
       .meaning = "file name of the program"},
      {.key = "kind",
       .value = [](const SpreadRow& row) -> Value { return std::string(KindName(row.figure.kind)); },
       .meaning =
           "what the figure is of: `run` (the process), `path`, `function`, `region` (a parallel construct without "
           "those nested in it), `state`, `wait` (waits of one state at one place) or `lock`"},
      {.key = "name",
       .heading = "of",
       .value = [](const SpreadRow& row) -> Value { return row.figure.name; },
       .text = {90, 0, Fit::kShorten},
       .page = 90,
       .cell = NameCell,
       .meaning = "function, construct, OpenMP state, or lock; of a path, its last function. Empty: the process, or no "
                  "region"},
      {.key = "file", .value = [](const SpreadRow& row) -> Value { return row.figure.file; }, .meaning = "source file"},
      {.key = "line",
       .unit = Unit::kNumber,
       .value = [](const SpreadRow& row) -> Value { return uint64_t{row.figure.line}; },
       .meaning = "line of the construct or place; 0: none"},
      {.key = "metric",
       .heading = "figure",
       .value = [](const SpreadRow& row) -> Value { return std::string(NamesOf(row.figure).name); },
       .text = {80},
       .page = 80,
       .cell = [](const SpreadRow& row) -> Cell { return NamesOf(row.figure).words; },
       .meaning =
           "quantity: `sampled` (weight of samples, with what is called), `sampled_self`, `work` (sampled, neither "
           "waiting nor in MPI), `mpi` (sampled), `wait_ns`, `count`, `elapsed_ns` (wall time), `useful_ns` "
           "(thread time without waits) or `cpu_ns` (the process's clock)"},
  };
}

SpreadGroup SpreadSizes() {
  return {
      {.key = "sum",
       .unit = Unit::kNumber,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.sum; },
       .meaning = "of all processes, in nanoseconds, events or times"},
      {.key = "mean",
       .heading = "mean",
       .unit = Unit::kFactor,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.mean; },
       .text = {20},
       .page = 20,
       .cell = [](const SpreadRow& row) -> Cell { return Amount(row, row.figure.mean); },
       .meaning = "over all processes; a process without the figure has 0"},
      {.key = "deviation",
       .heading = "deviation",
       .unit = Unit::kFactor,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.deviation; },
       .text = {30},
       .page = 30,
       .cell = [](const SpreadRow& row) -> Cell { return Amount(row, row.figure.deviation); },
       .meaning = "standard deviation over all processes"},
  };
}

SpreadGroup Extremes() {
  return {
      {.key = "min",
       .heading = "least",
       .unit = Unit::kNumber,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.min; },
       .text = {40, 2},
       .page = 40,
       .cell = [](const SpreadRow& row) -> Cell { return Amount(row, static_cast<double>(row.figure.min)); },
       .meaning = "least value of a process"},
      {.key = "min_rank",
       .heading = "rank",
       .value = [](const SpreadRow& row) -> Value { return row.figure.min_member; },
       .text = {45, 2},
       .page = 45,
       .meaning = "first rank with this value, or HOST:PID without ranks; empty: several processes have 0"},
      {.key = "max",
       .heading = "largest",
       .unit = Unit::kNumber,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.max; },
       .text = {50},
       .page = 50,
       .cell = [](const SpreadRow& row) -> Cell { return Amount(row, static_cast<double>(row.figure.max)); },
       .meaning = "largest value of a process"},
      {.key = "max_rank",
       .heading = "rank",
       .value = [](const SpreadRow& row) -> Value { return row.figure.max_member; },
       .text = {55},
       .page = 55,
       .meaning = "first rank with this value, likewise"},
  };
}

SpreadGroup Shapes() {
  return {
      {.key = "imbalance",
       .heading = "max/mean - 1",
       .unit = Unit::kShare,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.Imbalance(); },
       .text = {60},
       .page = 60,
       .meaning = "imbalance between the processes: maximum / mean, less 1"},
      {.key = "processes",
       .heading = "in",
       .unit = Unit::kCount,
       .from = From::kComputed,
       .value = [](const SpreadRow& row) -> Value { return row.figure.members; },
       .text = {70, 1},
       .page = 70,
       .meaning = "number of processes with the figure"},
      {.key = "histogram",
       .unit = Unit::kArray,
       .files = kJson,
       .json =
           [](const SpreadRow& row, JsonWriter* json) {
             json->BeginArray();
             for (const auto& [begin, count] : row.figure.histogram) {
               json->BeginArray();
               json->Number(begin);
               json->Number(count);
               json->EndArray();
             }
             json->EndArray();
           },
       .meaning =
           "pairs: the least value of a bucket, and the number of processes with a value up to the next bucket's "
           "least value; four buckets for each power of two. Empty for figures below 0.1 % of the largest"},
  };
}

}  // namespace

std::string MetricWords(const std::string& name) {
  for (const MetricNames& names : kMetrics) {
    if (name == names.name) return names.words;
  }
  return name;
}

const std::vector<Column<SpreadRow>>& SpreadColumns() {
  static const SpreadGroup columns = AllOf({SpreadIdentity(), SpreadSizes(), Extremes(), Shapes()});
  return columns;
}

}  // namespace ompprof::report
