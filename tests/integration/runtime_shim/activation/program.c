// A program on libgomp. It runs the mode that its argument names, and prints "done" at its end. activation_test.cc and
// ending_test.cc say what each mode is for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOTS 8

static int inside;

void program_region(void) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
  inside++;
}

static void call_tool(const char* name) {
  void (*function)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, name);
  if (function != NULL) function();
}

static void* one_critical(void* barrier) {
  if (barrier != NULL) pthread_barrier_wait(barrier);
#pragma omp critical(one)
  inside++;
  return NULL;
}

static void run_roots(void* (*function)(void*), int count) {
  pthread_t threads[ROOTS];
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, count);
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, function, &barrier);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static void wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) printf("child's status %d\n", status);
}

static void* in_region(void* unused) {
  program_region();
  return unused;
}

// The child is made while another thread starts the tool.
static void fork_at_start(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, in_region, NULL);
  usleep(100000);
  const pid_t child = fork();
  if (child == 0) {
    program_region();
    exit(0);
  }
  wait_for(child);
  pthread_join(thread, NULL);
}

static int stop;

static void* storm(void* unused) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    program_region();
#pragma omp critical(storm)
    inside++;
  }
  return unused;
}

static void fork_in_storm(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, storm, NULL);
  for (int i = 0; i < 40; i++) {
    usleep(2000);
    const pid_t child = fork();
    if (child == 0) {
      program_region();
      exit(0);
    }
    wait_for(child);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

static void* worker_exits(void* unused) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 1) exit(3);
    pause();
  }
  return unused;
}

static void stay(void* unused) {
  (void)unused;
  for (;;) pause();
}

// The worker of a nested team never comes to its end.
static void stuck_worker(void) {
  pthread_key_t key;
  pthread_key_create(&key, stay);  // before the runtime has keys: this one comes first
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) pthread_setspecific(key, &inside);
}

static int has_run;

static void* region_and_stay(void* unused) {
  program_region();
  __atomic_store_n(&has_run, 1, __ATOMIC_SEQ_CST);
  stay(unused);
  return NULL;
}

// A thread with workers outlives main.
static void living_root(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, region_and_stay, NULL);
  while (!__atomic_load_n(&has_run, __ATOMIC_SEQ_CST)) usleep(100);
}

static void region_in_handler(void) {
  const int before = inside;
  program_region();
  if (inside != before + 2) printf("a region in an exit handler had %d threads\n", inside - before);
}

static void region_in_task(void) {
#pragma omp task
  program_region();
}

static void region_in_teams(void) {
#pragma omp teams
#pragma omp parallel num_threads(1)
  inside++;
}

static void roots(void) { run_roots(one_critical, ROOTS); }

static void end_outside(void) {
  program_region();
  call_tool("end_tool");
  program_region();
  one_critical(NULL);
}

static void end_inside(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 1) call_tool("end_tool");
#pragma omp barrier
    one_critical(NULL);
#pragma omp task
    one_critical(NULL);
  }
  program_region();
}

static void criticals(void) {
  one_critical(NULL);
  program_region();
  one_critical(NULL);
}

static void fork_before_region(void) {
  one_critical(NULL);
  const pid_t child = fork();
  program_region();
  if (child > 0) wait_for(child);
}

// libgomp's workers don't exist in the child.
static void fork_after_region(void) {
  program_region();
  const pid_t child = fork();
  one_critical(NULL);
  if (child > 0) wait_for(child);
}

static void exit_in_region(void) { worker_exits(NULL); }

static void exit_of_root(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker_exits, NULL);
  pause();
}

static void handlers(void) {
  atexit(region_in_handler);  // runs after the finalizer
  program_region();
  atexit(region_in_handler);  // and this before it
}

static void end_by_underscore_exit(void) {
  program_region();
  puts("done");
  _exit(0);
}

static void end_by_quick_exit(void) {
  program_region();
  puts("done");
  quick_exit(0);
}

static const struct {
  const char* name;
  void (*run)(void);
} modes[] = {
    {"region", program_region},
    {"region_in_task", region_in_task},
    {"teams", region_in_teams},
    {"roots", roots},
    {"end_outside", end_outside},
    {"end_inside", end_inside},
    {"critical", criticals},
    {"fork", fork_before_region},
    {"fork_after_region", fork_after_region},
    {"fork_at_start", fork_at_start},
    {"fork_storm", fork_in_storm},
    {"exit_in_region", exit_in_region},
    {"exit_of_root", exit_of_root},
    {"stuck_worker", stuck_worker},
    {"living_root", living_root},
    {"handlers", handlers},
    {"_exit", end_by_underscore_exit},
    {"quick_exit", end_by_quick_exit},
};

int main(int count, char** arguments) {
  const char* name = count > 1 ? arguments[1] : "region";
  setvbuf(stdout, NULL, _IOLBF, 0);
  size_t mode = 0;
  while (mode < sizeof(modes) / sizeof(modes[0]) && strcmp(modes[mode].name, name) != 0) mode++;
  if (mode == sizeof(modes) / sizeof(modes[0])) {
    printf("no mode %s\n", name);
    return 2;
  }
  modes[mode].run();
  puts("done");
  int (*late)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "callbacks_after_end");
  if (late != NULL && late() != 0) printf("%d callbacks after ompt_finalize_tool\n", late());
  return 0;
}
