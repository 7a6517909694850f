#include "profiler/report/whole/text_report.h"

#include "profiler/analyze/view/call_tree.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/sections/advice.h"
#include "profiler/report/sections/devices.h"
#include "profiler/report/sections/efficiency.h"
#include "profiler/report/sections/functions.h"
#include "profiler/report/sections/locks.h"
#include "profiler/report/sections/outside_waits.h"
#include "profiler/report/sections/phases.h"
#include "profiler/report/sections/ranks.h"
#include "profiler/report/sections/regions.h"
#include "profiler/report/sections/spread.h"
#include "profiler/report/sections/states.h"
#include "profiler/report/sections/tree.h"
#include "profiler/report/sections/unnamed.h"
#include "profiler/report/sections/waits.h"
#include "profiler/report/whole/first_screen.h"
#include "profiler/report/whole/text_header.h"

namespace ompprof::report {
namespace {

constexpr size_t kBlameRows = 8;
constexpr size_t kAdviceRows = 4;
constexpr size_t kRankRows = 16;
constexpr size_t kMostRanks = 100;  // of which --ranks shows all without --limit
constexpr size_t kFunctionRows = 15;
constexpr size_t kTopRows = 50;
constexpr size_t kFirstWaitRows = 8;
constexpr size_t kFirstOutsideWaitRows = 4;
constexpr size_t kFirstDeviceRows = 6;
constexpr size_t kDeviceRows = 40;
constexpr size_t kWaitRows = 20;
constexpr size_t kHintColumns = 110;

bool NoneAsked(const TextOptions& options) {
  return !options.tree && !options.top && !options.threads && !options.states && !options.regions && !options.blame &&
         !options.waits && !options.advice && !options.locks && !options.devices && !options.ranks && !options.peek &&
         !options.by && !options.full;
}

// Instead of a section.
std::string Remark(const Style& style, const std::string& text) { return "\n" + Wrap(text, 0, style.width) + "\n"; }

std::string Hint(const Style& style) {
  return "\n" +
         Paint(
             style, Color::kDim,
             Wrap(
                 "--tree shows who calls them, --peek=REGEX one function's callers and callees, --threads each thread, "
                 "--states each thread's states, --regions what regions lose, --waits where threads wait, --blame who "
                 "makes them wait, --locks the locks that they wait for, --devices what devices did, --advice what to "
                 "change, --view=machine the stacks as they were.",
                 0, style.width == 0 ? kHintColumns : style.width)) +
         "\n";
}

std::string Tree(const analyze::View& view, const TextOptions& options) {
  analyze::CallTree tree = analyze::BuildCallTree(view, options.lines, options.metric);
  if (!options.no_fold) tree = analyze::FoldCallTree(view, tree, options.metric);
  return Title(options.style, std::string("Call tree (") +
                                  (view.kind == analyze::ViewKind::kUser ? "user" : "machine") + " view, by " +
                                  MetricTitle(view, options.metric) + "; shares of " + WholeText(view, options.metric) +
                                  ")") +
         TextTree(view, tree, options);
}

std::string Full(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                 const TextOptions& options, const analyze::Answers& answers) {
  const Style& style = options.style;
  const auto limit = [&options](size_t usual) { return options.limit == 0 ? usual : options.limit; };
  const bool sampled = view.total_samples > 0;  // without samples, the header says why
  std::string text = RanksText(answers.ranks, WeighsNanoseconds(view), limit(kRankRows), style);
  text += EfficiencyText(view, answers.efficiency, style);
  text += AdviceSection(view, answers, limit(kAdviceRows), style);
  if (sampled) text += StatesText(view, summary, options);
  text += PhasesText(view, options);
  text += RegionsText(view, options);
  text += WaitsText(view, options, kFirstWaitRows);
  text += OutsideWaitsText(view, options, kFirstOutsideWaitRows);
  text += DevicesText(view, options, kFirstDeviceRows);
  if (options.metric != analyze::Metric::kWeight)
    text += FunctionsText(view, symbolizer, options, kFunctionRows);
  else if (sampled)
    text += HottestText(view, symbolizer, options, kFunctionRows);
  text += UnnamedText(view, answers.unnamed, style);
  text += BlameText(view, symbolizer, options, kBlameRows);
  text += DeviceBlameText(view, options, kBlameRows);
  return text + Hint(style);
}

}  // namespace

std::string TextReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const TextOptions& options, const analyze::Answers* answers) {
  const Style& style = options.style;
  static const analyze::Answers kNone;
  const analyze::Answers& all = answers != nullptr ? *answers : kNone;
  if (NoneAsked(options)) return FirstScreen(view, summary, symbolizer, options, all);
  std::string text = TextHeader(view, summary, options.filtered, style);
  const analyze::Efficiency& efficiency = all.efficiency;
  if (options.full) text += Full(view, summary, symbolizer, options, all);
  if (options.top) text += FunctionsText(view, symbolizer, options, kTopRows) + UnnamedText(view, all.unnamed, style);
  if (options.by) text += BreakdownText(view, symbolizer, options);
  if (options.peek) text += PeekText(view, symbolizer, options);
  if (options.ranks) {
    // Of a large job, the most and the least useful ranks, unless more are asked for.
    const size_t rows = options.limit == 0 && all.ranks.ranks.size() > kMostRanks ? kRankRows : options.limit;
    const std::string section = RanksText(all.ranks, WeighsNanoseconds(view), rows, style);
    if (section.empty() && !view.run.is_unified())
      text += Remark(style, "One process only: give the profiles of all ranks, or `ompprof merge` them.");
    text += section + RankRegionsText(view, all.ranks, options) + SpreadText(view, options);
  }
  if (options.threads) text += ThreadsText(view, summary, options);
  if (options.states) text += StatesByThreadText(view, options);
  if (options.regions) {
    const uint64_t duration_ns = view.selection.any() ? summary.duration_ns : efficiency.duration_ns;
    text += EfficiencyText(view, efficiency, style) + RegionLossesText(view, duration_ns, options) +
            TargetsText(view, options);
  }
  if (options.regions && options.paths) text += RegionPathsText(view, options);
  if (options.waits) text += WaitsText(view, options, kWaitRows) + OutsideWaitsText(view, options, kWaitRows);
  if (options.blame)
    text += BlameText(view, symbolizer, options, kTopRows) + DeviceBlameText(view, options, kTopRows) +
            (view.selection.any() ? "" : UnblamedText(view, style));
  if (options.advice) {
    const std::string section = AdviceSection(view, all, options.limit, style);
    if (!analyze::WaitsRecorded(view))
      text += Remark(style, "No advice: it is made from waits, and they were not recorded (--waits=off).");
    else
      text += section.empty() ? Remark(style, NoAdviceText(view, all.findings)) : section;
    if (const std::string work = SlowWorkText(all, /*brief=*/false); !work.empty()) text += Remark(style, work);
  }
  if (options.devices) {
    const std::string section = DevicesText(view, options, kDeviceRows);
    text += section.empty()
                ? Remark(style, "No devices: the program used none, or its OpenMP runtime does not tell of them.")
                : section;
    if (options.paths) text += DevicePathsText(view, options, kDeviceRows);
  }
  if (options.locks && answers != nullptr) text += TextLocks(view, answers->locks, options);
  if (options.tree) text += Tree(view, options);
  return text;
}

}  // namespace ompprof::report
