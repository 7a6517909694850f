// One target construct, launched on several call paths, for a device of gcc's programs.
//   truth wall NAME wall_ns N    time in the kernels of the function NAME, by the device's thread
//   truth count NAME N           number of these kernels
//   device_paths MODE [ROUNDS]
// Modes:
//   paths      short_kernels and long_kernels launch
//   threads    the threads of a region launch, in several runs of the region
//   nested     the threads of an inner region launch; two outer functions have the same inner region
//   nowait     target tasks: their creator does not wait, another function does
//   waits      likewise, but the creator waits at once: nothing else runs meanwhile
//   serial     likewise, outside of regions
//   many       a tree of calls, whose leaves launch: 2 to the power of ROUNDS paths
//   exit       a kernel ends the process, with status 3; a second device has finished its kernel
#include <omp.h>
#include <string.h>

#include "truth.h"

TRUTH_WORK(kernel_work)

static uint64_t Now() { return truth::ClockNs(CLOCK_MONOTONIC); }

static uint64_t per_ms;

// A kernel of `ms` milliseconds; its time.
TRUTH_FUNCTION uint64_t launch(double ms) {
  const auto iterations = static_cast<uint64_t>(ms * static_cast<double>(per_ms));
  uint64_t ns = 0;
#pragma omp target map(from : ns)
  {
    const uint64_t begin = Now();
    ns = kernel_work(iterations) & 1;
    ns += Now() - begin;
  }
  return ns;
}

struct Kernels {
  std::atomic<uint64_t> ns{0};
  std::atomic<uint64_t> count{0};
  void Add(uint64_t more) {
    ns += more;
    count++;
  }
  void Print(const char* name) const {
    printf("truth wall %s wall_ns %llu\n", name, static_cast<unsigned long long>(ns));
    printf("truth count %s %llu\n", name, static_cast<unsigned long long>(count));
  }
};

static Kernels of_short, of_long, of_threads, of_first, of_second;

TRUTH_FUNCTION void short_kernels(int rounds) {
  for (int round = 0; round < rounds; round++) of_short.Add(launch(2));
}

TRUTH_FUNCTION void long_kernels(int rounds) {
  for (int round = 0; round < rounds; round++) of_long.Add(launch(6));
}

TRUTH_FUNCTION void team_of_launches() {
#pragma omp parallel num_threads(3)
  of_threads.Add(launch(1));
}

TRUTH_FUNCTION void inner_region(Kernels* kernels, double ms) {
#pragma omp parallel num_threads(2)
  kernels->Add(launch(ms));
}

TRUTH_FUNCTION void first_outer() {
#pragma omp parallel num_threads(2)
  inner_region(&of_first, 1);
}

TRUTH_FUNCTION void second_outer() {
#pragma omp parallel num_threads(2)
  inner_region(&of_second, 3);
}

static uint64_t task_ns[2];

TRUTH_FUNCTION void create_task(int which, double ms) {
  const auto iterations = static_cast<uint64_t>(ms * static_cast<double>(per_ms));
  uint64_t* ns = &task_ns[which];
#pragma omp target nowait map(tofrom : ns [0:1]) depend(inout : task_ns[0])
  {
    const uint64_t begin = Now();
    ns[0] += kernel_work(iterations) & 1;
    ns[0] += Now() - begin;
  }
}

TRUTH_FUNCTION void short_tasks(int rounds) {
  for (int round = 0; round < rounds; round++) create_task(0, 1);
}

TRUTH_FUNCTION void long_tasks(int rounds) {
  for (int round = 0; round < rounds; round++) create_task(1, 3);
}

TRUTH_FUNCTION void wait_for_tasks(){
#pragma omp taskwait
}

TRUTH_FUNCTION void tasks(int rounds) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    short_tasks(rounds);
    long_tasks(rounds);
    wait_for_tasks();
  }
}

TRUTH_FUNCTION void launch_and_wait(int rounds) {
  for (int round = 0; round < rounds; round++) {
    create_task(1, 3);
    wait_for_tasks();
  }
}

TRUTH_FUNCTION void waits_of_a_team(int rounds) {
#pragma omp parallel num_threads(3)
#pragma omp single
  launch_and_wait(rounds);
}

static int launched;

TRUTH_FUNCTION void tree_of_calls(int depth) {
  if (depth == 0) {
#pragma omp target
    launched++;
    return;
  }
  tree_of_calls(depth - 1);
  tree_of_calls(depth - 1);
}

TRUTH_FUNCTION void launch_on_last() {
#pragma omp target device(omp_get_num_devices() - 1)
  launched++;
}

TRUTH_FUNCTION void leave() {
  int status = 0;
#pragma omp target map(tofrom : status)
  {
    status = 3;
    exit(status);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "paths";
  const auto rounds = static_cast<int>(truth::Argument(argc, argv, 2, 10));
  per_ms = truth::Iterations(1);
  omp_set_max_active_levels(2);
  if (strcmp(mode, "paths") == 0) {
    short_kernels(rounds);
    long_kernels(rounds);
    of_short.Print("short_kernels");
    of_long.Print("long_kernels");
  } else if (strcmp(mode, "threads") == 0) {
    for (int round = 0; round < rounds; round++) team_of_launches();
    of_threads.Print("team_of_launches");
  } else if (strcmp(mode, "nested") == 0) {
    for (int round = 0; round < rounds; round++) {
      first_outer();
      second_outer();
    }
    of_first.Print("first_outer");
    of_second.Print("second_outer");
  } else if (strcmp(mode, "nowait") == 0) {
    tasks(rounds);
    printf("truth wall short_tasks wall_ns %llu\n", static_cast<unsigned long long>(task_ns[0]));
    printf("truth wall long_tasks wall_ns %llu\n", static_cast<unsigned long long>(task_ns[1]));
    printf("truth count short_tasks %d\n", rounds);
    printf("truth count long_tasks %d\n", rounds);
  } else if (strcmp(mode, "waits") == 0 || strcmp(mode, "serial") == 0) {
    strcmp(mode, "waits") == 0 ? waits_of_a_team(rounds) : launch_and_wait(rounds);
    printf("truth wall kernels wall_ns %llu\n", static_cast<unsigned long long>(task_ns[1]));
  } else if (strcmp(mode, "many") == 0) {
    tree_of_calls(rounds);
  } else if (strcmp(mode, "exit") == 0) {
    launch(1);
    launch_on_last();
    leave();
  }
  truth::PrintProcess();
  return 0;
}
