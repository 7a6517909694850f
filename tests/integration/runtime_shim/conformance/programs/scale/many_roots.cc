// Regions from eight program threads at once: each thread's events are its own.
#include <thread>
#include <vector>

#include "conformance.h"

int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([] {
      for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(2)
        conf_state();
      }
    });
  for (auto& thread : threads) thread.join();
  return 0;
}

// COUNT: thread_begin type=initial >= 8
// COUNT: thread_begin type=worker >= 1
// COUNT: parallel_begin == 800
// COUNT: parallel_end == 800
// COUNT: implicit_task endpoint=begin flags=implicit == 1600
// COUNT: dirty == 0
