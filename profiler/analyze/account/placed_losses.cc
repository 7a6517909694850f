#include "profiler/analyze/account/placed_losses.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "profiler/analyze/account/serial_part.h"
#include "profiler/analyze/view/concurrency.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

LossKind LossOf(StateKind kind) {
  switch (kind) {
    case StateKind::kIdle:
      return LossKind::kIdle;
    case StateKind::kTasks:
      return LossKind::kTasks;
    case StateKind::kLock:
      return LossKind::kLocks;
    case StateKind::kTarget:
      return LossKind::kDevices;
    default:
      return LossKind::kBarriers;
  }
}

// The innermost function of the sample's path, frames that stand for waiting included.
FunctionId InnermostOf(const View& view, const ViewSample& sample) {
  if (sample.path == kEmptyPath) return kNoFunction;
  const Location& location = view.frames.location(view.paths.node(sample.path).location);
  return location.line_count == 0 ? kNoFunction : view.frames.line(location.first_line).function;
}

// The innermost function with the largest sum of `part` over the samples.
FunctionId LargestFunction(const View& view, const std::function<uint64_t(const ViewSample&)>& part) {
  std::map<FunctionId, uint64_t> sums;
  for (const ViewSample& sample : view.samples) {
    if (const uint64_t ns = part(sample); ns > 0) sums[InnermostOf(view, sample)] += ns;
  }
  const auto most =
      std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == sums.end() ? kNoFunction : most->first;
}

// The region with the most of a figure.
FunctionId LargestRegion(const View& view, uint64_t Region::*figure) {
  const auto most = std::max_element(view.regions.begin(), view.regions.end(),
                                     [figure](const Region& a, const Region& b) { return a.*figure < b.*figure; });
  return most == view.regions.end() || (*most).*figure == 0 ? kNoFunction : most->construct;
}

FunctionId LargestPart(const View& view, LossKind kind, const Efficiency& efficiency,
                       const model::Symbolizer* symbolizer) {
  const auto in_state = [&view](StateKind state) {
    return LargestFunction(
        view, [state](const ViewSample& sample) { return KindOf(sample.state) == state ? sample.cost.weight : 0; });
  };
  switch (kind) {
    case LossKind::kIdle:
      return FindSerialPart(view, symbolizer,
                            static_cast<double>(efficiency.threads) / OpenmpProcessesAtATime(view.run))
          .most;
    case LossKind::kReady:
      return LargestRegion(view, &Region::ready_ns);
    case LossKind::kBlocked:
      return LargestRegion(view, &Region::blocked_ns);
    case LossKind::kMpi:
      return in_state(StateKind::kMpi);
    case LossKind::kLibraries:
      return in_state(StateKind::kLibrary);
    default:
      return kNoFunction;
  }
}

}  // namespace

bool IsPlacedInPart(LossKind kind) {
  switch (kind) {
    case LossKind::kBarriers:
    case LossKind::kTasks:
    case LossKind::kLocks:
    case LossKind::kDevices:
      return false;
    default:
      return true;
  }
}

std::vector<PlacedLoss> PlaceLosses(const View& view, const Efficiency& efficiency, const Locks& locks,
                                    const model::Symbolizer* symbolizer) {
  std::map<std::tuple<LossKind, FunctionId, const Lock*>, PlacedLoss> waits;
  for (const WaitTotal& wait : view.waits) {
    const LossKind kind = LossOf(KindOf(wait.state));
    if (wait.charge || IsPlacedInPart(kind)) continue;
    const Lock* lock = kind == LossKind::kLocks ? FindLock(locks, wait.process, wait.wait_id, wait.state) : nullptr;
    PlacedLoss& loss = waits[{kind, wait.region, lock}];
    loss.kind = kind;
    loss.where = wait.region;
    loss.lock = lock;
    loss.ns += wait.total_ns;
    loss.estimate.Add(wait.estimate);
  }
  std::vector<PlacedLoss> losses;
  for (auto& [key, loss] : waits) losses.push_back(loss);
  for (const Loss& loss : LossesOf(efficiency)) {
    if (IsPlacedInPart(loss.kind))
      losses.push_back({loss.kind, loss.ns, {}, LargestPart(view, loss.kind, efficiency, symbolizer)});
  }
  std::stable_sort(losses.begin(), losses.end(), [](const PlacedLoss& a, const PlacedLoss& b) { return a.ns > b.ns; });
  return losses;
}

}  // namespace ompprof::analyze
