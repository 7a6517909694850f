// Threads that sleep on a condition variable all the time, while the main thread changes the process's mappings. A
// signal handler that reads the process's memory through the kernel then waits too. Tells how often a sleeping thread
// left its processor, which it does after each signal.
//   asleep_beside_maps [MS] [THREADS]
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "truth.h"

static std::mutex mutex;
static std::condition_variable end;
static bool ended;
static long sleeps;

static long SleepsOfThread() {
  rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

static void Sleeper() {
  std::unique_lock<std::mutex> lock(mutex);
  const long before = SleepsOfThread();
  end.wait(lock, [] { return ended; });
  sleeps += SleepsOfThread() - before;
}

static double Seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int main(int argc, char** argv) {
  const auto ms = static_cast<double>(truth::Argument(argc, argv, 1, 3000));
  const auto count = static_cast<size_t>(truth::Argument(argc, argv, 2, 1000));
  constexpr size_t kBytes = 4 << 20;
  const double begin = Seconds();
  std::vector<std::thread> threads;
  while (threads.size() < count) threads.emplace_back(Sleeper);
  while (Seconds() < begin + ms * 1e-3) {
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) return 1;
    munmap(memory, kBytes);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ended = true;
  }
  end.notify_all();
  for (std::thread& thread : threads) thread.join();
  printf("truth count sleeps_of_a_thread %ld\n", sleeps / static_cast<long>(count));
  printf("truth wall all wall_ns %.0f\n", 1e9 * (Seconds() - begin));
  truth::PrintProcess();
  return 0;
}
