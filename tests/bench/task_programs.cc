// Runs a program of tasks, several times over, and prints its result and time.
//   task_programs NAME SIZE TIMES BODY   BODY: iterations that each task's body spins for
//   task_programs calibrate              how many iterations take a microsecond: "iterations_per_us N"
// It prints four lines. "result N" is the sum of all bodies' results, which depends on the arguments alone. "answer N"
// is the answer of one run (task_programs.h). "tasks N" counts created tasks, and "seconds S" is the wall time of all
// runs. Search of a tree that is thousands deep needs a stack of some kilobytes a level: OMP_STACKSIZE and the limit of
// the process (ulimit -s).
#include "tests/bench/task_programs.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

namespace {

using ompprof::bench::Found;

struct Program {
  const char* name;
  Found (*run)(int size, int64_t body);
  int largest;  // size
};

constexpr Program kPrograms[] = {
    {"search", ompprof::bench::SearchUnbalanced, 10000000},
    {"search_shallow", ompprof::bench::SearchShallow, 10000000},
    {"search_deep", ompprof::bench::SearchDeep, 100000},
    {"fib", ompprof::bench::Fibonacci, 40},
    {"queens", ompprof::bench::Queens, 16},
    {"lu", ompprof::bench::BlockedLu, 1000},
    {"sort", ompprof::bench::Sort, 10000000},
    {"pipeline", ompprof::bench::Pipeline, 1000000},
};

// The least of many times: the time when nothing disturbs.
double IterationsPerMicrosecond() {
  constexpr int64_t kIterations = 20000;
  volatile uint64_t sink = 1;
  double least = 1;
  for (int i = 0; i < 2000; i++) {
    const double begin = omp_get_wtime();
    sink = ompprof::bench::Spin(sink, kIterations);
    least = std::min(least, omp_get_wtime() - begin);
  }
  return static_cast<double>(kIterations) / least / 1e6;
}

// False if `text` is no number from `least` to `most`.
bool Read(const char* text, int64_t least, int64_t most, int64_t* number) {
  char* end = nullptr;
  *number = strtoll(text, &end, 10);
  return end != text && *end == 0 && *number >= least && *number <= most;
}

int Run(const Program& program, int size, int64_t times, int64_t body) {
  Found all, one;
  const double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  for (int64_t i = 0; i < times; i++) {
    one = program.run(size, body);
    all += one;
  }
  const double seconds = omp_get_wtime() - begin;
  printf("result %llu\nanswer %llu\ntasks %llu\nseconds %.6f\n", static_cast<unsigned long long>(all.sum),
         static_cast<unsigned long long>(one.answer), static_cast<unsigned long long>(all.tasks), seconds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "calibrate") == 0) {
    printf("iterations_per_us %.1f\n", IterationsPerMicrosecond());
    return 0;
  }
  int64_t size, times, body;
  for (const Program& program : kPrograms) {
    if (argc == 5 && strcmp(argv[1], program.name) == 0 && Read(argv[2], 1, program.largest, &size) &&
        Read(argv[3], 1, 1000000000, &times) && Read(argv[4], 0, 1000000000, &body)) {
      return Run(program, static_cast<int>(size), times, body);
    }
  }
  fprintf(stderr, "usage: task_programs NAME SIZE TIMES BODY, or task_programs calibrate; the names:");
  for (const Program& program : kPrograms) fprintf(stderr, " %s", program.name);
  fprintf(stderr, "\n");
  return 2;
}
