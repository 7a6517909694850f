#include "profiler/report/text_report.h"

#include <algorithm>

#include "profiler/analyze/call_tree.h"
#include "profiler/report/locks_text.h"
#include "profiler/report/phases_text.h"
#include "profiler/report/ranks_text.h"
#include "profiler/report/short_name.h"
#include "profiler/report/text_header.h"
#include "profiler/report/text_table.h"
#include "profiler/report/text_tree.h"
#include "profiler/report/units.h"
#include "profiler/report/waits_text.h"

namespace ompprof::report {
namespace {

using analyze::Activity;
using Align = TextTable::Align;

constexpr size_t kRegionRows = 10;
constexpr size_t kBlameRows = 8;
constexpr size_t kAdviceRows = 4;
constexpr size_t kRankRows = 16;
constexpr size_t kFunctionRows = 15;
constexpr size_t kTopRows = 50;

std::string Range(uint32_t low, uint32_t high) {
  if (high == 0) return "-";
  return low == high ? std::to_string(low) : std::to_string(low) + "-" + std::to_string(high);
}

std::string Omitted(size_t shown, size_t all, const char* what) {
  if (shown >= all) return "";
  return "  ... and " + Count(all - shown) + " more " + what + " (--limit=N shows N)\n";
}

// "dgemm.c:12", "libm.so.6" for code without lines, "" for what is no code.
std::string Where(const analyze::ViewFunction& function, uint32_t line, const model::Symbolizer& symbolizer) {
  if (!function.file.empty()) {
    const uint32_t shown = line != 0 ? line : function.line;
    return Printable(BaseName(function.file)) + (shown != 0 ? ":" + std::to_string(shown) : "");
  }
  return Printable(BaseName(symbolizer.objects()[function.object].path));
}

std::string Name(const analyze::ViewFunction& function, const TextOptions& options) {
  return Printable(options.full_names ? function.name : ShortName(function.name));
}

std::string States(const analyze::View& view, const analyze::Summary& summary) {
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"samples", Align::kRight},
                   {"state", Align::kLeft}});
  for (const analyze::StateCost& state : summary.states) {
    table.Add({Weight(state.cost.weight, WeighsNanoseconds(view)), Share(state.cost.weight, view.total_weight),
               Count(state.cost.samples), Printable(state.name)});
  }
  return "\nTime by OpenMP state\n" + table.Text();
}

std::string Regions(const analyze::View& view, const TextOptions& options) {
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"elapsed", Align::kRight},
                   {"runs", Align::kRight},
                   {"team", Align::kRight},
                   {"asked", Align::kRight},
                   {"imbalance", Align::kRight},
                   {"end wait", Align::kRight},
                   {"parallel region", Align::kLeft}});
  const size_t rows = std::min(view.regions.size(), options.limit == 0 ? kRegionRows : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Region& region = view.regions[i];
    const analyze::ViewFunction& construct = view.frames.function(region.construct);
    const bool counted = region.invocations > 0;
    table.Add(
        {Weight(region.weight, WeighsNanoseconds(view)), Share(region.weight, view.total_weight),
         counted ? Duration(region.elapsed_ns) : "-", counted ? Count(region.invocations) : "-",
         Range(region.team_min, region.team_max), Range(region.requested_min, region.requested_max),
         region.useful_ns == 0 ? "-" : Share(static_cast<uint64_t>(std::max(0.0, region.Imbalance()) * 1e6), 1000000),
         region.team_ns == 0 ? "-" : Share(region.end_wait_ns, region.team_ns), Name(construct, options)});
  }
  if (table.empty()) return "";
  return "\nParallel regions (nested ones are counted in those around them as well)\n" + table.Text() +
         Omitted(rows, view.regions.size(), "regions");
}

std::string Functions(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                      size_t usual) {
  const std::vector<analyze::FunctionCost> costs = analyze::FunctionCosts(analyze::BuildCallTree(view, options.lines));
  TextTable table({{"self", Align::kRight},
                   {"", Align::kRight},
                   {"total", Align::kRight},
                   {"", Align::kRight},
                   {"function", Align::kLeft}});
  const size_t rows = std::min(costs.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::FunctionCost& cost = costs[i];
    const analyze::ViewFunction& function = view.frames.function(cost.function);
    const std::string where = Where(function, cost.line, symbolizer);
    std::string name = Name(function, options);
    // A construct's name has the place already.
    const bool placed = !options.lines && name.size() > where.size() && name.back() == ']' &&
                        name.compare(name.size() - where.size() - 1, where.size(), where) == 0;
    const bool ns = WeighsNanoseconds(view);
    if (!where.empty() && !placed) name += "  " + where;
    table.Add({Weight(cost.self.weight, ns), Share(cost.self.weight, view.total_weight), Weight(cost.total.weight, ns),
               Share(cost.total.weight, view.total_weight), name});
  }
  return "\nHottest functions (" + std::string(view.kind == analyze::ViewKind::kUser ? "user" : "machine") +
         " view)\n" + table.Text() + Omitted(rows, costs.size(), "functions");
}

