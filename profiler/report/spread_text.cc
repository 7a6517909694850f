#include "profiler/report/spread_text.h"

#include <algorithm>

#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/spread_columns.h"
#include "profiler/report/names_text.h"
#include "profiler/report/style.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using analyze::FigureKind;
using analyze::FigureMetric;
using analyze::JobFigure;

constexpr size_t kUsualRows = 5;

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
  return text + Wrap("  `ompprof report --rank=N` shows such a rank alone.", 2, style.width) + "\n";
}

}  // namespace

std::vector<const JobFigure*> ChosenFigures(const analyze::View& view, size_t limit) {
  std::vector<const JobFigure*> chosen;
  for (const JobFigure& figure : view.job_figures) {
    if (figure.kind == FigureKind::kRun) chosen.push_back(&figure);
  }
  for (const FigureKind kind :
       {FigureKind::kRegion, FigureKind::kFunction, FigureKind::kState, FigureKind::kWait, FigureKind::kLock}) {
    std::vector<const JobFigure*> of_kind;
    for (const JobFigure& figure : view.job_figures) {
      if (figure.kind == kind && figure.metric == MetricOf(kind) && !figure.histogram.empty())
        of_kind.push_back(&figure);
    }
    std::stable_sort(of_kind.begin(), of_kind.end(),
                     [](const JobFigure* a, const JobFigure* b) { return a->sum > b->sum; });
    of_kind.resize(std::min(of_kind.size(), limit == 0 ? kUsualRows : limit));
    chosen.insert(chosen.end(), of_kind.begin(), of_kind.end());
  }
  return chosen;
}

std::string SpreadText(const analyze::View& view, const TextOptions& options) {
  if (view.job_figures.empty()) return "";
  RowsText<SpreadRow> table(SpreadColumns(), &Column<SpreadRow>::text, WeighingOf(view));
  for (const JobFigure* figure : ChosenFigures(view, options.limit)) table.Add({view, *figure});
  return Title(options.style, "Spread over " + Count(view.run.members()) + " processes") + table.Text(options.style) +
         OutliersText(view, options.style);
}

}  // namespace ompprof::report
