// Spins as OpenBLAS's server threads do while they have nothing to do.
#include <sched.h>

#include "library_spin.h"
#include "truth.h"

namespace {

// Reads the clock seldom, because each reading is a system call.
constexpr int kYieldsPerLook = 1000;

}  // namespace

// Not exported, as in OpenBLAS: a stripped library has no name for this function.
TRUTH_FUNCTION __attribute__((visibility("hidden"))) void blas_thread_server(uint64_t end_ns) {
  while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < end_ns) {
    for (int i = 0; i < kYieldsPerLook; ++i) sched_yield();
  }
  TRUTH_NO_TAIL_CALL();
}

extern "C" void spin_in_library(uint64_t cpu_ns) {
  blas_thread_server(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) + cpu_ns);
  TRUTH_NO_TAIL_CALL();
}