// Functions that kept other threads waiting, by how long. Nothing where nobody waited.
std::string Blame(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                  size_t usual) {
  std::vector<analyze::FunctionCost> costs = analyze::FunctionCosts(analyze::BuildCallTree(view, options.lines));
  costs.erase(std::remove_if(costs.begin(), costs.end(),
                             [](const analyze::FunctionCost& cost) { return cost.self.all_blame() == 0; }),
              costs.end());
  std::stable_sort(costs.begin(), costs.end(), [](const analyze::FunctionCost& a, const analyze::FunctionCost& b) {
    return a.self.all_blame() > b.self.all_blame();
  });
  TextTable table({{"idle", Align::kRight}, {"in locks", Align::kRight}, {"function", Align::kLeft}});
  const size_t rows = std::min(costs.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::ViewFunction& function = view.frames.function(costs[i].function);
    const std::string where = Where(function, costs[i].line, symbolizer);
    std::string name = Name(function, options);
    if (!where.empty() && name.back() != ']') name += "  " + where;
    table.Add({costs[i].self.blame == 0 ? "" : Duration(costs[i].self.blame),
               costs[i].self.lock_blame == 0 ? "" : Duration(costs[i].self.lock_blame), name});
  }
  if (table.empty()) return "";
  return "\nWhat other threads waited for (thread-time while this code worked, or held the lock)\n" + table.Text() +
         Omitted(rows, costs.size(), "functions");
}

std::string Threads(const analyze::View& view, const analyze::Summary& summary) {
  const bool several = view.processes.size() > 1;
  std::vector<TextTable::Column> columns = {
      {"id", Align::kRight},        {"tid", Align::kRight},      {"kind", Align::kLeft},
      {"CPU clock", Align::kRight}, {"sampled", Align::kRight},  {"samples", Align::kRight},
      {"work", Align::kRight},      {"wait", Align::kRight},     {"overhead", Align::kRight},
      {"idle", Align::kRight},      {"no state", Align::kRight}, {"name", Align::kLeft}};
  if (several) columns.insert(columns.begin(), {"process", Align::kRight});
  TextTable table(columns);
  for (const analyze::ThreadCost& thread : summary.threads) {
    std::string kind = Thread::Kind_Name(thread.thread.kind());
    std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
    std::vector<std::string> row = {std::to_string(thread.id),
                                    std::to_string(thread.thread.tid()),
                                    kind,
                                    Duration(thread.thread.cpu_ns()),
                                    Weight(thread.cost.weight, WeighsNanoseconds(view)),
                                    Count(thread.cost.samples)};
    if (several) row.insert(row.begin(), std::to_string(view.processes[thread.process]->header.pid()));
    for (const analyze::Cost& cost : thread.by_activity) row.push_back(Share(cost.weight, thread.cost.weight));
    row.push_back(Printable(thread.thread.name()) +
                  (thread.id == 0 || thread.thread.sampled() ? "" : " (not sampled)"));
    table.Add(row);
  }
  return "\nThreads (shares are of each thread's own samples)\n" + table.Text();
}

}  // namespace

std::string TextReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const TextOptions& options, const analyze::Answers* answers) {
  std::string text = TextHeader(view, summary, options.filtered);
  const bool first_screen = !options.tree && !options.top && !options.threads && !options.regions && !options.blame &&
                            !options.waits && !options.advice && !options.locks && !options.ranks;
  static const analyze::Answers kNone;
  const analyze::Answers& all = answers != nullptr ? *answers : kNone;
  const analyze::Efficiency& efficiency = all.efficiency;
  const auto advice = [&](size_t limit) {
    return AdviceSection(view, all.advice, &all.locks, efficiency.duration_ns, limit);
  };
  if (first_screen) {
    text += RanksText(all.ranks, WeighsNanoseconds(view), kRankRows);
    text += EfficiencyText(efficiency);
    text += advice(options.limit == 0 ? kAdviceRows : options.limit);
    text += States(view, summary);
    text += PhasesText(view);
    text += Regions(view, options);
    text += Functions(view, symbolizer, options, kFunctionRows);
    text += Blame(view, symbolizer, options, kBlameRows);
    text +=
        "\n--tree shows who calls them, --threads each thread, --regions what regions lose, --waits where threads "
        "wait,\n"
        "--blame who makes them wait, --locks for what locks, --advice what to change, --view=machine the stacks as "
        "they were.\n";
  }
  if (options.top) text += Functions(view, symbolizer, options, kTopRows);
  if (options.ranks) {
    const std::string section = RanksText(all.ranks, WeighsNanoseconds(view), options.limit);
    text +=
        section.empty() ? "\nOne process only: give the profiles of all ranks, or `ompprof merge` them.\n" : section;
  }
  if (options.threads) text += Threads(view, summary);
  if (options.regions) text += EfficiencyText(efficiency) + RegionLossesText(view, efficiency.duration_ns, options);
  if (options.waits) text += WaitsText(view, options);
  if (options.blame) text += Blame(view, symbolizer, options, kTopRows) + UnblamedText(view);
  if (options.advice) {
    const std::string section = advice(options.limit);
    if (!analyze::WaitsRecorded(view))
      text += "\nNo advice: it is made from waits, and they were not recorded (--waits=off).\n";
    else
      text += section.empty() ? "\nNo advice: nothing that could be changed would save 3 % of the run.\n" : section;
  }
  if (options.locks && answers != nullptr) text += TextLocks(view, answers->locks, options);
  if (options.tree) {
    text += "\nCall tree (" + std::string(view.kind == analyze::ViewKind::kUser ? "user" : "machine") + " view)\n";
    text += TextTree(view, analyze::BuildCallTree(view, options.lines), options.min_percent, options.full_names);
  }
  return text;
}

}  // namespace ompprof::report
