#include "profiler/report/sections/functions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "profiler/analyze/account/peek.h"
#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/path_filter.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/function_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;
using Cell = TextTable::Cell;

constexpr size_t kPeekRows = 10;      // functions that match
constexpr size_t kPeekCalls = 8;      // callers and callees of each function
constexpr size_t kSliceColumns = 8;   // threads or ranks, as columns
constexpr size_t kSliceSections = 8;  // states or regions, as tables
constexpr size_t kSliceRows = 10;
constexpr size_t kColumnRows = 30;

size_t Rows(const TextOptions& options, size_t usual) { return options.limit == 0 ? usual : options.limit; }

Cell NameCell(const analyze::View& view, const analyze::FunctionCost& cost, const model::Symbolizer& symbolizer,
              const TextOptions& options) {
  std::string name = PlacedName(view, cost.function, cost.line, symbolizer, options);
  const Color color = NameColor(name);
  return {std::move(name), color};
}

// The functions by the metric, without functions that have none of it.
std::vector<analyze::FunctionCost> Sorted(std::vector<analyze::FunctionCost> costs, analyze::Metric metric) {
  costs.erase(std::remove_if(costs.begin(), costs.end(),
                             [metric](const analyze::FunctionCost& cost) { return CostIn(cost.total, metric) == 0; }),
              costs.end());
  if (metric != analyze::Metric::kWeight) analyze::SortCosts(metric, &costs);
  return costs;
}

// The functions with a cost of their own; a breakdown shows only these.
std::vector<analyze::FunctionCost> OwnOnly(std::vector<analyze::FunctionCost> costs, analyze::Metric metric) {
  costs = Sorted(std::move(costs), metric);
  const auto none = [metric](const analyze::FunctionCost& cost) { return CostIn(cost.self, metric) == 0; };
  costs.erase(std::find_if(costs.begin(), costs.end(), none), costs.end());
  return costs;
}

std::vector<analyze::FunctionCost> Costs(const analyze::View& view, const TextOptions& options) {
  return analyze::FunctionCosts(analyze::BuildCallTree(view, options.lines));
}

std::string ViewName(const analyze::View& view) {
  return view.kind == analyze::ViewKind::kUser ? "user view" : "machine view";
}

const char* MetricWords(analyze::Metric metric) {
  switch (metric) {
    case analyze::Metric::kWeight:
      return "Hottest functions";
    case analyze::Metric::kSamples:
      return "Functions by samples";
    case analyze::Metric::kWait:
      return "Functions by waiting";
    case analyze::Metric::kBlame:
      return "Functions that others waited for";
  }
  return "";
}

std::string Table(const analyze::View& view, const std::vector<analyze::FunctionCost>& costs,
                  const model::Symbolizer& symbolizer, const TextOptions& options, size_t usual, bool errors) {
  // Samples are random. Waits and blame are measured.
  const bool sampled = options.metric == analyze::Metric::kWeight && errors;
  const std::set<std::string> no_errors = {"self_cpu_error_ns", "total_cpu_error_ns"};
  const std::vector<Column<FunctionRow>> columns = FunctionColumnsOf(view);
  RowsText<FunctionRow> table(columns, &Column<FunctionRow>::text, WeighingOf(view),
                              sampled ? std::set<std::string>() : no_errors);
  const size_t rows = std::min(costs.size(), Rows(options, usual));
  for (size_t i = 0; i < rows; ++i) table.Add({view, symbolizer, costs[i], /*options=*/&options});
  return table.Text(options.style) + Omitted(rows, costs.size(), "functions");
}

// The functions that do not stand for waiting. `waiting` becomes the time of those that do.
std::vector<analyze::FunctionCost> WorkOnly(const analyze::View& view, std::vector<analyze::FunctionCost> costs,
                                            uint64_t* waiting) {
  const auto waits = [&](const analyze::FunctionCost& cost) {
    if (!analyze::StandsForWaiting(view.frames.function(cost.function).name)) return false;
    *waiting += cost.self.weight;
    return true;
  };
  costs.erase(std::remove_if(costs.begin(), costs.end(), waits), costs.end());
  return costs;
}

}  // namespace

