#include "profiler/report/html/thread_rows.h"

#include <algorithm>
#include <set>

#include "profiler/analyze/account/thread_groups.h"
#include "profiler/analyze/view/process_labels.h"
#include "profiler/report/basics/names_text.h"

namespace ompprof::report {
namespace {

// A page has room for so many rows, and a sparkline for so many bars.
constexpr size_t kMostRows = 96;
constexpr size_t kGroups = 64;

const char* KindName(analyze::ThreadKind kind) {
  switch (kind) {
    case analyze::ThreadKind::kUnknown:
    case analyze::ThreadKind::kNewer:
      return "no OpenMP thread";
    default:
      return analyze::ThreadKindName(kind);
  }
}

// Labels are ranks if each process has its own rank, because a rank says more than a process id.
std::vector<std::string> LabelsOf(const analyze::View& view) {
  const analyze::RunFacts& run = view.run;
  if (!run.several()) return {};
  std::set<std::string> ranks;
  std::vector<std::string> labels;
  for (const analyze::ProcessFacts& process : run.processes) {
    if (process.rank.empty() || !ranks.insert(process.rank).second) return analyze::ProcessLabels(view);
    labels.push_back("rank " + process.rank);
  }
  return labels;
}

}  // namespace

ThreadRows::ThreadRows(const analyze::View& view, const analyze::Summary& summary) : labels_(LabelsOf(view)) {
  const std::vector<analyze::ThreadCost>& threads = summary.threads;
  const std::vector<analyze::ThreadGroup> groups = analyze::GroupThreads(view, summary);
  const size_t each = groups.size() <= kMostRows ? 1 : (groups.size() + kGroups - 1) / kGroups;
  for (size_t first = 0; first < groups.size(); first += each) {
    const size_t last = std::min(first + each, groups.size()) - 1;
    const analyze::ThreadCost& begin = threads[groups[first].threads.front()];
    const analyze::ThreadCost& end = threads[groups[last].threads.back()];
    PageThread row;
    for (size_t group = first; group <= last; ++group) {
      for (const size_t i : groups[group].threads) {
        const analyze::ThreadCost& thread = threads[i];
        row_of_[{thread.process, thread.id}] = static_cast<uint32_t>(rows_.size());
        ++row.threads;
        row.cpu_ns += thread.thread.cpu_ns;
        row.lifetime_ns += thread.thread.lifetime_ns;
        row.ready_ns += thread.account.ready_ns;
        row.blocked_ns += thread.account.blocked_ns;
      }
    }
    row.label = Label(begin.process, begin.id);
    if (row.threads > 1) row.label += " to " + Label(end.process, end.id);
    if (row.threads == 1) {
      row.name = begin.thread.name + ", " + KindName(begin.thread.kind);
      row.placement = PlacementText(begin.thread.placement);
    }
    rows_.push_back(std::move(row));
  }
  if (rows_.empty()) rows_.emplace_back();  // a profile without threads: Of needs a row
  for (const analyze::ViewSample& sample : view.samples)
    rows_[Of(sample.process, sample.thread)].sampled[static_cast<int>(TimeClassOf(sample.state))] += sample.cost.weight;
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    rows_[Of(wait.process, wait.thread)].waited_ns[static_cast<int>(TimeClassOf(wait.state))] += wait.total_ns;
  }
}

uint32_t ThreadRows::Of(uint32_t process, uint32_t thread) const {
  const auto entry = row_of_.find({process, thread});
  return entry == row_of_.end() ? 0 : entry->second;
}

uint32_t ThreadRows::LastOf(uint32_t process) const {
  uint32_t last = 0;
  for (auto row = row_of_.lower_bound({process, 0}); row != row_of_.end() && row->first.first == process; ++row)
    last = std::max(last, row->second);
  return last;
}

std::string ThreadRows::ProcessPrefix(uint32_t process) const { return labels_.empty() ? "" : labels_[process] + "/"; }

std::string ThreadRows::Label(uint32_t process, uint32_t thread) const {
  return ProcessPrefix(process) + (thread == 0 ? "?" : std::to_string(thread));
}

}  // namespace ompprof::report
