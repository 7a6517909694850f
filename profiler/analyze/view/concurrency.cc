#include "profiler/analyze/view/concurrency.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ompprof::analyze {

Span SpanOf(const ProcessFacts& process) {
  const auto begin = static_cast<uint64_t>(std::max<int64_t>(process.start_unix_ns, 0));
  return {begin, begin + process.duration_ns};
}

Span SpanOf(const ProcessFacts& process, const ThreadFacts& thread) {
  const uint64_t after =
      thread.start_mono_ns > process.start_mono_ns ? thread.start_mono_ns - process.start_mono_ns : 0;
  const uint64_t begin = SpanOf(process).begin_ns + after / process.members;
  return {begin, begin + thread.lifetime_ns / process.members};
}

uint64_t UnionNs(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; });
  uint64_t all = 0;
  uint64_t until = 0;
  for (const Span& span : spans) {
    if (span.end_ns <= until) continue;
    all += span.end_ns - std::max(span.begin_ns, until);
    until = span.end_ns;
  }
  return all;
}

std::vector<uint32_t> SlotsOf(const std::vector<Span>& spans) {
  std::vector<size_t> by_begin(spans.size());
  std::iota(by_begin.begin(), by_begin.end(), size_t{0});
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [&](size_t a, size_t b) { return spans[a].begin_ns < spans[b].begin_ns; });
  std::vector<uint32_t> slots(spans.size());
  std::set<std::pair<uint64_t, uint32_t>> free_from;  // free slots, by the end of their last span
  uint32_t count = 0;
  for (const size_t i : by_begin) {
    auto later = free_from.upper_bound({spans[i].begin_ns, UINT32_MAX});
    uint32_t slot = count;
    if (later == free_from.begin()) {
      ++count;
    } else {
      slot = std::prev(later)->second;
      free_from.erase(std::prev(later));
    }
    free_from.emplace(spans[i].end_ns, slot);
    slots[i] = slot;
  }
  return slots;
}

uint32_t ThreadsAtATime(const RunFacts& run) {
  std::vector<Span> spans;
  for (const ProcessFacts& process : run.processes) {
    for (const ThreadFacts& thread : process.threads) {
      if (thread.is_openmp() || process.runtimes.empty()) spans.push_back(SpanOf(process, thread));
    }
  }
  const std::vector<uint32_t> slots = SlotsOf(spans);
  return slots.empty() ? 0 : *std::max_element(slots.begin(), slots.end()) + 1;
}

double OpenmpProcessesAtATime(const RunFacts& run) {
  std::vector<Span> spans;
  uint64_t sum = 0;
  for (const ProcessFacts& process : run.processes) {
    if (process.runtimes.empty()) continue;
    spans.push_back(SpanOf(process));
    sum += process.durations_ns();
  }
  const uint64_t all = UnionNs(spans);
  // Without durations, the processes count as side by side.
  const double mean =
      all == 0 ? static_cast<double>(run.members()) : static_cast<double>(sum) / static_cast<double>(all);
  return std::max(mean, 1.0);
}

}  // namespace ompprof::analyze
