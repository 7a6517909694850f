#include "profiler/analyze/account/barriers.h"

#include <algorithm>
#include <cmath>

#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// At fewer meetings, chance alone makes one thread late more often than another at a barrier: only all such barriers
// together tell.
constexpr uint64_t kManyMeetings = 32;
constexpr uint64_t kLeastMeetings = 3;

}  // namespace

Barriers::Barriers(const View& view) {
  for (const WaitTotal& wait : view.waits) {
    const StateKind kind = KindOf(wait.state);
    if (wait.charge || (kind != StateKind::kRegionEnd && kind != StateKind::kBarrier)) continue;
    Waits& waits =
        regions_[wait.region][{wait.state, wait.place.function, wait.place.line}][{wait.process, wait.thread}];
    waits.count += wait.count;
    waits.ns += wait.total_ns;
  }
}

uint64_t Barriers::MeetingsAt(const Place& place) {
  uint64_t most = 0;
  for (const auto& [thread, waits] : place) most = std::max(most, waits.count);
  return most;
}

uint64_t Barriers::Meetings(FunctionId region) const {
  uint64_t all = 0;
  const auto found = regions_.find(region);
  if (found == regions_.end()) return 0;
  for (const auto& [key, place] : found->second) all += MeetingsAt(place);
  return all;
}

std::optional<uint64_t> Barriers::SameThreadsLateNs(FunctionId region, double team) const {
  const auto found = regions_.find(region);
  if (found == regions_.end() || Meetings(region) < kLeastMeetings) return std::nullopt;
  const auto late = [team](const Place& place) {
    uint64_t all = 0;
    uint64_t least = UINT64_MAX;
    for (const auto& [thread, waits] : place) {
      all += waits.ns;
      least = std::min(least, waits.ns);
    }
    // A thread that never waited there has no entry.
    const double threads = std::max(std::round(team), static_cast<double>(place.size()));
    if (static_cast<double>(place.size()) < std::round(team)) least = 0;
    return std::max(0.0, static_cast<double>(all) / threads - static_cast<double>(least));
  };
  double sum = 0;
  Place seldom;
  for (const auto& [key, place] : found->second) {
    if (static_cast<double>(place.size()) > team + 0.5) return std::nullopt;
    if (MeetingsAt(place) >= kManyMeetings) {
      sum += late(place);
      continue;
    }
    for (const auto& [thread, waits] : place) seldom[thread].ns += waits.ns;
  }
  if (static_cast<double>(seldom.size()) > team + 0.5) return std::nullopt;
  if (!seldom.empty()) sum += late(seldom);
  return static_cast<uint64_t>(sum);
}

}  // namespace ompprof::analyze
