// Sixty threads that sleep for a second or so and then work for 5 ms, by a condition variable, beside a parallel region
// that works all the time. Each sleeping thread has a few samples in its life, or none. All of them together use a
// quarter of the CPU time.
//   sleepers [CPU_MS]
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "truth.h"

TRUTH_WORK(short_burst)
TRUTH_WORK(steady_work)

static truth::Account bursts("function", "short_burst"), steady("function", "steady_work");
static std::atomic<bool> ended{false};
static std::mutex end_mutex;
static std::condition_variable end;

static void Sleeper(unsigned number) {
  std::minstd_rand random(number + 1);
  std::unique_lock<std::mutex> lock(end_mutex);
  while (!ended) {
    end.wait_for(lock, std::chrono::milliseconds(500 + random() % 1000));
    lock.unlock();
    {
      truth::Timed timed(bursts);
      short_burst(truth::Iterations(5));
    }
    lock.lock();
  }
}

TRUTH_FUNCTION void steady_region(double ms) {
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(steady);
    steady_work(truth::Iterations(ms / 2));
    TRUTH_NO_TAIL_CALL();
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const auto ms = static_cast<double>(truth::Argument(argc, argv, 1, 2500));
  truth::Iterations(1);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 60; i++) threads.emplace_back(Sleeper, i);
  steady_region(0.75 * ms);
  {
    const std::lock_guard<std::mutex> lock(end_mutex);
    ended = true;
  }
  end.notify_all();
  for (std::thread& thread : threads) thread.join();
  bursts.Print();
  steady.Print();
  truth::PrintProcess();
  return 0;
}
