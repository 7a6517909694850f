// Steps that use temporary buffers. The heap gives them back to the system after each step, or it does not.
//   returned_memory MODE [STEPS]
//     trimmed   buffers of the heap, freed after each step: the heap's top is given back
//     mapped    a block so large that it has a mapping of its own, freed after each step
//     kept      the same buffers in all steps
//     once      memory that is faulted in once, as much as all steps of `kept` write
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "truth.h"

namespace {

constexpr size_t kBuffer = 256 << 10;
constexpr int kBuffers = 32;
constexpr size_t kBlock = 40 << 20;

// Writes the memory and computes a little with it.
TRUTH_FUNCTION void fill(char* memory, size_t size, int step) {
#pragma omp parallel for schedule(static)
  for (size_t at = 0; at < size; at += 64) memory[at] = static_cast<char>(memory[at] * 3 + step);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void trimmed_step(int step) {
  std::vector<char*> buffers;
  for (int i = 0; i < kBuffers; i++) buffers.push_back(static_cast<char*>(malloc(kBuffer)));
  for (char* buffer : buffers) fill(buffer, kBuffer, step);
  for (char* buffer : buffers) free(buffer);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void mapped_step(int step) {
  char* block = static_cast<char*>(malloc(kBlock));
  fill(block, kBlock, step);
  free(block);
  TRUTH_NO_TAIL_CALL();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "trimmed";
  const int steps = static_cast<int>(truth::Argument(argc, argv, 2, 300));
  const size_t whole = mode == "once" ? steps * (kBuffer * kBuffers / 8) : kBuffer * kBuffers;
  char* kept = mode == "kept" || mode == "once" ? static_cast<char*>(malloc(whole)) : nullptr;
  const uint64_t start = truth::ClockNs(CLOCK_PROCESS_CPUTIME_ID);
  for (int step = 0; step < steps; step++) {
    if (mode == "trimmed") trimmed_step(step);
    if (mode == "mapped") mapped_step(step);
    if (mode == "kept") fill(kept, whole, step);
    if (mode == "once" && step < 8) fill(kept, whole, step);
  }
  free(kept);
  std::printf("truth wall steps %.0f\n", static_cast<double>(truth::ClockNs(CLOCK_PROCESS_CPUTIME_ID) - start));
  truth::PrintProcess();
  return 0;
}
