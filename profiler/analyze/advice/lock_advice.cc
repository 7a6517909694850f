#include "profiler/analyze/advice/rules.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/analyze/account/gain.h"
#include "profiler/analyze/advice/advice_run.h"
#include "profiler/analyze/advice/processor_advice.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// A shorter hold is a few instructions, with their cache misses and the cost of the clocks.
constexpr uint64_t kShortHoldNs = 2000;
// The machine code between taking and releasing a lock: about a dozen instructions.
constexpr uint64_t kFewBytes = 64;
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
  // The code between the calls that take and release the lock, where other threads waited longest for it.
  model::CodeAddress acquired;
  model::CodeAddress released;
  uint64_t charged_ns = 0;
  std::map<FunctionId, uint64_t> by_region;

  void Add(const WaitTotal& wait) {
    if (wait.charge) {
      held_count += wait.held_count;
      held_ns += wait.held_ns;
      if (wait.total_ns >= charged_ns) {
        charged_ns = wait.total_ns;
        acquired = wait.acquiring_call;
        released = wait.call;
      }
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

// What the samples tell of a lock and of the code under it.
struct UnderLock {
  bool few_instructions = false;  // the code under it is short, and calls nothing
  uint64_t work_ns = 0;           // CPU time under it
  uint64_t lock_ns = 0;           // CPU time in the runtime's functions that take it
};

UnderLock LookUnder(const View& view, const LockWaits& waits, const std::tuple<uint32_t, OmptState, uint64_t>& key) {
  UnderLock under;
  const model::CodeAddress begin = waits.acquired;
  const model::CodeAddress end = waits.released;
  under.few_instructions = begin.object != 0 && begin.object == end.object && begin.address < end.address &&
                           end.address - begin.address <= kFewBytes;
  const auto is_under = [&](model::CodeAddress at) {
    return at.object == begin.object && at.address > begin.address && at.address < end.address;
  };
  for (const ViewSample& sample : view.samples) {
    if (sample.own || sample.region != waits.region) continue;
    const bool waits_for_it = std::make_tuple(sample.process, sample.state, sample.wait_id) == key;
    if (waits_for_it) under.lock_ns += sample.cost.weight;
    if (!under.few_instructions || waits_for_it) continue;
    for (PathId path = sample.path; path != kEmptyPath; path = view.paths.node(path).parent) {
      if (!is_under(view.frames.location(view.paths.node(path).location).place)) continue;
      under.work_ns += sample.cost.weight;
      if (path != sample.path) under.few_instructions = false;  // it calls something
      break;
    }
  }
  return under;
}

// The advice for a lock that is held for `hold_ns`. Ordered constructs have no shorter or longer alternative.
AdviceKind LockAdvice(OmptState state, uint64_t hold_ns, bool few_instructions) {
  if (state == OmptState::kWaitOrdered) return AdviceKind::kContendedLock;
  if (hold_ns > kLongHoldNs) return AdviceKind::kLongHeldLock;
  return hold_ns < kShortHoldNs && few_instructions ? AdviceKind::kShortCritical : AdviceKind::kContendedLock;
}

void AdviseOnLock(const AdviceRun& run, const LockKey& key, const LockWaits& waits, std::vector<Advice>* all) {
  const auto region = std::find_if(run.view.regions.begin(), run.view.regions.end(),
                                   [&](const Region& other) { return other.construct == waits.region; });
  if (region == run.view.regions.end() || region->MeanTeam() < 1.5 || waits.count == 0) return;
  const UnderLock under = LookUnder(run.view, waits, key);
  const uint64_t hold = waits.MeanHold(region->MeanTeam());
  const auto [process, state, wait_id] = key;
  const AdviceKind kind = LockAdvice(state, hold, under.few_instructions);
  // Without the lock, a few instructions cost neither the calls that take it nor the cache misses on what it protects:
  // these are about half of their time.
  uint64_t lost = waits.region_ns;
  uint64_t work = 0;
  if (kind == AdviceKind::kShortCritical && run.view.run.weighs_ns()) {
    lost = std::max(lost, under.lock_ns);
    work = under.work_ns / 2;
  }
  // A holder that loses its processor lets the others wait for milliseconds. That is no matter of the lock: a thread
  // waits for the holds of the others.
  if (kind == AdviceKind::kContendedLock && waits.held_count > 0 && IsDisturbed(run)) {
    const double explained =
        static_cast<double>(waits.count) * static_cast<double>(hold) * std::max(1.0, region->MeanTeam() - 1);
    lost = static_cast<uint64_t>(std::min(static_cast<double>(lost), explained));
  }
  const uint64_t without = ElapsedWithout(run.view, *region, lost, /*moves_work=*/false, work);
  const uint64_t gain = run.OfEachProcess(static_cast<double>(region->elapsed_ns - without));
  // Of few waits that stand for many, the gain may be chance.
  const double error_ns = static_cast<double>(waits.estimate.ci95_ns()) / region->MeanTeam();
  if (!run.Worthwhile(gain) || error_ns >= static_cast<double>(gain)) return;
  Advice& advice = AddAdvice(kind, region->construct, gain, all);
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
