#include "runtime_shim/device/clock.h"

#include <time.h>

namespace reference_device {
namespace {

constexpr uint64_t kPeriodNs = 4;
constexpr uint64_t kNsPerSecond = 1000000000;

}  // namespace

uint64_t HostNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kNsPerSecond + static_cast<uint64_t>(now.tv_nsec);
}

Clock::Clock(int target_id)
    : base_ns_(HostNs()),
      offset_(7000000000000 + static_cast<uint64_t>(target_id) * 3000000000000),
      ticks_(5 + 2 * static_cast<uint64_t>(target_id)) {}  // 1.25, 1.75, ... ticks a nanosecond

ompt_device_time_t Clock::FromHost(uint64_t host_ns) const {
  return offset_ + (host_ns - base_ns_) * ticks_ / kPeriodNs;
}

double Clock::ToHostSeconds(ompt_device_time_t time) const {
  const auto since = static_cast<double>(static_cast<int64_t>(time - offset_));
  const double ns = since * static_cast<double>(kPeriodNs) / static_cast<double>(ticks_);
  return (static_cast<double>(base_ns_) + ns) / static_cast<double>(kNsPerSecond);
}

}  // namespace reference_device
