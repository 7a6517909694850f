// Two threads that wait for locks outside of OpenMP, and the same programs mended.
//   outside_locks MODE flawed|mended [SCALE]     about SCALE ms where nothing is wrong
//   truth wall waited N      thread time in the waits for the mutex or the condition variable
// The threads sleep instead of computing for most of the time, so that the truth does not depend on the machine.
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <random>
#include <string>

#include "truth.h"

namespace {

std::atomic<uint64_t> waited_ns{0};
double sink[64];

TRUTH_FUNCTION double compute(long units) {
  double x = 1;
  for (long i = 0; i < units * 250; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

// As in flaws.cc.
void Sleep(double ms) {
  asm volatile("" ::"r"(&sink), "x"(compute(static_cast<long>(ms * 50))));
  usleep(static_cast<useconds_t>(ms * 950));
}

class TimedWait {
 public:
  ~TimedWait() { waited_ns += truth::ClockNs(CLOCK_MONOTONIC) - begin_; }

 private:
  const uint64_t begin_ = truth::ClockNs(CLOCK_MONOTONIC);
};

std::mutex table;

TRUTH_FUNCTION void update_table(double ms) {
  {
    const TimedWait wait;
    table.lock();
  }
  Sleep(ms);
  table.unlock();
  TRUTH_NO_TAIL_CALL();
}

// Three quarters of each iteration run under a mutex, and need not. Mended, a hundredth does.
void Mutex(bool mended, double ms) {
  constexpr int kIterations = 100;
  const double each = ms * 2 / kIterations;
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 0; i < kIterations; ++i) {
    Sleep(each * (mended ? 0.99 : 0.25));
    update_table(each * (mended ? 0.01 : 0.75));
  }
}

// Random numbers from a generator that all threads share. Mended, each has its own.
TRUTH_FUNCTION uint64_t draw_numbers(bool mended, long count) {
  std::minstd_rand own(1);
  uint64_t sum = 0;
  for (long i = 0; i < count; ++i) sum += mended ? own() : static_cast<uint64_t>(rand());
  return sum;
}

void Rand(bool mended, double ms) {
#pragma omp parallel num_threads(2)
  for (int part = 0; part < 10; ++part)
    sink[8] = static_cast<double>(draw_numbers(mended, static_cast<long>(ms * 2500)));
}

std::mutex turn_mutex;
std::condition_variable turn_changed;
int turn = 0;

TRUTH_FUNCTION void await_turn(int mine) {
  const TimedWait wait;
  std::unique_lock<std::mutex> lock(turn_mutex);
  while (turn % 2 != mine) turn_changed.wait(lock);
}

// The threads work in turns. No lock is in the way: each waits for what the other does.
void Turns(double ms) {
  constexpr int kTurns = 40;
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int thread = 0; thread < 2; ++thread) {
    for (int i = 0; i < kTurns; ++i) {
      await_turn(thread);
      Sleep(ms * 2 / kTurns / 2);
      const std::lock_guard<std::mutex> lock(turn_mutex);
      ++turn;
      turn_changed.notify_all();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "mutex";
  const bool mended = argc > 2 && std::strcmp(argv[2], "mended") == 0;
  const double ms = static_cast<double>(truth::Argument(argc, argv, 3, 1000));
  const uint64_t start = truth::ClockNs(CLOCK_MONOTONIC);
  if (mode == "mutex") Mutex(mended, ms);
  if (mode == "rand") Rand(mended, ms);
  if (mode == "turns") Turns(ms);
  const uint64_t end = truth::ClockNs(CLOCK_MONOTONIC);
  std::printf("truth wall %s %.0f\n", mode.c_str(), static_cast<double>(end - start));
  std::printf("truth wall waited %.0f\n", static_cast<double>(waited_ns.load()));
  truth::PrintProcess();
  return 0;
}
