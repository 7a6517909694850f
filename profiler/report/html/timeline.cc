#include "profiler/report/html/timeline.h"

#include <algorithm>

namespace ompprof::report {
namespace {

// As many as a page can draw at once and hold in a megabyte or two.
constexpr size_t kMostStretches = 150000;

// What the view knows of time, as stretches: nothing yet.
std::vector<Stretch> TimedStretches(const analyze::View& view, const ThreadRows& rows) {
  (void)view;
  (void)rows;
  return {};
}

// Puts those together that are alike and not further apart than `gap_ns`. They are sorted by row and time.
void Join(uint64_t gap_ns, std::vector<Stretch>* stretches) {
  size_t kept = 0;
  for (const Stretch& stretch : *stretches) {
    Stretch* last = kept == 0 ? nullptr : &(*stretches)[kept - 1];
    if (last != nullptr && last->row == stretch.row && last->sample == stretch.sample &&
        (last->weight == 0) == (stretch.weight == 0) && stretch.begin_ns <= last->end_ns + gap_ns) {
      last->end_ns = std::max(last->end_ns, stretch.end_ns);
      last->weight += stretch.weight;
      last->wait_ns += stretch.wait_ns;
    } else {
      (*stretches)[kept++] = stretch;
    }
  }
  stretches->resize(kept);
}

}  // namespace

Timeline BuildTimeline(const analyze::View& view, const ThreadRows& rows) {
  Timeline timeline;
  timeline.stretches = TimedStretches(view, rows);
  for (const model::ProcessProfile* process : view.processes)
    timeline.duration_ns = std::max(timeline.duration_ns, process->DurationNs());
  for (const Stretch& stretch : timeline.stretches)
    timeline.duration_ns = std::max(timeline.duration_ns, stretch.end_ns);
  std::sort(timeline.stretches.begin(), timeline.stretches.end(), [](const Stretch& a, const Stretch& b) {
    return a.row != b.row ? a.row < b.row : a.begin_ns < b.begin_ns;
  });
  constexpr uint64_t kFinest = 100000;  // pieces of the run's duration
  for (uint64_t pieces = kFinest; timeline.stretches.size() > kMostStretches && pieces > 0; pieces /= 4) {
    timeline.resolution_ns = timeline.duration_ns / pieces;
    // Within a piece the order is of no matter: what is alike comes together.
    const uint64_t piece = std::max<uint64_t>(timeline.resolution_ns, 1);
    std::sort(timeline.stretches.begin(), timeline.stretches.end(), [piece](const Stretch& a, const Stretch& b) {
      if (a.row != b.row) return a.row < b.row;
      if (a.begin_ns / piece != b.begin_ns / piece) return a.begin_ns < b.begin_ns;
      if (a.sample != b.sample) return a.sample < b.sample;
      return a.begin_ns < b.begin_ns;
    });
    Join(piece, &timeline.stretches);
  }
  return timeline;
}

}  // namespace ompprof::report
