// Stands in for libunwind.so.8. Its walk of one frame takes SLOW_UNWIND_US microseconds on the processor. With
// --unwind=libunwind the profiler's handler becomes as slow as a test wants.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

namespace {

uint64_t cost_ns = 0;
__attribute__((constructor)) void Begin() {
  const char* us = getenv("SLOW_UNWIND_US");
  if (us != nullptr) cost_ns = strtoull(us, nullptr, 10) * 1000;
}

uint64_t CpuNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000ull + static_cast<uint64_t>(now.tv_nsec);
}

struct Cursor {
  const ucontext_t* context;
};

}  // namespace

extern "C" {

void* _ULx86_64_local_addr_space = nullptr;
int _ULx86_64_set_caching_policy(void*, int) { return 0; }

int _ULx86_64_init_local2(Cursor* cursor, ucontext_t* context, int) {
  cursor->context = context;
  return 0;
}

int _ULx86_64_get_reg(Cursor* cursor, int number, uint64_t* out) {
  const int from = number == 16 ? REG_RIP : number == 7 ? REG_RSP : REG_RBP;
  *out = static_cast<uint64_t>(cursor->context->uc_mcontext.gregs[from]);
  return 0;
}

int _ULx86_64_is_signal_frame(Cursor*) { return 0; }

int _ULx86_64_step(Cursor*) {
  const uint64_t until = CpuNs() + cost_ns;
  while (CpuNs() < until) {
  }
  return 0;  // the last frame
}

}  // extern "C"
