#include "profiler/analyze/account/thread_groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/analyze/view/concurrency.h"

namespace ompprof::analyze {
namespace {

constexpr size_t kMostSingle = 16;      // so many rows are still easy to read
constexpr uint64_t kPartOfProcess = 4;  // a short-lived thread lives for at most 1 / 4 of the process's time

// The threads that share a slot with another thread: the ones that follow each other.
std::vector<size_t> Following(const View& view, const Summary& summary, const std::vector<size_t>& threads) {
  std::vector<Span> spans;
  for (const size_t i : threads) {
    const ThreadCost& thread = summary.threads[i];
    spans.push_back(SpanOf(view.run.process(thread.process), thread.thread));
  }
  const std::vector<uint32_t> slots = SlotsOf(spans);
  std::map<uint32_t, size_t> sizes;
  for (const uint32_t slot : slots) ++sizes[slot];
  std::vector<size_t> following;
  for (size_t i = 0; i < threads.size(); ++i) {
    if (sizes[slots[i]] > 1) following.push_back(threads[i]);
  }
  return following;
}

}  // namespace

std::vector<ThreadGroup> GroupThreads(const View& view, const Summary& summary) {
  std::map<std::pair<uint32_t, ThreadKind>, std::vector<size_t>> short_lived;  // by process and kind
  for (size_t i = 0; i < summary.threads.size(); ++i) {
    const ThreadCost& thread = summary.threads[i];
    const bool is_short = thread.id != 0 && thread.thread.lifetime_ns > 0 &&
                          thread.thread.lifetime_ns <= view.run.process(thread.process).durations_ns() / kPartOfProcess;
    if (is_short) short_lived[{thread.process, thread.thread.kind}].push_back(i);
  }
  std::vector<bool> grouped(summary.threads.size(), false);
  std::vector<ThreadGroup> groups;
  for (const auto& [key, threads] : short_lived) {
    std::vector<size_t> following = Following(view, summary, threads);
    if (following.size() <= kMostSingle) continue;
    for (const size_t i : following) grouped[i] = true;
    groups.push_back({std::move(following)});
  }
  for (size_t i = 0; i < summary.threads.size(); ++i) {
    if (!grouped[i]) groups.push_back({{i}});
  }
  std::sort(groups.begin(), groups.end(),
            [](const ThreadGroup& a, const ThreadGroup& b) { return a.threads.front() < b.threads.front(); });
  return groups;
}

ThreadCost SumOf(const Summary& summary, const ThreadGroup& group) {
  ThreadCost sum = summary.threads[group.threads.front()];
  for (size_t i = 1; i < group.threads.size(); ++i) {
    const ThreadCost& thread = summary.threads[group.threads[i]];
    sum.cost.Add(thread.cost);
    for (int k = 0; k < kActivities; ++k) sum.by_activity[k].Add(thread.by_activity[k]);
    sum.account.Add(thread.account);
    sum.thread.cpu_ns += thread.thread.cpu_ns;
    sum.thread.placement.moves += thread.thread.placement.moves;
    sum.thread.lifetime_ns += thread.thread.lifetime_ns;
    sum.thread.sampled = sum.thread.sampled || thread.thread.sampled;
  }
  return sum;
}

}  // namespace ompprof::analyze
