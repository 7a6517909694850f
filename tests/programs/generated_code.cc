// Generates code, names it in its perf map, and works in it: half of the CPU time in a generated loop, half in a
// function that a generated trampoline calls. The trampoline has no unwind tables and keeps no frame pointer, like
// Python's.
//   generated_code CPU_MS [MALFORMED]      MALFORMED: 1 puts lines into the perf map that mean nothing
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "truth.h"

namespace {

truth::Account in_loop("function", "py::jit_loop");
truth::Account in_driven("function", "driven_work");

// mov %rdi, %rcx; loop: add $1, %rax; xor %rdx, %rax; dec %rcx; jne loop; ret
constexpr unsigned char kLoop[] = {0x48, 0x89, 0xf9, 0x48, 0x83, 0xc0, 0x01, 0x48,
                                   0x31, 0xd0, 0x48, 0xff, 0xc9, 0x75, 0xf4, 0xc3};
// sub $24, %rsp; call *%rsi; add $24, %rsp; ret
constexpr unsigned char kTrampoline[] = {0x48, 0x83, 0xec, 0x18, 0xff, 0xd6, 0x48, 0x83, 0xc4, 0x18, 0xc3};
constexpr size_t kSize = 4096;
constexpr size_t kTrampolineAt = 256;

using Loop = uint64_t (*)(uint64_t iterations);
using Trampoline = uint64_t (*)(uint64_t iterations, Loop function);

// A perf map as a JIT compiler appends to it, with an older name of the same memory.
void WriteMap(const unsigned char* code, bool malformed) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
  FILE* map = fopen(path, "w");
  if (map == nullptr) return;
  const auto at = reinterpret_cast<unsigned long>(code);
  if (malformed) fprintf(map, "no number\n%lx\n%lx ffffffffffffffff far\n", at, at);
  fprintf(map, "%lx %zx of an older function\n", at, kSize);
  fprintf(map, "%lx %zx py::jit_loop:/home/me/loop.py\n", at, sizeof kLoop);
  fprintf(map, "%lx %zx jit_trampoline\n", at + kTrampolineAt, sizeof kTrampoline);
  fclose(map);
}

}  // namespace

TRUTH_WORK(driven_work)

TRUTH_FUNCTION void run_generated(const unsigned char* code, double cpu_ms) {
  const auto loop = reinterpret_cast<Loop>(reinterpret_cast<uintptr_t>(code));
  const auto trampoline = reinterpret_cast<Trampoline>(reinterpret_cast<uintptr_t>(code + kTrampolineAt));
  const auto each_ns = static_cast<uint64_t>(cpu_ms * 1e6 / 2);
  const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
  {
    truth::Timed timed(in_loop);
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < start + each_ns) loop(10000000);
  }
  {
    truth::Timed timed(in_driven);
    trampoline(truth::Iterations(cpu_ms / 2), driven_work);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  auto* code =
      static_cast<unsigned char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (code == MAP_FAILED) return 1;
  memcpy(code, kLoop, sizeof kLoop);
  memcpy(code + kTrampolineAt, kTrampoline, sizeof kTrampoline);
  if (mprotect(code, kSize, PROT_READ | PROT_EXEC) != 0) return 1;
  WriteMap(code, truth::Argument(argc, argv, 2, 0) != 0);
  run_generated(code, static_cast<double>(truth::Argument(argc, argv, 1, 2000)));
  in_loop.Print();
  in_driven.Print();
  truth::PrintProcess();
  // The profile must not need the file.
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
  truncate(path, 0);
  unlink(path);
  return 0;
}
