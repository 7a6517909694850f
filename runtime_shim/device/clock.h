// The clock of a device. It runs at another rate than the host's clock and began elsewhere, so a tool that forgets to
// translate is wrong by far.
#ifndef RUNTIME_SHIM_DEVICE_CLOCK_H_
#define RUNTIME_SHIM_DEVICE_CLOCK_H_

#include <omp-tools.h>
#include <stdint.h>

namespace reference_device {

// CLOCK_MONOTONIC in nanoseconds: the clock of omp_get_wtime.
uint64_t HostNs();

class Clock {
 public:
  // Each device has a rate and an offset of its own.
  explicit Clock(int target_id);

  ompt_device_time_t FromHost(uint64_t host_ns) const;
  ompt_device_time_t Now() const { return FromHost(HostNs()); }
  // Seconds of omp_get_wtime. FromHost rounds down to a tick, which is shorter than a nanosecond.
  double ToHostSeconds(ompt_device_time_t time) const;

 private:
  uint64_t base_ns_;  // of the host, at which the device's clock showed `offset_`
  uint64_t offset_;
  uint64_t ticks_;  // in kPeriodNs nanoseconds
};

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_CLOCK_H_
