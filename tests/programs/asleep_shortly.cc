// Threads that sleep for 50 ms at a time and hardly work. Tells how often they left their processors although they had
// not come to the end of a sleep: they do so after each signal that finds them asleep.
//   asleep_shortly [MS] [THREADS]
#include <stdlib.h>
#include <sys/resource.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "truth.h"

static std::atomic<bool> ended{false};
static std::atomic<long> woken{0};

static void Sleeper() {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock<std::mutex> lock(mutex);
  rusage before, after;
  getrusage(RUSAGE_THREAD, &before);
  long sleeps = 0;
  for (; !ended; ++sleeps) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    never.wait_until(lock, end, [&] { return std::chrono::steady_clock::now() >= end; });
  }
  getrusage(RUSAGE_THREAD, &after);
  woken += after.ru_nvcsw - before.ru_nvcsw - sleeps;
}

int main(int argc, char** argv) {
  const auto ms = truth::Argument(argc, argv, 1, 3000);
  const auto count = truth::Argument(argc, argv, 2, 300);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (long i = 0; i < static_cast<long>(count); ++i) threads.emplace_back(Sleeper);
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
  ended = true;
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  printf("truth count woken %ld\n", woken.load());
  printf("truth wall all wall_ns %.0f\n", took.count());
  truth::PrintProcess();
  return 0;
}
