// C++ that throws through several frames, sorts, allocates, and has functions with realigned stacks and variable-length
// arrays. Such code needs CFI beyond "rsp + n". The program runs for about as many seconds as its argument says.
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Guard {
  explicit Guard(int* count) : count(count) { ++*count; }
  ~Guard() { --*count; }
  int* count;
};

__attribute__((noinline)) int Throw(int depth, int* live) {
  Guard guard(live);
  if (depth == 0) throw std::runtime_error("bottom " + std::to_string(*live));
  return Throw(depth - 1, live) + 1;
}

__attribute__((noinline)) double Realigned(int n) {
  alignas(64) volatile double block[16];
  for (int i = 0; i < 16; ++i) block[i] = i * n;
  double sum = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 16; ++i) sum += block[i];
  }
  if (n > 0) sum += Realigned(n - 1);
  return sum + block[n % 16];
}

__attribute__((noinline)) int VariableLength(int n) {
  alignas(64) volatile char fixed[64];
  auto* array = static_cast<volatile char*>(alloca(static_cast<size_t>(n) * 16 + 1));
  for (int i = 0; i < n * 16; ++i) array[i] = static_cast<char>(i);
  for (int i = 0; i < 64; ++i) fixed[i] = static_cast<char>(i + n);
  return (n > 0 ? VariableLength(n - 1) : 0) + array[n] + fixed[n % 64];
}

size_t Containers(int seed) {
  std::map<std::string, int> words;
  std::vector<std::string> order;
  for (int i = 0; i < 300; ++i) {
    order.push_back(std::to_string((i * 7919 + seed) % 1000));
    ++words[order.back()];
  }
  std::sort(order.begin(), order.end());
  return words.size() + order.front().size();
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  const clock_t end = clock() + static_cast<clock_t>(seconds * CLOCKS_PER_SEC);
  int live = 0;
  size_t total = 0;
  while (clock() < end) {
    for (int i = 0; i < 50; ++i) {
      try {
        total += static_cast<size_t>(Throw(i % 20, &live));
      } catch (const std::exception& e) {
        total += strlen(e.what());
      }
      total += static_cast<size_t>(Realigned(i % 12)) + static_cast<size_t>(VariableLength(i % 12) & 0xff);
    }
    total += Containers(static_cast<int>(total % 100));
  }
  printf("%zu %d\n", total, live);
}
