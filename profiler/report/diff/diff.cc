#include "profiler/report/diff/diff.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/short_name.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using analyze::Difference;
using analyze::Verdict;
using Align = TextTable::Align;

uint64_t Rounded(double value) { return static_cast<uint64_t>(std::llround(std::max(value, 0.0))); }

std::string Margin(const Difference& difference, bool ns) {
  return difference.margin < 0 ? "" : "± " + Weight(Rounded(difference.margin), ns);
}

std::vector<std::string> Cells(const Difference& difference, bool ns) {
  return {Weight(Rounded(difference.before), ns),
          Weight(Rounded(difference.after), ns),
          SignedWeight(difference.change(), ns),
          SignedPercent(difference),
          Margin(difference, ns),
          VerdictName(difference.verdict, ns)};
}

std::vector<TextTable::Column> Columns() {
  return {{"before", Align::kRight, TextTable::Fit::kKeep, 3},
          {"after", Align::kRight, TextTable::Fit::kKeep, 2},
          {"change", Align::kRight},
          {"", Align::kRight},
          {"95 %", Align::kRight, TextTable::Fit::kKeep, 1},
          {"", Align::kLeft}};
}

std::string Lines(uint32_t before, uint32_t after) {
  if (before == after || before == 0 || after == 0) return "";
  return "  (was line " + std::to_string(before) + ")";
}

std::string Sides(bool is_before, bool is_after) {
  return is_before && is_after ? "" : is_after ? "  (new)" : "  (gone)";
}

// Collects the rows of a table, and counts the rows left out and the rows that changed beyond noise.
struct Section {
  TextTable table;
  size_t limit;
  size_t shown = 0;
  size_t rows = 0;
  size_t beyond = 0;

  Section(std::vector<TextTable::Column> columns, size_t rows_at_most)
      : table(std::move(columns)), limit(rows_at_most) {}

  // Shows the row only if `judged` or `exact` changed.
  void Add(const Difference& judged, const Difference& exact, const std::vector<std::string>& cells) {
    ++rows;
    beyond += judged.beyond_noise();
    if ((judged.change() == 0 && exact.change() == 0) || shown == limit) return;
    ++shown;
    table.Add(cells);
  }

  std::string Text(const Style& style, const std::string& title) const {
    if (table.empty()) return "";
    std::string text = "\n" + Wrap(title, 0, style.width) + "\n" + table.Text(style);
    if (shown == limit && rows > shown) text += "  ... and " + Count(rows - shown) + " more (--limit=N shows N)\n";
    return text;
  }
};

std::string Tally(const Section& section, const char* one, const char* many) {
  return Count(section.beyond) + " of " + Count(section.rows) + " " + (section.rows == 1 ? one : many);
}

std::vector<TextTable::Column> WithColumns(std::initializer_list<TextTable::Column> more) {
  std::vector<TextTable::Column> columns = Columns();
  columns.insert(columns.end(), more);
  return columns;
}

// The names of a table's rows.
class RowNames {
 public:
  template <class Rows>
  RowNames(const Rows& rows, const DiffTextOptions& options) : full_(options.full_names) {
    std::vector<std::string> names;
    for (const auto& row : rows) names.push_back(row.name);
    short_.Set(names);
  }

  std::string Text(const std::string& name) const { return Printable(full_ ? name : short_.Of(name)); }

 private:
  const bool full_;
  analyze::ShortNames short_;
};

// The run's wall time and weight.
std::string RunText(const analyze::Diff& diff, const DiffTextOptions& options) {
  std::vector<TextTable::Column> columns = Columns();
  columns.insert(columns.begin(), {"", Align::kLeft});
  TextTable totals(columns);
  const auto add = [&](const std::string& name, const Difference& difference, bool nanoseconds) {
    std::vector<std::string> cells = Cells(difference, nanoseconds);
    cells.insert(cells.begin(), name);
    totals.Add(cells);
  };
  add("wall time", diff.wall, true);
  add(Printable(options.measured), diff.cpu, options.nanoseconds);
  if (diff.wall.verdict != Verdict::kUnknown) return totals.Text(options.style);
  return totals.Text(options.style) +
         Sentence(options.style,
                  "?: wall time is exact, but a single run per side does not show how much it varies; give several of "
                  "each");
}

