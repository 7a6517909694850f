// A program that does everything at once: random regions, tasks, locks, threads, dlopen, fork, cancellation and
// signals. Its results depend on the seed alone, never on time or on the schedule of threads.
//   soak SEED STEPS LIBRARY      at its end prints what each step came to, the same with the profiler as without
// soak.py runs the program and compares.
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <vector>

#include "soak_steps.h"

namespace soak {
namespace {

struct Step {
  const char* name;
  uint64_t (*run)(uint64_t seed);
};

constexpr Step kSteps[] = {
    {"region", Region},     {"nested", Nested},
    {"tasks", Tasks},       {"taskloop", TaskLoop},
    {"depend", Depend},     {"locks", Locks},
    {"ordered", Ordered},   {"single", Single},
    {"cancel", CancelFor},  {"threads", Threads},
    {"detached", Detach},   {"killed", Killed},
    {"fork", Fork},         {"region_fork", ForkInRegion},
    {"spawn", Spawn},       {"raise", Raise},
    {"timer", Timer},       {"masked", Masked},
    {"throw", Throw},       {"jump", Jump},
    {"library", Library},   {"sleeps", Sleeps},
    {"handlers", Handlers}, {"deep", Deep},
};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace
}  // namespace soak

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: soak SEED STEPS LIBRARY\n");
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], nullptr, 10);
  const long steps = strtol(argv[2], nullptr, 10);
  soak::library_path = argv[3];
  soak::BlockTimer();
  omp_set_max_active_levels(3);
  soak::Random random(seed);
  struct Result {
    const char* step;
    uint64_t value;
  };
  std::vector<Result> results;  // printed at the end: a system call at each step would keep the threads in step
  for (long i = 0; i < steps; i++) {
    const soak::Step& step = soak::kSteps[random.Below(sizeof soak::kSteps / sizeof soak::kSteps[0])];
    results.push_back({step.name, step.run(random.Next())});
  }
  printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (size_t i = 0; i < results.size(); i++)
    printf("step %zu %s %llu\n", i, results[i].step, static_cast<unsigned long long>(results[i].value));
  printf("getrusage %.6f\n", soak::CpuSeconds());
  return 0;
}
