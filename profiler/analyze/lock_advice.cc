#include "profiler/analyze/lock_advice.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/analyze/advice_run.h"
#include "profiler/analyze/gain.h"
#include "profiler/analyze/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// A shorter hold is a few instructions, with their cache misses and the cost of the clocks.
constexpr uint64_t kShortHoldNs = 2000;
constexpr uint64_t kLongHoldNs = 200000;

using LockKey = std::tuple<uint32_t, OmptState, uint64_t>;

// The waits for a lock, with the region and the place that have most of them, and the times that it was held.
struct LockWaits {
  uint64_t total_ns = 0;
  Estimate estimate;
  uint64_t count = 0;
  uint64_t held_count = 0;
  uint64_t held_ns = 0;
  FunctionId region = kNoFunction;
  uint64_t region_ns = 0;
  Line place;
  uint64_t place_ns = 0;
  std::map<FunctionId, uint64_t> by_region;

  void Add(const WaitTotal& wait) {
    if (wait.charge) {
      held_count += wait.held_count;
      held_ns += wait.held_ns;
      return;
    }
    total_ns += wait.total_ns;
    estimate.Add(wait.estimate);
    count += wait.count;
    uint64_t& in_region = by_region[wait.region];
    in_region += wait.total_ns;
    if (in_region > region_ns) {
      region_ns = in_region;
      region = wait.region;
    }
    if (wait.total_ns > place_ns) {
      place_ns = wait.total_ns;
      place = wait.place;
    }
  }

  // The mean time that a thread of a team of this size holds the lock.
  uint64_t MeanHold(double team) const {
    if (held_count > 0) return held_ns / held_count;
    // No hold was timed: a waiting thread may have had all other threads before it in the queue.
    return static_cast<uint64_t>(static_cast<double>(total_ns) / static_cast<double>(count) / std::max(1.0, team - 1));
  }
};

// The advice for a lock that is held for `hold_ns`. Ordered constructs have no shorter or longer alternative.
AdviceKind LockAdvice(OmptState state, uint64_t hold_ns) {
  if (state == OmptState::kWaitOrdered) return AdviceKind::kContendedLock;
  if (hold_ns < kShortHoldNs) return AdviceKind::kShortCritical;
  return hold_ns > kLongHoldNs ? AdviceKind::kLongHeldLock : AdviceKind::kContendedLock;
}

void AdviseOnLock(const AdviceRun& run, const LockKey& key, const LockWaits& waits, std::vector<Advice>* all) {
  const auto region = std::find_if(run.view.regions.begin(), run.view.regions.end(),
                                   [&](const Region& other) { return other.construct == waits.region; });
  if (region == run.view.regions.end() || region->MeanTeam() < 1.5 || waits.count == 0) return;
  const uint64_t without = ElapsedWithout(run.view, *region, waits.region_ns, /*moves_work=*/false);
  const uint64_t gain = run.OfEachProcess(static_cast<double>(region->elapsed_ns - without));
  if (!run.Worthwhile(gain)) return;
  const auto [process, state, wait_id] = key;
  const uint64_t hold = waits.MeanHold(region->MeanTeam());
  Advice& advice = AddAdvice(LockAdvice(state, hold), region->construct, gain, all);
  advice.process = process;
  advice.state = state;
  advice.wait_id = wait_id;
  advice.place = waits.place;
  advice.wait_ns = std::min(waits.region_ns, region->team_ns);  // estimates may exceed the whole
  advice.estimate = waits.estimate;
  advice.of_ns = region->team_ns;
  advice.count = waits.count;
  advice.each_ns = waits.total_ns / waits.count;
  advice.held_ns = waits.held_count > 0 ? hold : 0;
  advice.threads = region->MeanTeam();
}

}  // namespace

void AdviseOnLocks(const AdviceRun& run, std::vector<Advice>* advice) {
  std::map<LockKey, LockWaits> locks;
  for (const WaitTotal& wait : run.view.waits) {
    if (KindOf(wait.state) == StateKind::kLock) locks[{wait.process, wait.state, wait.wait_id}].Add(wait);
  }
  for (const auto& [key, waits] : locks) AdviseOnLock(run, key, waits, advice);
}

}  // namespace ompprof::analyze