Section Functions(const analyze::Diff& diff, const DiffTextOptions& options) {
  Section section(WithColumns({{"total", Align::kRight, TextTable::Fit::kKeep, 4},
                               {"function", Align::kLeft, TextTable::Fit::kShorten}}),
                  options.limit);
  const RowNames names(diff.functions, options);
  for (const analyze::FunctionDiff& row : diff.functions) {
    std::vector<std::string> cells = Cells(row.self, options.nanoseconds);
    cells.push_back(SignedWeight(row.total.change(), options.nanoseconds));
    const bool placed = row.name.back() == ']';
    cells.push_back(names.Text(row.name) + (placed || row.file.empty() ? "" : "  " + Printable(row.file)) +
                    Lines(row.line_before, row.line_after) + Sides(row.is_before, row.is_after));
    section.Add(row.self, row.total, cells);
  }
  return section;
}

Section Regions(const analyze::Diff& diff, const DiffTextOptions& options) {
  Section section(WithColumns({{"elapsed", Align::kRight},
                               {"waiting", Align::kRight},
                               {"parallel region", Align::kLeft, TextTable::Fit::kShorten}}),
                  options.limit);
  const auto exact = [](const Difference& difference) {
    return SignedWeight(difference.change(), true) + (difference.beyond_noise() ? " !" : "");
  };
  const RowNames names(diff.regions, options);
  for (const analyze::RegionDiff& row : diff.regions) {
    std::vector<std::string> cells = Cells(row.cpu, options.nanoseconds);
    cells.push_back(exact(row.elapsed));
    cells.push_back(exact(row.wait));
    cells.push_back(names.Text(row.name) + Lines(row.line_before, row.line_after) + Sides(row.is_before, row.is_after));
    section.Add(row.cpu, row.elapsed, cells);
  }
  return section;
}

Section States(const analyze::Diff& diff, const DiffTextOptions& options) {
  Section section(
      WithColumns({{"waiting", Align::kRight}, {"95 %", Align::kRight}, {"", Align::kLeft}, {"state", Align::kLeft}}),
      options.limit);
  for (const analyze::StateDiff& row : diff.states) {
    std::vector<std::string> cells = Cells(row.cpu, options.nanoseconds);
    const bool waits = row.wait.before != 0 || row.wait.after != 0;
    cells.push_back(waits ? SignedWeight(row.wait.change(), true) : "");
    cells.push_back(waits ? Margin(row.wait, true) : "");
    cells.push_back(waits ? VerdictName(row.wait.verdict, true) : "");
    cells.push_back(Printable(analyze::PlainStateName(row.name)));
    section.Add(row.cpu, row.wait, cells);
  }
  return section;
}

}  // namespace

std::string SignedWeight(double change, bool nanoseconds) {
  const uint64_t size = Rounded(std::abs(change));
  return (size == 0 ? "" : change < 0 ? "-" : "+") + Weight(size, nanoseconds);
}

std::string SignedPercent(const Difference& difference) {
  if (difference.before == 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * difference.relative());
  return text;
}

std::string VerdictName(Verdict verdict, bool nanoseconds) {
  switch (verdict) {
    case Verdict::kMore:
      return nanoseconds ? "slower" : "more";
    case Verdict::kLess:
      return nanoseconds ? "faster" : "fewer";
    case Verdict::kUnknown:
      return "?";
    case Verdict::kNoise:
      return "";
  }
  return "";
}