std::string HottestText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                        size_t usual) {
  uint64_t waiting = 0;
  const std::vector<analyze::FunctionCost> costs =
      WorkOnly(view, Sorted(Costs(view, options), analyze::Metric::kWeight), &waiting);
  const uint64_t whole = view.total_weight;
  std::string rest;
  if (waiting > 0) {
    rest = ", of which " + Share(waiting, whole) + " is waiting, which is not shown here";
  }
  const std::string title = std::string(MetricWords(analyze::Metric::kWeight)) + " (" + ViewName(view) +
                            "; shares of " + WholeText(view, analyze::Metric::kWeight) + rest + "; ±: 95 % confidence)";
  if (costs.empty()) return Title(options.style, title) + "  none\n";
  return Title(options.style, title) + Table(view, costs, symbolizer, options, usual, true);
}

std::string FunctionsText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                          size_t usual) {
  const std::vector<analyze::FunctionCost> costs = Sorted(Costs(view, options), options.metric);
  const std::string title = std::string(MetricWords(options.metric)) + " (" + ViewName(view) + "; shares of " +
                            WholeText(view, options.metric) +
                            (options.metric == analyze::Metric::kWeight ? ", ±: 95 % confidence)" : ")");
  if (costs.empty()) return Title(options.style, title) + "  none\n";
  return Title(options.style, title) + Table(view, costs, symbolizer, options, usual, true);
}

std::string BlameText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                      size_t usual) {
  std::vector<analyze::FunctionCost> costs = Costs(view, options);
  costs.erase(std::remove_if(costs.begin(), costs.end(),
                             [](const analyze::FunctionCost& cost) { return cost.self.all_blame() == 0; }),
              costs.end());
  analyze::SortCosts(analyze::Metric::kBlame, &costs);
  TextTable table({{"idle", Align::kRight}, {"in locks", Align::kRight}, {"function", Align::kLeft, Fit::kShorten}});
  const size_t rows = std::min(costs.size(), Rows(options, usual));
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Cost& self = costs[i].self;
    table.Add({self.blame == 0 ? "" : Measured(self.blame, {0, self.blame_variance}),
               self.lock_blame == 0 ? "" : Measured(self.lock_blame, {0, self.lock_blame_variance}),
               NameCell(view, costs[i], symbolizer, options)});
  }
  if (table.empty()) return "";
  return Title(options.style, "Code that kept other threads waiting (thread time that they lost to it)") +
         table.Text(options.style) + Omitted(rows, costs.size(), "functions");
}

