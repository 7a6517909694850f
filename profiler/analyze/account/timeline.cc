#include "profiler/analyze/account/timeline.h"

#include <algorithm>

namespace ompprof::analyze {
namespace {

// The longest time that a sample stands for, if weights are events.
constexpr uint64_t kLongestEventNs = 10000000;

struct Clock {
  bool nanoseconds;
  uint64_t closed_gap_ns;
};

Clock ClockOf(const SamplingFacts& sampling) {
  if (!sampling.weighs_ns()) return {false, kLongestEventNs};
  return {true, sampling.period + sampling.tick_ns};
}

using TimedIterator = std::vector<TimedSample>::const_iterator;

// The stretches of waiting among a thread's entries. If two overlap, the later stretch is shortened.
std::vector<Stretch> Waits(const View& view, TimedIterator begin, TimedIterator end) {
  std::vector<Stretch> waits;
  for (TimedIterator at = begin; at != end; ++at) {
    if (!view.samples[at->sample].interval) continue;
    uint64_t from = at->time_ns - std::min(at->weight, at->time_ns);
    if (!waits.empty()) from = std::max(from, waits.back().end_ns);
    if (from < at->time_ns) waits.push_back({at->sample, from, at->time_ns});
  }
  return waits;
}

std::vector<Stretch> Stretches(const View& view, const Clock& clock, TimedIterator begin, TimedIterator end) {
  const std::vector<Stretch> waits = Waits(view, begin, end);
  std::vector<Stretch> stretches;
  auto wait = waits.begin();
  for (TimedIterator at = begin; at != end; ++at) {
    if (view.samples[at->sample].interval) continue;
    for (; wait != waits.end() && wait->end_ns <= at->time_ns; ++wait) stretches.push_back(*wait);
    if (wait != waits.end() && wait->begin_ns < at->time_ns) continue;
    const uint64_t before = stretches.empty() ? 0 : stretches.back().end_ns;
    const uint64_t length = std::min(clock.nanoseconds ? at->weight : kLongestEventNs, at->time_ns);
    uint64_t from = std::max(at->time_ns - length, before);
    if (from - before < clock.closed_gap_ns) from = before;
    if (from < at->time_ns) stretches.push_back({at->sample, from, at->time_ns});
  }
  stretches.insert(stretches.end(), wait, waits.end());
  return stretches;
}

}  // namespace

std::vector<ThreadTimeline> Timelines(const View& view) {
  std::vector<ThreadTimeline> timelines;
  for (TimedIterator begin = view.timed.begin(); begin != view.timed.end();) {
    const ViewSample& first = view.samples[begin->sample];
    const TimedIterator end = std::find_if(begin, view.timed.end(), [&](const TimedSample& timed) {
      const ViewSample& sample = view.samples[timed.sample];
      return sample.process != first.process || sample.thread != first.thread;
    });
    const Clock clock = ClockOf(view.run.process(first.process).sampling);
    timelines.push_back({first.process, first.thread, Stretches(view, clock, begin, end)});
    begin = end;
  }
  return timelines;
}

}  // namespace ompprof::analyze
