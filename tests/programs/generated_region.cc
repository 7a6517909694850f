// Works in generated code within parallel regions: half of the time in a function without a frame, half in one that a
// generated function with a frame calls. Nothing describes the code: no unwinding tables, frame pointers, perf map.
//   generated_region CPU_MS
#include <omp.h>
#include <sys/mman.h>

#include <cstring>

#include "truth.h"

namespace {

// mov %rdi, %rax; loop: dec %rax; jne loop; ret
constexpr unsigned char kLoop[] = {0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3};
// sub $56, %rsp; call *%rsi; add $56, %rsp; ret
constexpr unsigned char kCaller[] = {0x48, 0x83, 0xec, 0x38, 0xff, 0xd6, 0x48, 0x83, 0xc4, 0x38, 0xc3};
constexpr size_t kSize = 4096;
constexpr size_t kCallerAt = 256;
constexpr uint64_t kIterations = 1000000;

using Loop = void (*)(uint64_t iterations);
using Caller = void (*)(uint64_t iterations, Loop function);

truth::Account generated("function", "generated");

}  // namespace

TRUTH_FUNCTION void generated_region(const unsigned char* code, double cpu_ms) {
  const auto loop = reinterpret_cast<Loop>(reinterpret_cast<uintptr_t>(code));
  const auto caller = reinterpret_cast<Caller>(reinterpret_cast<uintptr_t>(code + kCallerAt));
  const auto half_ns = static_cast<uint64_t>(cpu_ms * 1e6 / 4);
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(generated);
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < start + half_ns) loop(kIterations);
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < start + 2 * half_ns) caller(kIterations, loop);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  auto* code =
      static_cast<unsigned char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (code == MAP_FAILED) return 1;
  memcpy(code, kLoop, sizeof kLoop);
  memcpy(code + kCallerAt, kCaller, sizeof kCaller);
  if (mprotect(code, kSize, PROT_READ | PROT_EXEC) != 0) return 1;
  generated_region(code, static_cast<double>(truth::Argument(argc, argv, 1, 2000)));
  generated.Print();
  truth::PrintProcess();
  return 0;
}
