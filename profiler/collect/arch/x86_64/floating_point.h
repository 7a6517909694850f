// The MXCSR register (Intel's manual, volume 1, section 10.2.3). Doubles are never on the x87 stack here.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_FLOATING_POINT_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_FLOATING_POINT_H_

#include <stdint.h>

namespace ompprof::collect {

class OwnFloatingPoint {
 public:
  OwnFloatingPoint() : programs_(__builtin_ia32_stmxcsr()) {
    // A read costs next to nothing, a write some nanoseconds. Most programs trap on nothing and need no write.
    if ((programs_ & kAllMasked) != kAllMasked) __builtin_ia32_ldmxcsr(programs_ | kAllMasked);
  }
  ~OwnFloatingPoint() {
    // Nor is a write needed where the program has raised the flag before: any division raises "inexact".
    if (__builtin_ia32_stmxcsr() != programs_) __builtin_ia32_ldmxcsr(programs_);
  }
  OwnFloatingPoint(const OwnFloatingPoint&) = delete;
  OwnFloatingPoint& operator=(const OwnFloatingPoint&) = delete;

 private:
  static constexpr uint32_t kAllMasked = 0x1f80;  // one bit for each of the six exceptions; set: it does not trap
  const uint32_t programs_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_FLOATING_POINT_H_
