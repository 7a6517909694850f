// The cost of OpenMP constructs on GCC's libgomp, a line "construct NAME ns N" each. N is the least of many short
// rounds, taken in turn: the time of a round that nothing disturbed. shim_cost.py runs the program bare and under the
// shim.
//   shim_constructs [ROUNDS]
//
// It has two threads where threads have to meet, and one where the cost is the call's (a lock that no other thread
// wants).
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

namespace {

constexpr int kCalls = 100;  // in a round

inline void Nothing() { asm volatile("" ::: "memory"); }

template <int threads, class Call>
double InRegion(Call call) {
  double seconds = 0;
#pragma omp parallel num_threads(threads)
  {
    const double begin = omp_get_wtime();
    for (int i = 0; i < kCalls; i++) call();
    if (omp_get_thread_num() == 0) seconds = omp_get_wtime() - begin;
  }
  return seconds;
}

double Parallel() {
  const double begin = omp_get_wtime();
  for (int i = 0; i < kCalls; i++) {
#pragma omp parallel num_threads(2)
    Nothing();
  }
  return omp_get_wtime() - begin;
}

double Reduction() {
  int sum = 0;
  const double begin = omp_get_wtime();
  for (int i = 0; i < kCalls; i++) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int j = 0; j < 2; j++) sum += j;
  }
  const double seconds = omp_get_wtime() - begin;
  if (sum != kCalls) abort();
  return seconds;
}

double ForDynamic() {
  return InRegion<2>([] {
#pragma omp for schedule(dynamic)
    for (int j = 0; j < 16; j++) Nothing();
  });
}

double Barrier() {
  return InRegion<2>([] {
#pragma omp barrier
  });
}

double Single() {
  return InRegion<2>([] {
#pragma omp single
    Nothing();
  });
}

double Critical() {
  return InRegion<1>([] {
#pragma omp critical
    Nothing();
  });
}

double CriticalNamed() {
  return InRegion<1>([] {
#pragma omp critical(name)
    Nothing();
  });
}

double Lock() {
  static omp_lock_t lock;
  static const bool is_ready = (omp_init_lock(&lock), true);
  if (!is_ready) abort();
  return InRegion<1>([] {
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  });
}

// A task that is put aside and run at the taskwait. In a team of two the other thread may run it before.
template <int threads>
double Task() {
  double seconds = 0;
#pragma omp parallel num_threads(threads)
#pragma omp master
  {
    const double begin = omp_get_wtime();
    for (int i = 0; i < kCalls; i += 20) {
      for (int j = 0; j < 20; j++) {
#pragma omp task
        Nothing();
      }
#pragma omp taskwait
    }
    seconds = omp_get_wtime() - begin;
  }
  return seconds;
}

// There is nothing to wait for.
double Taskwait() {
  return InRegion<1>([] {
#pragma omp taskwait
  });
}

struct Construct {
  const char* name;
  double (*measure)();
  double least;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 300;
  Construct constructs[] = {
      {"parallel", Parallel, 1}, {"for_dynamic", ForDynamic, 1}, {"barrier", Barrier, 1},
      {"single", Single, 1},     {"critical", Critical, 1},      {"critical_named", CriticalNamed, 1},
      {"lock", Lock, 1},         {"task", Task<1>, 1},           {"task_of_two", Task<2>, 1},
      {"taskwait", Taskwait, 1}, {"reduction", Reduction, 1}};
  for (int i = 0; i < rounds; i++)
    for (Construct& construct : constructs) construct.least = std::min(construct.least, construct.measure());
  for (const Construct& construct : constructs)
    printf("construct %s ns %.2f\n", construct.name, construct.least / kCalls * 1e9);
  return 0;
}