std::string PeekText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options) {
  const analyze::Metric metric = options.metric;
  const uint64_t whole = Total(view, metric);
  const analyze::CallTree tree = analyze::BuildCallTree(view, options.lines, metric);
  std::vector<analyze::FunctionCost> costs = analyze::FunctionCosts(tree);
  analyze::SortCosts(metric, &costs);
  const std::vector<bool> wanted = analyze::MatchingFunctions(view, *options.peek);
  const std::vector<analyze::Peek> peeks = analyze::PeekAt(tree, costs, wanted, metric);

  std::string text = Title(options.style, "Callers and callees (" + ViewName(view) + "; shares of " +
                                              WholeText(view, metric) + "; calls: share of the function's total)");
  if (peeks.empty()) return text + Sentence(options.style, "no function in the profile matches");
  TextTable table({{"self", Align::kRight},
                   {"", Align::kRight},
                   {"total", Align::kRight},
                   {"", Align::kRight},
                   {"calls", Align::kRight},
                   {"", Align::kRight},
                   {"function", Align::kLeft, Fit::kShorten}});
  const size_t rows = std::min(peeks.size(), Rows(options, kPeekRows));
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Peek& peek = peeks[i];
    const uint64_t self = CostIn(peek.function.self, metric);
    const uint64_t total = CostIn(peek.function.total, metric);
    const auto calls = [&](const std::vector<analyze::CallEdge>& edges, const char* what) {
      const size_t shown = std::min(edges.size(), Rows(options, kPeekCalls));
      for (size_t k = 0; k < shown; ++k) {
        const uint64_t amount = CostIn(edges[k].cost, metric);
        const std::string name = PlacedName(view, edges[k].function, edges[k].line, symbolizer, options);
        table.Add({"", "", "", "", CostText(view, metric, edges[k].cost), Share(amount, total),
                   Cell("    " + name, NameColor(name))});
      }
      if (shown < edges.size())
        table.Add({"", "", "", "", "", "", "    ... and " + Count(edges.size() - shown) + " more " + what});
    };
    if (i > 0) table.Add({"", "", "", "", "", "", ""});
    calls(peek.callers, "callers");
    const Cell name = NameCell(view, peek.function, symbolizer, options);
    table.Add({CostText(view, metric, peek.function.self), ShareCell(self, whole),
               CostText(view, metric, peek.function.total), ShareCell(total, whole), "", "",
               Cell("> " + name.text, Color::kTitle)});
    calls(peek.callees, "callees");
  }
  return text + table.Text(options.style) + Omitted(rows, peeks.size(), "functions that match");
}

namespace {

// One table with a column for each slice.
std::string SliceColumns(const analyze::View& view, std::vector<analyze::Slice> slices,
                         const model::Symbolizer& symbolizer, const TextOptions& options, const char* what) {
  const analyze::Metric metric = options.metric;
  const std::vector<analyze::FunctionCost> costs = OwnOnly(Costs(view, options), metric);
  const size_t shown = std::min(slices.size(), kSliceColumns);
  // The largest slices, in the order of their numbers.
  std::sort(slices.begin(), slices.begin() + static_cast<std::ptrdiff_t>(shown),
            [](const analyze::Slice& a, const analyze::Slice& b) {
              return a.name.size() != b.name.size() ? a.name.size() < b.name.size() : a.name < b.name;
            });
  std::vector<TextTable::Column> columns = {{"self", Align::kRight}, {"", Align::kRight}};
  for (size_t i = 0; i < shown; ++i)
    columns.push_back({Printable(slices[i].name), Align::kRight, Fit::kKeep, i < 2 ? 0 : static_cast<int>(i)});
  const bool others = shown < slices.size();
  if (others) columns.push_back({Count(slices.size() - shown) + " others", Align::kRight});
  columns.push_back({"function", Align::kLeft, Fit::kShorten});
  TextTable table(columns);

  std::vector<std::map<std::pair<analyze::FunctionId, uint32_t>, uint64_t>> self(slices.size());
  for (size_t i = 0; i < slices.size(); ++i) {
    for (const analyze::FunctionCost& cost : slices[i].functions)
      self[i][{cost.function, cost.line}] = CostIn(cost.self, metric);
  }
  const auto row = [&](uint64_t all, const std::vector<uint64_t>& amounts, Cell name) {
    std::vector<Cell> cells = {AmountText(view, metric, all), ShareCell(all, Total(view, metric))};
    uint64_t rest = 0;
    for (size_t i = 0; i < amounts.size(); ++i) {
      if (i < shown)
        cells.emplace_back(amounts[i] == 0 ? "" : AmountText(view, metric, amounts[i]));
      else
        rest += amounts[i];
    }
    if (others) cells.emplace_back(rest == 0 ? "" : AmountText(view, metric, rest));
    cells.push_back(std::move(name));
    table.Add(std::move(cells));
  };
  uint64_t all = 0;
  std::vector<uint64_t> sums;
  for (const analyze::Slice& slice : slices) {
    sums.push_back(CostIn(slice.cost, metric));
    all += sums.back();
  }
  row(all, sums, Cell("all functions", Color::kTitle));
  const size_t rows = std::min(costs.size(), Rows(options, kColumnRows));
  for (size_t at = 0; at < rows; ++at) {
    std::vector<uint64_t> amounts;
    for (const auto& slice : self) {
      const auto found = slice.find({costs[at].function, costs[at].line});
      amounts.push_back(found == slice.end() ? 0 : found->second);
    }
    row(CostIn(costs[at].self, metric), amounts, NameCell(view, costs[at], symbolizer, options));
  }
  return Title(options.style, std::string("Functions by ") + what + " (" + MetricTitle(view, metric) +
                                  " of the functions themselves; shares of " + WholeText(view, metric) + ")") +
         table.Text(options.style) + Omitted(rows, costs.size(), "functions");
}

// The name of a state, region or phase.
std::string SliceName(const analyze::View& view, const std::string& name, const TextOptions& options) {
  if (*options.by == analyze::Dimension::kState) return StateText(name, options);
  return Printable(options.full_names ? name : view.frames.ShortName(name));
}

// A table for each slice.
std::string SliceSections(const analyze::View& view, const std::vector<analyze::Slice>& slices,
                          const model::Symbolizer& symbolizer, const TextOptions& options) {
  const analyze::Metric metric = options.metric;
  std::string text;
  const size_t shown = std::min(slices.size(), Rows(options, kSliceSections));
  for (size_t i = 0; i < shown; ++i) {
    const analyze::Slice& slice = slices[i];
    const uint64_t amount = CostIn(slice.cost, metric);
    const std::vector<analyze::FunctionCost> costs = OwnOnly(slice.functions, metric);
    text += Title(options.style, SliceName(view, slice.name, options) + ": " + AmountText(view, metric, amount) + ", " +
                                     Share(amount, Total(view, metric)) + " of " + WholeText(view, metric));
    text += costs.empty() ? "  nothing\n" : Table(view, costs, symbolizer, options, kSliceRows, false);
  }
  return text + (shown < slices.size() ? "\n" + Omitted(shown, slices.size(), "tables") : "");
}

}  // namespace

