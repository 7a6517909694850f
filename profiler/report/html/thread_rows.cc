#include "profiler/report/html/thread_rows.h"

#include <algorithm>
#include <set>

#include "profiler/analyze/process_labels.h"

namespace ompprof::report {
namespace {

// So many rows fit under each other, and so many bars into a sparkline.
constexpr size_t kMostRows = 96;
constexpr size_t kGroups = 64;

uint64_t Lifetime(const model::ProcessProfile& process, const Thread& thread) {
  const uint64_t end = process.header.start_mono_ns() + process.DurationNs();
  const uint64_t until = thread.end_mono_ns() != 0 ? std::min<uint64_t>(thread.end_mono_ns(), end) : end;
  return until > thread.start_mono_ns() ? until - thread.start_mono_ns() : 0;
}

const char* KindName(Thread::Kind kind) {
  switch (kind) {
    case Thread::INITIAL:
      return "initial";
    case Thread::WORKER:
      return "worker";
    case Thread::MAIN:
      return "main";
    case Thread::OTHER:
      return "other";
    default:
      return "not OpenMP's";
  }
}

// A rank says more than a process id, where there is one for each.
std::vector<std::string> LabelsOf(const analyze::View& view) {
  if (view.processes.size() < 2) return {};
  std::set<std::string> ranks;
  std::vector<std::string> labels;
  for (const model::ProcessProfile* process : view.processes) {
    if (process->header.rank().empty() || !ranks.insert(process->header.rank()).second)
      return analyze::ProcessLabels(view);
    labels.push_back("rank " + process->header.rank());
  }
  return labels;
}

}  // namespace

ThreadRows::ThreadRows(const analyze::View& view, const analyze::Summary& summary) : processes_(LabelsOf(view)) {
  const std::vector<analyze::ThreadCost>& threads = summary.threads;
  const size_t each = threads.size() <= kMostRows ? 1 : (threads.size() + kGroups - 1) / kGroups;
  for (size_t first = 0; first < threads.size(); first += each) {
    const size_t last = std::min(first + each, threads.size()) - 1;
    ThreadRow row;
    row.label = Label(threads[first].process, threads[first].id);
    if (last > first) row.label += " to " + Label(threads[last].process, threads[last].id);
    if (last == first) row.name = threads[first].thread.name() + ", " + KindName(threads[first].thread.kind());
    for (size_t i = first; i <= last; ++i) {
      const analyze::ThreadCost& thread = threads[i];
      row_of_[{thread.process, thread.id}] = static_cast<uint32_t>(rows_.size());
      ++row.threads;
      row.cpu_ns += thread.thread.cpu_ns();
      if (thread.id != 0) row.lifetime_ns += Lifetime(*view.processes[thread.process], thread.thread);
    }
    rows_.push_back(std::move(row));
  }
  if (rows_.empty()) rows_.emplace_back();  // a profile without threads: for what Of is asked
  for (const analyze::ViewSample& sample : view.samples)
    rows_[Of(sample.process, sample.thread)].sampled[static_cast<int>(TimeClassOf(sample.state))] += sample.weight;
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    rows_[Of(wait.process, wait.thread)].waited_ns[static_cast<int>(TimeClassOf(wait.state))] += wait.total_ns;
  }
}

uint32_t ThreadRows::Of(uint32_t process, uint32_t thread) const {
  const auto entry = row_of_.find({process, thread});
  return entry == row_of_.end() ? 0 : entry->second;
}

std::string ThreadRows::Label(uint32_t process, uint32_t thread) const {
  const std::string number = thread == 0 ? "?" : std::to_string(thread);
  return processes_.empty() ? number : processes_[process] + "/" + number;
}

}  // namespace ompprof::report
