// Exceptions thrown and caught in a task, through functions of the task.
// VARIANTS: -O0 | -O2
// COMPILE: -lstdc++
#include <omp.h>

#include <stdexcept>

#include "conformance.h"

namespace {

__attribute__((noinline)) void Throw(int i) {
  if (i % 2 == 0) throw std::runtime_error("even");
}

}  // namespace

int main() {
  int caught = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(i) shared(caught)
    try {
      Throw(i);
    } catch (const std::exception&) {
      conf_mark("caught");
#pragma omp atomic
      caught++;
    }
  }
  return caught;
}

// EXIT: 5
// COUNT: mark name=caught now_flags=explicit state=work_parallel now_enter=0 == 5
// COUNT: task_create == 10
// COUNT: task_schedule status=complete == 10
// COUNT: task_schedule status=switch == 10
