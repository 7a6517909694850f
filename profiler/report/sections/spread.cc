#include "profiler/report/sections/spread.h"

#include <algorithm>
#include <set>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/style.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/spread_columns.h"

namespace ompprof::report {
namespace {

using analyze::FigureKind;
using analyze::FigureMetric;
using analyze::JobFigure;

constexpr size_t kUsualPlaces = 5;

// The metric by which figures of a kind are shown.
FigureMetric MetricOf(FigureKind kind) {
  switch (kind) {
    case FigureKind::kRegion:
      return FigureMetric::kWork;
    case FigureKind::kFunction:
      return FigureMetric::kSampledSelf;
    default:
      return FigureMetric::kWait;
  }
}

// The figures of a program's only process have no spread.
bool IsOfSeveral(const analyze::View& view, const JobFigure& figure) {
  return view.run.process(figure.process).members > 1;
}

std::string OutliersText(const analyze::View& view, const Style& style) {
  std::vector<const analyze::JobMember*> kept;
  for (const analyze::JobMember& member : view.job_members) {
    if (member.kept && !member.reason.empty()) kept.push_back(&member);
  }
  if (kept.empty() || kept.size() == view.job_members.size()) return "";
  std::stable_sort(kept.begin(), kept.end(), [](const auto* a, const auto* b) { return a->deviation > b->deviation; });
  std::string text = Title(style, "Processes that differ most (distance: see `ompprof help merge`)");
  for (const analyze::JobMember* member : kept) {
    const std::string name = member->rank.empty() ? "process " + std::to_string(member->pid) + " on " + member->host
                                                  : "rank " + member->rank;
    text += Wrap("  " + Printable(name) + ", distance " + Percent(member->deviation) + ": " + Printable(member->reason),
                 4, style.width) +
            "\n";
  }
  if (std::all_of(kept.begin(), kept.end(), [](const auto* member) { return member->rank.empty(); })) return text;
  return text + Sentence(style, "`ompprof report --rank=N` shows such a rank alone.");
}

}  // namespace

std::vector<const JobFigure*> ChosenFigures(const analyze::View& view, size_t limit) {
  std::vector<const JobFigure*> chosen;
  for (const JobFigure& figure : view.job_figures) {
    if (figure.kind == FigureKind::kRun && IsOfSeveral(view, figure)) chosen.push_back(&figure);
  }
  for (const FigureKind kind :
       {FigureKind::kRegion, FigureKind::kFunction, FigureKind::kState, FigureKind::kWait, FigureKind::kLock}) {
    std::vector<const JobFigure*> of_kind;
    for (const JobFigure& figure : view.job_figures) {
      if (figure.kind == kind && figure.metric == MetricOf(kind) && !figure.histogram.empty() &&
          IsOfSeveral(view, figure))
        of_kind.push_back(&figure);
    }
    std::stable_sort(of_kind.begin(), of_kind.end(),
                     [](const JobFigure* a, const JobFigure* b) { return a->sum > b->sum; });
    of_kind.resize(std::min(of_kind.size(), limit == 0 ? kUsualPlaces : limit));
    chosen.insert(chosen.end(), of_kind.begin(), of_kind.end());
  }
  return chosen;
}

std::string SpreadText(const analyze::View& view, const TextOptions& options) {
  const std::vector<const JobFigure*> chosen = ChosenFigures(view, options.limit);
  if (chosen.empty()) return "";
  std::set<uint32_t> programs;
  for (const JobFigure* figure : chosen) programs.insert(figure->process);
  uint64_t members = 0;
  for (const uint32_t program : programs) members += view.run.process(program).members;
  const std::set<std::string> without =
      programs.size() > 1 ? std::set<std::string>() : std::set<std::string>{"program"};
  RowsText<SpreadRow> table(SpreadColumns(), &Column<SpreadRow>::text, WeighingOf(view), without);
  for (const JobFigure* figure : chosen) table.Add({view, *figure});
  return Title(options.style, "Spread over " + Count(members) + " processes") + table.Text(options.style) +
         OutliersText(view, options.style);
}

void SpreadJson(const analyze::View& view, JsonWriter* json) {
  if (view.job_figures.empty()) return;
  json->Key("spread");
  json->BeginArray();
  for (const analyze::JobFigure& figure : view.job_figures) {
    if (figure.histogram.empty()) continue;
    json->BeginObject();
    JsonMembers(SpreadColumns(), SpreadRow{view, figure}, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
