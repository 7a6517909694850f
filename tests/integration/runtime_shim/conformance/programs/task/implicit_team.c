// Outside of all regions libgomp defers a thread's tasks once it has made a team of one for the thread. Reductions over
// tasks and deferred target regions need such a team. Each such construct runs on a thread of its own.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because libomp runs all tasks at once there
// COMPILE: -pthread
#include <pthread.h>

#include "conformance.h"

static int x;

static void create_task(void) {
  int has_run = 0;
  conf_mark("create");
#pragma omp task shared(has_run)
  has_run = 1;
  conf_mark(has_run ? "wrong" : "created");
#pragma omp taskwait
  if (!has_run) conf_mark("wrong");
}

static void* in_taskgroup(void* unused) {
#pragma omp taskgroup task_reduction(+ : x)
  create_task();
  return unused;
}

static void* in_loop(void* unused) {
#pragma omp for reduction(task, + : x)
  for (int i = 0; i < 1; i++) create_task();
  return unused;
}

static void* in_sections(void* unused) {
#pragma omp sections reduction(task, + : x)
  {
#pragma omp section
    create_task();
  }
  return unused;
}

static void* in_scope(void* unused) {
#pragma omp scope reduction(task, + : x)
  create_task();
  return unused;
}

static void* after_target(void* unused) {
#pragma omp target nowait map(tofrom : x)
  x = 1;
#pragma omp taskwait
  create_task();
  return unused;
}

static void* in_league(void* unused) {
#pragma omp teams num_teams(1)
  in_taskgroup(unused);
  create_task();
  return unused;
}

int main(void) {
  void* (*const uses[])(void*) = {in_taskgroup, in_loop, in_sections, in_scope, after_target, in_league};
#pragma omp task
  conf_mark("at once");
  for (int i = 0; i < 6; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, uses[i], NULL);
    pthread_join(thread, NULL);
  }
  in_taskgroup(NULL);
  create_task();
#pragma omp task if (0)
  conf_mark("at once");
  return 0;
}

// COUNT: task_create flags=explicit == 9
// COUNT: task_create flags=explicit+undeferred == 2
// COUNT: task_create == 12
// COUNT: mark name=created == 9
// COUNT: mark name=at_once now_flags=explicit+undeferred == 2
// COUNT: mark name=wrong == 0
