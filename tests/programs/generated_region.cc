// Works in generated code within parallel regions: half of the time in a function without a frame, half in one that a
// generated function with a frame calls. Nothing describes the code: no unwinding tables, frame pointers, perf map.
//   generated_region CPU_MS [tables|framed]
// tables: the program registers unwinding tables, as LLVM's JIT compilers do, and enters the regions through generated
// code.
// framed: all time is in a function that keeps its frame as OpenBLAS's kernels do, by one subtraction, and saves
// registers where a return address might be.
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
constexpr size_t kTablesAt = 512;
// sub $128, %rsp; movq $0, (%rsp); mov %rdi, %rax; loop: dec %rax; jne loop; add $128, %rsp; ret
constexpr unsigned char kFramed[] = {0x48, 0x81, 0xec, 0x80, 0,    0,    0,    0x48, 0xc7, 0x04, 0x24,
                                     0,    0,    0,    0,    0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75,
                                     0xfb, 0x48, 0x81, 0xc4, 0x80, 0,    0,    0,    0xc3};
constexpr size_t kFramedAt = 1024;
constexpr uint64_t kIterations = 1000000;

using Loop = uint64_t (*)(uint64_t iterations);
using Caller = void (*)(uint64_t iterations, Loop function);

truth::Account generated("function", "generated");

// An .eh_frame section: a CIE, an entry for each function, and the end. Entries name their function by its distance.
constexpr unsigned char kTables[] = {20,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     1,
                                     'z',
                                     'R',
                                     0,
                                     1,
                                     0x78,
                                     16,
                                     1,
                                     0x1b,
                                     0x0c,
                                     7,
                                     8,
                                     0x90,
                                     1,
                                     0,
                                     0,  // CFA = rsp + 8
                                     16,
                                     0,
                                     0,
                                     0,
                                     28,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     sizeof kLoop,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     20,
                                     0,
                                     0,
                                     0,
                                     48,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     sizeof kCaller,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0x44,
                                     0x0e,
                                     64,
                                     0x46,
                                     0x0e,
                                     8,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0};
constexpr int kLoopsDistance = 32, kCallersDistance = 52;  // the places of the distances

void WriteTables(unsigned char* code) {
  memcpy(code + kTablesAt, kTables, sizeof kTables);
  const int to_loop = -static_cast<int>(kTablesAt) - kLoopsDistance;
  const int to_caller = static_cast<int>(kCallerAt) - static_cast<int>(kTablesAt) - kCallersDistance;
  memcpy(code + kTablesAt + kLoopsDistance, &to_loop, sizeof to_loop);
  memcpy(code + kTablesAt + kCallersDistance, &to_caller, sizeof to_caller);
}

}  // namespace

extern "C" void __register_frame(const void* tables);

TRUTH_FUNCTION void generated_region(const unsigned char* code, double cpu_ms, bool framed) {
  const auto loop = reinterpret_cast<Loop>(reinterpret_cast<uintptr_t>(code + (framed ? kFramedAt : 0)));
  const auto caller = reinterpret_cast<Caller>(reinterpret_cast<uintptr_t>(code + kCallerAt));
  const auto half_ns = static_cast<uint64_t>(cpu_ms * 1e6 / 4);
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(generated);
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < start + (framed ? 2 : 1) * half_ns) loop(kIterations);
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < start + 2 * half_ns) caller(kIterations, loop);
  }
  TRUTH_NO_TAIL_CALL();
}

static const unsigned char* region_code;
static double region_ms;
static bool region_framed;

TRUTH_FUNCTION uint64_t RunRegion(uint64_t) {
  generated_region(region_code, region_ms, region_framed);
  TRUTH_NO_TAIL_CALL();
  return 0;
}

int main(int argc, char** argv) {
  const bool tables = argc > 2 && strcmp(argv[2], "tables") == 0;
  auto* code =
      static_cast<unsigned char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (code == MAP_FAILED) return 1;
  memcpy(code, kLoop, sizeof kLoop);
  memcpy(code + kCallerAt, kCaller, sizeof kCaller);
  memcpy(code + kFramedAt, kFramed, sizeof kFramed);
  if (tables) WriteTables(code);
  if (mprotect(code, kSize, PROT_READ | PROT_EXEC) != 0) return 1;
  region_code = code;
  region_framed = argc > 2 && strcmp(argv[2], "framed") == 0;
  region_ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000));
  if (tables) {
    __register_frame(code + kTablesAt);
    reinterpret_cast<Caller>(reinterpret_cast<uintptr_t>(code + kCallerAt))(0, RunRegion);
  } else {
    RunRegion(0);
  }
  generated.Print();
  truth::PrintProcess();
  return 0;
}
