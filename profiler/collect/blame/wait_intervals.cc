#include "profiler/collect/blame/wait_intervals.h"

#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/thread/phase.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// Where samples are counted in events, there is no period of time.
constexpr uint64_t kDefaultShortestNs = 5000000;

bool IsLongEnough(uint64_t begin_ns, uint64_t end_ns) {
  const uint64_t shortest =
      session.config.event[0] == '\0' && session.period != 0 ? session.period : kDefaultShortestNs;
  return begin_ns != 0 && end_ns > begin_ns && end_ns - begin_ns >= shortest;
}

Sample IntervalAtRegion(OmptState state, uint64_t begin_ns, uint64_t end_ns, RegionRef ended) {
  Sample interval{};
  interval.kind = kInterval;
  interval.state = state;
  interval.extra = end_ns - begin_ns;
  interval.time_ns = end_ns;
  interval.splice = interval.region = ended;
  return interval;
}

}  // namespace

void WaitedFrom(ThreadState* thread, OmptState state, uint64_t begin_ns, uint64_t end_ns, uint64_t wait_id,
                RegionRef ended) {
  if (!session.config.timeline || !IsLongEnough(begin_ns, end_ns)) return;
  if (!session.collecting.load(std::memory_order_relaxed)) return;
  Sample interval = IntervalAtRegion(state, begin_ns, end_ns, ended);
  if (ended != 0) {
    MarkSampled(ended);  // if it lives, its path is needed
  } else if (state != OmptState::kIdle) {
    TaskView view;
    interval.node = LeafHere(thread, &view);
    interval.splice = view.splice;
    interval.region = view.region;
    interval.wait_id = wait_id;
    if (interval.node == 0) {
      Add(&thread->waiting.intervals_lost, 1);
      return;
    }
  }
  if (!PushFromCallback(thread, interval)) Add(&thread->waiting.intervals_lost, 1);
}

void CutInterval(ThreadState* thread, OmptState state, uint64_t begin_ns, uint64_t end_ns, RegionRef ended) {
  if (!session.config.timeline || !IsLongEnough(begin_ns, end_ns)) return;
  Sample* cut = &thread->waiting.cut_intervals[state == OmptState::kIdle ? 1 : 0];
  *cut = IntervalAtRegion(state, begin_ns, end_ns, ended);
  cut->phase = PhaseForSample(*thread, ended);
}

}  // namespace ompprof::collect