std::string BreakdownText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options) {
  const std::vector<analyze::Slice> slices = analyze::BreakDown(view, *options.by, options.lines, options.metric);
  if (*options.by == analyze::Dimension::kThread || *options.by == analyze::Dimension::kRank)
    return SliceColumns(view, slices, symbolizer, options,
                        *options.by == analyze::Dimension::kThread ? "thread" : "rank");
  return SliceSections(view, slices, symbolizer, options);
}

void JsonFunctions(const analyze::View& view, const model::Symbolizer& symbolizer,
                   const std::vector<analyze::FunctionCost>& costs, JsonWriter* json) {
  json->Key("functions");
  json->BeginArray();
  for (const analyze::FunctionCost& cost : costs) {
    json->BeginObject();
    JsonMembers(FunctionColumns(), FunctionRow{view, symbolizer, cost}, json);
    json->EndObject();
  }
  json->EndArray();
}

void JsonBreakdown(const analyze::View& view, const model::Symbolizer& symbolizer, analyze::Dimension by,
                   JsonWriter* json) {
  json->Key("by");
  json->BeginArray();
  for (const analyze::Slice& slice : analyze::BreakDown(view, by, false, analyze::Metric::kWeight)) {
    json->BeginObject();
    json->Member("value", slice.name);
    json->Member("cpu_ns", slice.cost.weight);
    json->Member("samples", slice.cost.samples);
    json->Member("wait_ns", slice.cost.wait);
    json->Member("blame_ns", slice.cost.all_blame());
    const analyze::Estimate waits = slice.cost.wait_estimate();
    const analyze::Estimate blame = slice.cost.blame_estimate();
    if (waits.any() || blame.any()) {
      json->Member("estimated", true);
      json->Key("ci95");
      json->BeginObject();
      json->Member("wait_ns", waits.ci95_ns());
      json->Member("blame_ns", blame.ci95_ns());
      json->EndObject();
    }
    JsonFunctions(view, symbolizer, slice.functions, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
