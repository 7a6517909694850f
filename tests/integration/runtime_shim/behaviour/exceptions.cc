// Exceptions within regions and tasks, destructors at the ends of scopes, thread_local objects of the workers.
//
// RUN: OMP_NUM_THREADS=4
// RUN: OMP_NUM_THREADS=1
#include <omp.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Counted {
  static inline int alive = 0;
  Counted() {
#pragma omp atomic
    alive++;
  }
  ~Counted() {
#pragma omp atomic
    alive--;
  }
};

thread_local Counted of_the_thread;

int Deep(int depth) {
  Counted local;
  if (depth == 0) throw std::runtime_error("deep");
  return Deep(depth - 1) + 1;
}

}  // namespace

int main() {
  int caught = 0;
#pragma omp parallel reduction(+ : caught)
  for (int i = 0; i < 100; i++) {
    try {
      (void)&of_the_thread;
#pragma omp critical
      { caught += i < 0; }
      Deep(i % 10);
    } catch (const std::runtime_error&) {
      caught++;
    }
  }
  std::printf("caught %d\n", caught);
  int in_tasks = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task shared(in_tasks)
    try {
      Deep(3);
    } catch (...) {
#pragma omp atomic
      in_tasks++;
    }
  }
  std::printf("caught in tasks %d\n", in_tasks);
  int sums[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&sums, t] {
      int sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i;
      sums[t] = sum;
    });
  for (auto& thread : threads) thread.join();
  std::printf("program threads %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
  return 0;
}
