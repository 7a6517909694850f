#include "profiler/report/diff_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "profiler/report/short_name.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

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
  return {{"before", Align::kRight}, {"after", Align::kRight}, {"change", Align::kRight},
          {"", Align::kRight},       {"95 %", Align::kRight},  {"", Align::kLeft}};
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
  void Add(const Difference& judged, const Difference& exact, std::vector<std::string> cells) {
    ++rows;
    beyond += judged.beyond_noise();
    if ((judged.change() == 0 && exact.change() == 0) || shown == limit) return;
    ++shown;
    table.Add(std::move(cells));
  }

  std::string Text(const std::string& title) const {
    if (table.empty()) return "";
    std::string text = "\n" + title + "\n" + table.Text();
    if (shown == limit && rows > shown) text += "  ... and " + Count(rows - shown) + " more (--limit=N shows N)\n";
    return text;
  }
};

std::string Tally(const Section& section, const char* one, const char* many) {
  return Count(section.beyond) + " of " + Count(section.rows) + " " + (section.rows == 1 ? one : many);
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
  const bool ns = options.nanoseconds;
  const std::string measured = Printable(options.measured);
  const auto shown_name = [&](const std::string& name) {
    return Printable(options.full_names ? name : ShortName(name));
  };
  std::string text = "before  " + Printable(before) + "\nafter   " + Printable(after) + "\n\n";

  std::vector<TextTable::Column> columns = Columns();
  columns.insert(columns.begin(), {"", Align::kLeft});
  TextTable totals(columns);
  const auto add_total = [&](const std::string& name, const Difference& difference, bool nanoseconds) {
    std::vector<std::string> cells = Cells(difference, nanoseconds);
    cells.insert(cells.begin(), name);
    totals.Add(cells);
  };
  add_total("wall time", diff.wall, true);
  add_total(measured, diff.cpu, ns);
  text += totals.Text();
  if (diff.wall.verdict == Verdict::kUnknown)
    text += "  ?: wall time is exact, but how much it varies one run on a side does not say; give several of each\n";

  columns = Columns();
  columns.push_back({"total", Align::kRight});
  columns.push_back({"function", Align::kLeft});
  Section functions(columns, options.limit);
  for (const analyze::FunctionDiff& row : diff.functions) {
    std::vector<std::string> cells = Cells(row.self, ns);
    cells.push_back(SignedWeight(row.total.change(), ns));
    const bool placed = row.name.back() == ']';
    cells.push_back(shown_name(row.name) + (placed || row.file.empty() ? "" : "  " + Printable(row.file)) +
                    Lines(row.line_before, row.line_after) + Sides(row.is_before, row.is_after));
    functions.Add(row.self, row.total, cells);
  }
  text += functions.Text(std::string("Functions (own ") + measured + ", sampled; total: change with what they call)");

  columns = Columns();
  columns.push_back({"elapsed", Align::kRight});
  columns.push_back({"waiting", Align::kRight});
  columns.push_back({"parallel region", Align::kLeft});
  Section regions(columns, options.limit);
  for (const analyze::RegionDiff& row : diff.regions) {
    const auto exact = [](const Difference& difference) {
      return SignedWeight(difference.change(), true) + (difference.beyond_noise() ? " !" : "");
    };
    std::vector<std::string> cells = Cells(row.cpu, ns);
    cells.push_back(exact(row.elapsed));
    cells.push_back(exact(row.wait));
    cells.push_back(shown_name(row.name) + Lines(row.line_before, row.line_after) + Sides(row.is_before, row.is_after));
    regions.Add(row.cpu, row.elapsed, cells);
  }
  text += regions.Text(std::string("Parallel regions (") + measured +
                       ", sampled; elapsed and thread time waiting: exact; !: more than such waits vary)");

  columns = Columns();
  columns.push_back({"waiting", Align::kRight});
  columns.push_back({"95 %", Align::kRight});
  columns.push_back({"", Align::kLeft});
  columns.push_back({"state", Align::kLeft});
  Section states(columns, options.limit);
  for (const analyze::StateDiff& row : diff.states) {
    std::vector<std::string> cells = Cells(row.cpu, ns);
    const bool waits = row.wait.before != 0 || row.wait.after != 0;
    cells.push_back(waits ? SignedWeight(row.wait.change(), true) : "");
    cells.push_back(waits ? Margin(row.wait, true) : "");
    cells.push_back(waits ? VerdictName(row.wait.verdict, true) : "");
    cells.push_back(Printable(row.name));
    states.Add(row.cpu, row.wait, cells);
  }
  text += states.Text(std::string("OpenMP states (") + measured +
                      ", sampled; thread time waiting: exact, with what waits of that length vary by)");

  const bool any =
      functions.beyond + regions.beyond + states.beyond > 0 || diff.cpu.beyond_noise() || diff.wall.beyond_noise();
  text += "\n";
  if (!any) {
    text += "Nothing changed beyond noise.\n";
  } else {
    text += "Beyond noise: " + Tally(functions, "function", "functions") + ", " + Tally(regions, "region", "regions") +
            ", " + Tally(states, "state", "states") + "; the run's " + measured + " " +
            (diff.cpu.beyond_noise() ? "as well" : "not") + ".\n";
  }
  if (diff.runs_before < 2 || diff.runs_after < 2) {
    text +=
        "Noise is the chance of sampling. What else differs from run to run (other load, where threads and pages lie) "
        "is known\nonly of several runs on each side: --before FILE... --after FILE...\n";
  }
  return text;
}

}  // namespace ompprof::report
