#include "profiler/report/html/page_timeline.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "profiler/analyze/account/timeline.h"

namespace ompprof::report {
namespace {

using Stretches = std::vector<PageStretch>;

// Adds the stretches of one thread with their weights, and the samples taken within stretches of waiting. `timed`
// points at the thread's first entry; afterwards, behind its last entry.
void AddThread(const analyze::View& view, const analyze::ThreadTimeline& thread, const PageStretch& like,
               const std::function<uint32_t(analyze::PathId)>& node_of,
               std::vector<analyze::TimedSample>::const_iterator* timed, Stretches* stretches) {
  const auto add = [&](uint32_t number, uint64_t begin_ns, uint64_t end_ns) -> PageStretch& {
    const analyze::ViewSample& sample = view.samples[number];
    PageStretch stretch = like;
    stretch.node = node_of(sample.path);
    stretch.state = sample.state;
    stretch.begin_ns = begin_ns;
    stretch.end_ns = end_ns;
    stretches->push_back(stretch);
    return stretches->back();
  };
  auto next = thread.stretches.begin();
  const auto add_waits = [&] {
    for (; next != thread.stretches.end() && view.samples[next->sample].interval; ++next) {
      PageStretch& stretch = add(next->sample, next->begin_ns, next->end_ns);
      stretch.wait_ns = stretch.busy_ns = next->end_ns - next->begin_ns;
    }
  };
  for (; *timed != view.timed.end(); ++*timed) {
    const analyze::TimedSample& entry = **timed;
    const analyze::ViewSample& sample = view.samples[entry.sample];
    if (sample.process != thread.process || sample.thread != thread.thread) break;
    if (sample.interval) continue;
    add_waits();
    if (next != thread.stretches.end() && next->sample == entry.sample && next->end_ns == entry.time_ns) {
      PageStretch& stretch = add(next->sample, next->begin_ns, next->end_ns);
      stretch.busy_ns = next->end_ns - next->begin_ns;
      stretch.weight = entry.weight;
      ++next;
    } else {
      constexpr uint64_t kMicrosecond = 1000;  // the sample has a place in time but no length
      add(entry.sample, entry.time_ns - std::min(entry.time_ns, kMicrosecond), entry.time_ns).weight = entry.weight;
    }
  }
  add_waits();
}

auto Kind(const PageStretch& stretch) {
  return std::make_tuple(stretch.node, stretch.process, stretch.state, stretch.wait_ns > 0, stretch.busy_ns > 0);
}

// Joins similar stretches of a row if they begin in the same `piece_ns` of time, or if the gap between them is at most
// `piece_ns`.
void Join(uint64_t piece_ns, Stretches* stretches) {
  std::sort(stretches->begin(), stretches->end(), [piece_ns](const PageStretch& a, const PageStretch& b) {
    return std::make_tuple(a.row, a.begin_ns / piece_ns, Kind(a), a.begin_ns) <
           std::make_tuple(b.row, b.begin_ns / piece_ns, Kind(b), b.begin_ns);
  });
  size_t kept = 0;
  for (const PageStretch& stretch : *stretches) {
    PageStretch* last = kept == 0 ? nullptr : &(*stretches)[kept - 1];
    if (last != nullptr && last->row == stretch.row && Kind(*last) == Kind(stretch) &&
        stretch.begin_ns <= last->end_ns + piece_ns) {
      last->end_ns = std::max(last->end_ns, stretch.end_ns);
      last->busy_ns += stretch.busy_ns;
      last->weight += stretch.weight;
      last->wait_ns += stretch.wait_ns;
    } else {
      (*stretches)[kept++] = stretch;
    }
  }
  stretches->resize(kept);
}

// The number of living threads over time, in steps of 1 / 2,000 of the run.
std::vector<LivingThreads> Living(const analyze::RunFacts& run, uint64_t duration_ns) {
  constexpr uint64_t kSteps = 2000;
  const uint64_t step_ns = std::max<uint64_t>(1, duration_ns / kSteps);
  int64_t first_unix_ns = INT64_MAX;
  for (const analyze::ProcessFacts& process : run.processes)
    first_unix_ns = std::min(first_unix_ns, process.start_unix_ns);
  std::map<uint64_t, int64_t> changes;  // by step
  for (const analyze::ProcessFacts& process : run.processes) {
    const auto start_ns = static_cast<uint64_t>(process.start_unix_ns - first_unix_ns);
    for (const analyze::ThreadFacts& thread : process.threads) {
      const uint64_t begin_ns = start_ns + thread.start_mono_ns - std::min(thread.start_mono_ns, process.start_mono_ns);
      ++changes[begin_ns / step_ns];
      --changes[(begin_ns + thread.lifetime_ns) / step_ns];
    }
  }
  std::vector<LivingThreads> living;
  int64_t threads = 0;
  for (const auto& [step, change] : changes) {
    if (change == 0) continue;
    threads += change;
    living.push_back({step * step_ns, static_cast<uint32_t>(std::max<int64_t>(0, threads))});
  }
  return living;
}

}  // namespace

PageTimeline BuildPageTimeline(const analyze::View& view, const ThreadRows& rows,
                               const std::function<uint32_t(analyze::PathId)>& node_of, size_t limit) {
  PageTimeline timeline;
  auto timed = view.timed.begin();
  for (const analyze::ThreadTimeline& thread : analyze::Timelines(view)) {
    PageStretch like;
    like.row = rows.Of(thread.process, thread.thread);
    like.process = thread.process;
    AddThread(view, thread, like, node_of, &timed, &timeline.stretches);
  }
  Stretches& stretches = timeline.stretches;
  timeline.duration_ns = std::max(timeline.duration_ns, view.run.duration_ns());
  for (const PageStretch& stretch : stretches) timeline.duration_ns = std::max(timeline.duration_ns, stretch.end_ns);
  timeline.living = Living(view.run, timeline.duration_ns);
  for (const analyze::ProcessFacts& process : view.run.processes)
    timeline.resolution_ns = std::max(timeline.resolution_ns, process.timed_piece_ns);
  constexpr uint64_t kFinest = 100000;  // pieces of the run's duration
  constexpr uint64_t kCoarsest = 100;
  for (uint64_t pieces = kFinest; stretches.size() > limit && pieces >= kCoarsest; pieces /= 4) {
    const uint64_t piece_ns = std::max<uint64_t>(timeline.duration_ns / pieces, 1);
    timeline.resolution_ns = std::max(timeline.resolution_ns, piece_ns);
    Join(piece_ns, &stretches);
  }
  if (stretches.size() > limit) {
    // The stretches differ in too many stacks: keep only their states.
    for (PageStretch& stretch : stretches) stretch.node = 0;
    Join(timeline.resolution_ns, &stretches);
  }
  std::sort(stretches.begin(), stretches.end(), [](const PageStretch& a, const PageStretch& b) {
    return std::tie(a.row, a.begin_ns) < std::tie(b.row, b.begin_ns);
  });
  return timeline;
}

}  // namespace ompprof::report
