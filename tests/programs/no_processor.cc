// Two threads on one processor. In turn, one of them has work, and the other one waits for it at the region's end: in
// `alone_work` the processor is free; in `crowded_work` another thread of the program computes on it; in `asleep_work`
// the work sleeps.
//   no_processor [ROUNDS]
//   truth wall FUNCTION elapsed_ns N      how long the other thread waited for it
//   truth wall no_processor elapsed_ns N  of all of these, the time in which the function had no processor and was not
//                                         asleep
#include <sched.h>

#include <map>
#include <string>
#include <thread>

#include "truth.h"

TRUTH_WORK(alone_work)
TRUTH_WORK(crowded_work)
TRUTH_WORK(neighbour_work)

TRUTH_FUNCTION void asleep_work(uint64_t ns) {
  timespec left{0, static_cast<long>(ns)};
  while (nanosleep(&left, &left) != 0) {
  }
  TRUTH_NO_TAIL_CALL();
}

static std::map<std::string, double> wall_ns;  // the thread that works writes it, while the other one waits

template <typename Work>
static void OneWorks(const char* function, Work work) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    {
      const uint64_t begin = truth::ClockNs(CLOCK_MONOTONIC), begin_cpu = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
      work();
      const double wall = static_cast<double>(truth::ClockNs(CLOCK_MONOTONIC) - begin);
      const double cpu = static_cast<double>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - begin_cpu);
      wall_ns[function] += wall;
      if (function != std::string("asleep_work")) wall_ns["no_processor"] += wall - cpu;
    }
  }
}

// Keeps the process's threads, and those that it will make, on the processor that the caller is on.
static void StayOnOneProcessor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof(one), &one);
}

int main(int argc, char** argv) {
  const long rounds = truth::Argument(argc, argv, 1, 3);
  StayOnOneProcessor();
  for (long round = 0; round < rounds; round++) {
    OneWorks("alone_work", [] { alone_work(truth::Iterations(100)); });
    OneWorks("asleep_work", [] { asleep_work(100000000); });
    std::atomic<bool> ended{false};
    std::thread neighbour([&] {
      while (!ended) neighbour_work(truth::Iterations(1));
    });
    OneWorks("crowded_work", [] { crowded_work(truth::Iterations(100)); });
    ended = true;
    neighbour.join();
  }
  for (const auto& [name, ns] : wall_ns) printf("truth wall %s elapsed_ns %.0f\n", name.c_str(), ns);
  truth::PrintProcess();
}
