#include "profiler/analyze/account/summary.h"

#include <algorithm>
#include <map>

#include "profiler/analyze/view/omp_state.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

Summary Summarize(const View& view) {
  Summary summary;
  std::map<std::pair<uint32_t, uint32_t>, ThreadCost> threads;
  std::map<std::string, Cost> states;
  std::map<uint32_t, Cost> losses;

  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    const ProcessFacts& process = view.run.process(i);
    summary.duration_ns = std::max(summary.duration_ns, process.duration_ns);
    summary.cpu_ns += process.cpu_ns;
    summary.complete = summary.complete && process.complete;
    for (const ThreadFacts& thread : process.threads) {
      if (view.selection.thread && *view.selection.thread != thread.id) continue;
      threads[{i, thread.id}].thread = thread;
      const auto account = view.accounts.find({i, thread.id});
      if (account != view.accounts.end()) threads[{i, thread.id}].account = account->second;
    }
    for (const LossFacts& loss : process.losses) {
      if (loss.samples == 0 && loss.weight == 0) continue;
      losses[loss.reason].Add(loss.samples, loss.weight);
      if (LosesThreads(loss.reason)) continue;
      summary.lost_samples += loss.samples;
      summary.lost_weight += loss.weight;
    }
  }
  // Looks a state's name up once for each process, not for each sample.
  std::map<std::pair<uint32_t, OmptState>, Cost> by_state;
  for (const ViewSample& sample : view.samples) {
    if (!sample.cost.is_unsampled()) by_state[{sample.process, sample.state}].Add(sample.cost);
    ThreadCost& thread = threads[{sample.process, sample.thread}];
    thread.cost.Add(sample.cost);
    thread.by_activity[static_cast<int>(ActivityOf(sample.state))].Add(sample.cost);
  }
  for (const auto& [key, cost] : by_state) {
    states[StateName(view.run.process(key.first), key.second)].Add(cost);
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
