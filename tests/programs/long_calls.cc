// Two parts: computation, and system calls of some milliseconds that no signal ends. A signal that comes in such a call
// is handled at its end.
//   long_calls [MS]
#include <sys/mman.h>

#include "truth.h"

TRUTH_WORK(compute)

static truth::Account computing("function", "compute");
static truth::Account calling("function", "call_kernel");

// Maps memory with all its pages, and gives it back.
TRUTH_FUNCTION void call_kernel() {
  constexpr size_t kBytes = 32 << 20;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  munmap(memory, kBytes);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const auto cpu_ns = static_cast<uint64_t>(truth::Argument(argc, argv, 1, 2000)) * 1000000;
  const uint64_t iterations = truth::Iterations(7);
  while (truth::ClockNs(CLOCK_PROCESS_CPUTIME_ID) - truth::begin_ns < cpu_ns) {
    {
      const truth::Timed timed(computing);
      compute(iterations);
    }
    const truth::Timed timed(calling);
    call_kernel();
  }
  computing.Print();
  calling.Print();
  truth::PrintProcess();
  return 0;
}
