#include "profiler/analyze/account/thread_counts.h"

#include <algorithm>

#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

struct Change {
  uint64_t at_us;
  int8_t busy;
  int8_t waiting;
};

// A thread's changes. Stretches that touch and are of one kind are one.
void AddChanges(const View& view, const ThreadTimeline& timeline, std::vector<Change>* changes) {
  const auto waits = [&](const Stretch& stretch) { return IsWaiting(view.samples[stretch.sample].state); };
  for (size_t i = 0; i < timeline.stretches.size();) {
    const bool waiting = waits(timeline.stretches[i]);
    const uint64_t begin_us = timeline.stretches[i].begin_ns / 1000;
    uint64_t end_us = begin_us;
    for (; i < timeline.stretches.size() && waits(timeline.stretches[i]) == waiting; ++i) {
      if (end_us != begin_us && timeline.stretches[i].begin_ns / 1000 > end_us) break;
      end_us = timeline.stretches[i].end_ns / 1000;
    }
    if (end_us == begin_us) continue;
    const auto busy = static_cast<int8_t>(waiting ? 0 : 1);
    const auto one = static_cast<int8_t>(1 - busy);
    changes->push_back({begin_us, busy, one});
    changes->push_back({end_us, static_cast<int8_t>(-busy), static_cast<int8_t>(-one)});
  }
}

}  // namespace

bool IsWaiting(OmptState state) {
  const StateKind kind = KindOf(state);
  return IsMeasuredWait(kind) || kind == StateKind::kTarget || kind == StateKind::kOtherWait ||
         kind == StateKind::kLibrary || kind == StateKind::kMpi;
}

std::vector<ThreadCount> CountThreads(const View& view, const std::vector<ThreadTimeline>& timelines,
                                      uint32_t process) {
  std::vector<Change> changes;
  for (const ThreadTimeline& timeline : timelines) {
    if (timeline.process == process) AddChanges(view, timeline, &changes);
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at_us < b.at_us; });
  std::vector<ThreadCount> counts;
  ThreadCount now{};
  for (size_t i = 0; i < changes.size();) {
    const ThreadCount before = now;
    now.at_us = changes[i].at_us;
    for (; i < changes.size() && changes[i].at_us == now.at_us; ++i) {
      now.busy += static_cast<uint32_t>(changes[i].busy);
      now.waiting += static_cast<uint32_t>(changes[i].waiting);
    }
    if (counts.empty() || now.busy != before.busy || now.waiting != before.waiting) counts.push_back(now);
  }
  return counts;
}

}  // namespace ompprof::analyze
