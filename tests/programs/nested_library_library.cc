// As OpenBLAS does with threads: one call at a time has the library's thread.
#include "nested_library.h"

#include <cstring>
#include <mutex>
#include <thread>

#include "truth.h"

TRUTH_WORK(gemm_kernel)

namespace {

std::mutex pool;

bool IsAlone() {
  const char* threads = getenv("OPENBLAS_NUM_THREADS");
  return threads != nullptr && strcmp(threads, "1") == 0;
}

}  // namespace

extern "C" void multiply_in_library(uint64_t iterations) {
  if (IsAlone()) {
    gemm_kernel(iterations);
  } else {
    const std::lock_guard<std::mutex> lock(pool);
    std::thread other(gemm_kernel, iterations / 2);
    gemm_kernel(iterations / 2);
    other.join();
  }
  TRUTH_NO_TAIL_CALL();
}
