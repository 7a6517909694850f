// firstprivate, lastprivate, reduction and large blocks in a taskloop, deferred or not. The result is the program's,
// and each task is reported once.
// VARIANTS: -O0 | -O2
// COMPILE: -lstdc++
#include <cstdio>

#include "conformance.h"

namespace {

struct Object {
  Object() = default;
  Object(const Object& other) : value(other.value + 1) {}
  Object& operator=(const Object&) = default;
  int value = 1;
};

struct alignas(64) Large {
  long values[200];
};

}  // namespace

int main() {
  Object object, last;
  Large large = {};
  large.values[199] = 7;
  long sum = 0, misaligned = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp taskloop num_tasks(30) firstprivate(object) lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < 300; i++) {
      sum += i + object.value;
      last.value = i;
    }
#pragma omp taskloop num_tasks(30) firstprivate(large) reduction(+ : sum, misaligned)
    for (unsigned i = 0; i < 300; i++) {
      sum += large.values[199];
      if (reinterpret_cast<unsigned long>(&large) % 64 != 0) misaligned++;
    }
#pragma omp taskloop num_tasks(30) firstprivate(large, object) reduction(+ : sum) if (0)
    for (long i = 300; i > 0; i--) sum += large.values[199] + object.value;
  }
  std::printf("%ld %d %ld\n", sum, last.value, misaligned);
  return 0;
}

// RUNTIMES: gomp because how often clang copies the object is its own affair, and no figure of this suite
// STDOUT: 50250 299 0
// COUNT: task_create == 90
// COUNT: task_create flags=explicit+undeferred >= 30
// COUNT: task_schedule status=switch == 90
// COUNT: task_schedule status=complete == 90
// COUNT: work work=taskloop endpoint=begin count=300 == 3
// COUNT: sync_region kind=taskgroup endpoint=begin == 3
// COUNT: reduction endpoint=begin == 3
// COUNT: reduction endpoint=end == 3