std::string DiffText(const analyze::Diff& diff, const std::string& before, const std::string& after,
                     const DiffTextOptions& options) {
  const std::string measured = Printable(options.measured);
  const Section functions = Functions(diff, options);
  const Section regions = Regions(diff, options);
  const Section states = States(diff, options);
  const size_t width = options.style.width;
  std::string text = Wrap("before  " + Printable(before), 8, width) + "\n" +
                     Wrap("after   " + Printable(after), 8, width) + "\n\n" + RunText(diff, options);
  text += functions.Text(options.style, "Functions (own " + measured + ", sampled; total: change with what they call)");
  const bool targets = std::any_of(diff.regions.begin(), diff.regions.end(), [](const analyze::RegionDiff& row) {
    return row.name.find(" [omp target") != std::string::npos;
  });
  text += regions.Text(options.style,
                       (targets ? "Parallel regions and target constructs (" : "Parallel regions (") + measured +
                           ", sampled; elapsed and thread time waiting: exact; !: more than such waits vary)");
  text +=
      states.Text(options.style, "OpenMP states (" + measured +
                                     ", sampled; thread time waiting: exact, with what waits of that length vary by)");

  const bool any =
      functions.beyond + regions.beyond + states.beyond > 0 || diff.cpu.beyond_noise() || diff.wall.beyond_noise();
  text += "\n";
  if (!any) {
    text += "Nothing changed beyond noise.\n";
  } else {
    text += Wrap("Beyond noise: " + Tally(functions, "function", "functions") + ", " +
                     Tally(regions, "region", "regions") + ", " + Tally(states, "state", "states") + "; the run's " +
                     measured + " " + (diff.cpu.beyond_noise() ? "as well" : "not") + ".",
                 0, width) +
            "\n";
  }
  if (diff.runs_before < 2 || diff.runs_after < 2) {
    text += Wrap(
                "Noise is the chance of sampling. What else differs from run to run (other load, where threads and "
                "pages lie) is known only of several runs on each side: --before FILE... --after FILE...",
                0, width) +
            "\n";
  }
  return text;
}

namespace {

using analyze::Difference;
using analyze::Verdict;

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMore:
      return "more";
    case Verdict::kLess:
      return "less";
    case Verdict::kNoise:
      return "noise";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

void Put(const char* name, const Difference& difference, bool sampled, JsonWriter* json) {
  json->Key(name);
  json->BeginObject();
  json->Member("from", sampled ? "sampled" : "exact");
  json->Member("before", difference.before);
  json->Member("after", difference.after);
  json->Member("change", difference.change());
  if (difference.margin >= 0) {
    json->Member("low", difference.change() - difference.margin);
    json->Member("high", difference.change() + difference.margin);
  }
  json->Member("verdict", Name(difference.verdict));
  json->EndObject();
}

// The members that functions and regions share.
template <class Row>
void Place(const Row& row, JsonWriter* json) {
  json->Member("name", row.name);
  json->Member("file", row.file);
  json->Member("line_before", row.line_before);
  json->Member("line_after", row.line_after);
  json->Member("is_before", row.is_before);
  json->Member("is_after", row.is_after);
}

}  // namespace

std::string DiffJson(const analyze::Diff& diff, const std::string& unit,
                     const std::vector<analyze::GatedFigure>& regressions) {
  JsonText json;
  json.BeginObject();
  json.Member("schema_version", kJsonSchemaVersion);
  json.Member("weight_unit", unit);
  json.Member("runs_before", uint64_t{diff.runs_before});
  json.Member("runs_after", uint64_t{diff.runs_after});
  Put("wall", diff.wall, false, &json);
  Put("cpu", diff.cpu, true, &json);
  json.Key("functions");
  json.BeginArray();
  for (const analyze::FunctionDiff& row : diff.functions) {
    json.BeginObject();
    Place(row, &json);
    Put("self", row.self, true, &json);
    Put("total", row.total, true, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("regions");
  json.BeginArray();
  for (const analyze::RegionDiff& row : diff.regions) {
    json.BeginObject();
    Place(row, &json);
    Put("cpu", row.cpu, true, &json);
    Put("elapsed", row.elapsed, false, &json);
    Put("wait", row.wait, false, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("states");
  json.BeginArray();
  for (const analyze::StateDiff& row : diff.states) {
    json.BeginObject();
    json.Member("name", row.name);
    Put("cpu", row.cpu, true, &json);
    Put("wait", row.wait, false, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("regressions");
  json.BeginArray();
  for (const analyze::GatedFigure& regression : regressions) {
    json.BeginObject();
    json.Member("what", regression.What());
    json.Member("percent", 100 * regression.difference.relative());
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return json.text() + "\n";
}

}  // namespace ompprof::report
