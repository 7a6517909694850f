// Every kind of construct with a determined outcome, with its result on stdout. The text is the same on every run.
//
// RUN: OMP_NUM_THREADS=4
// RUN: OMP_NUM_THREADS=1
// RUN: OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive OMP_CANCELLATION=true
// RUN: OMP_NUM_THREADS=64
// RUN: OMP_NUM_THREADS=5 OMP_THREAD_LIMIT=3
// RUN: OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=3
// RUN: OMP_NUM_THREADS=3,2 OMP_MAX_ACTIVE_LEVELS=2
// RUN: OMP_NUM_THREADS=3 OMP_DISPLAY_ENV=verbose
// RUN: OMP_NUM_THREADS=2 OMP_SCHEDULE=guided,3
// RUN: OMP_NUM_THREADS=2 OMP_DYNAMIC=true
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT 1000

// Threads that a smaller team did not need any more get time to end.
static int threads_of_process(void) {
  usleep(100000);
  int count = 0;
  DIR* folder = opendir("/proc/self/task");
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.') count++;
  closedir(folder);
  return count;
}

static long fibonacci(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a) final(n < 8)
  a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 5)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void loops(void) {
  int owner[COUNT];
  long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < COUNT; i++) {
    owner[i] = omp_get_thread_num();
    sum += i;
  }
  long weighted = 0;
  for (int i = 0; i < COUNT; i++) weighted += (long)i * owner[i];
  printf("static: sum %ld, owners %ld\n", sum, weighted);
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < COUNT; i++) owner[i] = omp_get_thread_num();
  weighted = 0;
  for (int i = 0; i < COUNT; i++) weighted += (long)i * owner[i];
  printf("static 7: owners %ld\n", weighted);
  int done[COUNT] = {0};
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < COUNT; i++) done[i]++;
#pragma omp for schedule(guided)
    for (int i = 0; i < COUNT; i++) {
#pragma omp atomic
      done[i]++;
    }
#pragma omp for schedule(runtime)
    for (unsigned long long i = 0; i < COUNT; i++) done[i]++;
  }
  sum = 0;
  for (int i = 0; i < COUNT; i++) sum += done[i] == 3;
  printf("dynamic, guided, runtime: %ld of %d done thrice\n", sum, COUNT);
  printf("ordered:");
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 10; i++) {
#pragma omp ordered
    printf(" %d", i);
  }
  printf("\n");
  int table[8][8] = {{0}};
#pragma omp parallel for ordered(2)
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      table[i][j] = table[i - 1][j] + table[i][j - 1] + 1;
#pragma omp ordered depend(source)
    }
  printf("doacross: %d\n", table[7][7]);
}

static void synchronization(void) {
  int critical = 0, named = 0, atomic = 0, locked = 0, nested = 0, singles = 0, copied = 0, team = 0;
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < 100; i++) {
#pragma omp critical
      critical++;
#pragma omp critical(a_name)
      named++;
#pragma omp atomic
      atomic++;
      omp_set_lock(&lock);
      locked++;
      omp_unset_lock(&lock);
      while (!omp_test_nest_lock(&nest)) {
      }
      omp_set_nest_lock(&nest);
      nested++;
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
#pragma omp barrier
    }
#pragma omp single nowait
    {
#pragma omp atomic
      singles++;
    }
    int value = -1;
#pragma omp single copyprivate(value)
    value = 17;
#pragma omp atomic
    copied += value;
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp atomic
        singles += 10;
      }
#pragma omp section
      {
#pragma omp atomic
        singles += 100;
      }
    }
#pragma omp masked
    singles += 1000;
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  printf("team %d: critical %d %d atomic %d locks %d %d single %d copied %d\n", team, critical, named, atomic, locked,
         nested, singles, copied);
}

static void tasks(void) {
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fibonacci(16);
  printf("fibonacci %ld\n", result);
  int order[4] = {0}, next = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : next) firstprivate(i)
      order[i] = next++;
    }
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp taskloop grainsize(5) in_reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i;
    }
#pragma omp task untied mergeable
    {
#pragma omp taskyield
    }
  }
  printf("depend %d%d%d%d, taskloop %d\n", order[0], order[1], order[2], order[3], sum);
}

static void levels(void) {
  int most = 0, inner = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    inner++;
#pragma omp critical
    if (omp_get_active_level() * 10 + omp_get_level() > most) most = omp_get_active_level() * 10 + omp_get_level();
  }
  printf("nested: %d threads, levels %d\n", inner, most);
}

static void cancelling(void) {
  int found = -1;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100000; i++) {
      if (i == 50) {
#pragma omp atomic write
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  printf("cancellation %d found %d\n", omp_get_cancellation(), found);
}

int main(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  printf("max %d procs %d schedule %d,%d dynamic %d limit %d levels %d\n", omp_get_max_threads(), omp_get_num_procs(),
         (int)kind, chunk, omp_get_dynamic(), omp_get_thread_limit(), omp_get_max_active_levels());
  printf("threads before: %d\n", threads_of_process());
  loops();
  printf("threads after the loops: %d\n", threads_of_process());
  synchronization();
  tasks();
  levels();
  cancelling();
#pragma omp parallel
  {}
  printf("threads at the end: %d\n", threads_of_process());
  return 7;
}
