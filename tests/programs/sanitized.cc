// Correct code with a region, a thread and memory of its own, to be built with a sanitizer. The exit status is 3: no
// sanitizer's complaint has that status.
//   sanitized [ROUNDS]
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 40;
  long sum = 0;
  for (long round = 0; round < rounds; ++round) {
    std::vector<long> numbers(500000, round);
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < numbers.size(); ++i) sum += numbers[i] ^ static_cast<long>(i);
    if (round % 10 == 0) std::thread([&numbers, &sum] { sum -= numbers[0]; }).join();
  }
  std::printf("%ld\n", sum);
  return 3;
}
