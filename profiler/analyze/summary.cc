#include "profiler/analyze/summary.h"

#include <algorithm>
#include <map>

#include "profiler/analyze/omp_state.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

const char* LossName(LostReason reason) {
  switch (reason) {
    case LOST_TREE_FULL:
      return "tree full (--max-memory)";
    case LOST_RING_FULL:
      return "writer too slow";
    case LOST_BUSY:
      return "thread busy with its own record";
    case LOST_NOT_ATTACHED:
      return "thread not known to the collector";
    case LOST_NO_TIMER:
      return "threads without a timer";
    case LOST_WRITE:
      return "could not be written";
    default:
      return "unknown reason";
  }
}

uint64_t CpuNs(const model::ProcessProfile& process) {
  if (process.complete && process.footer.process_cpu_ns() > 0) {
    const Footer& footer = process.footer;
    return footer.process_cpu_ns() - std::min(footer.helper_cpu_ns(), footer.process_cpu_ns());
  }
  uint64_t cpu_ns = 0;
  for (const auto& [id, thread] : process.threads) cpu_ns += thread.cpu_ns();
  return cpu_ns;
}

Summary Summarize(const View& view) {
  Summary summary;
  std::map<std::pair<uint32_t, uint32_t>, ThreadCost> threads;
  std::map<std::string, Cost> states;
  std::map<LostReason, Cost> losses;

  for (uint32_t i = 0; i < view.processes.size(); ++i) {
    const model::ProcessProfile& process = *view.processes[i];
    summary.duration_ns = std::max(summary.duration_ns, process.DurationNs());
    summary.cpu_ns += CpuNs(process);
    summary.complete = summary.complete && process.complete;
    for (const auto& [id, thread] : process.threads) {
      ThreadCost& cost = threads[{i, id}];
      cost.thread = thread;
    }
    for (int k = 0; k < process.lost.reason_size(); ++k) {
      const auto reason = static_cast<LostReason>(process.lost.reason(k));
      const uint64_t samples = k < process.lost.samples_size() ? process.lost.samples(k) : 0;
      const uint64_t weight = k < process.lost.weight_size() ? process.lost.weight(k) : 0;
      if (samples == 0 && weight == 0) continue;
      losses[reason].Add(samples, weight);
      if (reason == LOST_NO_TIMER) continue;
      summary.lost_samples += samples;
      summary.lost_weight += weight;
    }
  }
  // A state's name is looked up once for each process, not for each sample.
  std::map<std::pair<uint32_t, OmptState>, Cost> by_state;
  for (const ViewSample& sample : view.samples) {
    if (sample.samples != 0 || sample.weight != 0) by_state[{sample.process, sample.state}].Add(sample);
    ThreadCost& thread = threads[{sample.process, sample.thread}];
    thread.cost.Add(sample);
    thread.by_activity[static_cast<int>(ActivityOf(sample.state))].Add(sample);
  }
  for (const auto& [key, cost] : by_state) {
    states[StateName(*view.processes[key.first], key.second)].Add(cost);
  }

  for (const auto& [name, cost] : states) summary.states.push_back({name, cost});
  std::stable_sort(summary.states.begin(), summary.states.end(),
                   [](const StateCost& a, const StateCost& b) { return a.cost.weight > b.cost.weight; });
  for (auto& [key, thread] : threads) {
    thread.process = key.first;
    thread.id = key.second;
    summary.threads.push_back(std::move(thread));
  }
  for (const auto& [reason, cost] : losses) summary.losses.push_back({reason, cost});
  return summary;
}

}  // namespace ompprof::analyze
