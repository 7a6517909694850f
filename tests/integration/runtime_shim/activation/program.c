// A program on libgomp that does what its argument says, and prints "done" at its end. What each mode is for stands in
// activation_test.cc and ending_test.cc.
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

static void* exit_in_region(void* unused) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 1) exit(3);
    pause();
  }
  return unused;
}

static void region_in_handler(void) {
  const int before = inside;
  program_region();
  if (inside != before + 2) printf("a region in an exit handler had %d threads\n", inside - before);
}

int main(int count, char** arguments) {
  const char* mode = count > 1 ? arguments[1] : "region";
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(mode, "region") == 0) {
    program_region();
  } else if (strcmp(mode, "region_in_task") == 0) {
#pragma omp task
    program_region();
  } else if (strcmp(mode, "teams") == 0) {
#pragma omp teams
#pragma omp parallel num_threads(1)
    inside++;
  } else if (strcmp(mode, "roots") == 0) {
    run_roots(one_critical, ROOTS);
  } else if (strcmp(mode, "end_outside") == 0) {
    program_region();
    call_tool("end_tool");
    program_region();
    one_critical(NULL);
  } else if (strcmp(mode, "end_inside") == 0) {
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
  } else if (strcmp(mode, "critical") == 0) {
    one_critical(NULL);
    program_region();
    one_critical(NULL);
  } else if (strcmp(mode, "fork") == 0) {
    one_critical(NULL);
    const pid_t child = fork();
    program_region();
    if (child > 0) wait_for(child);
  } else if (strcmp(mode, "fork_after_region") == 0) {
    program_region();  // libgomp's workers don't exist in the child
    const pid_t child = fork();
    one_critical(NULL);
    if (child > 0) wait_for(child);
  } else if (strcmp(mode, "fork_storm") == 0) {
    fork_in_storm();
  } else if (strcmp(mode, "exit_in_region") == 0) {
    exit_in_region(NULL);
  } else if (strcmp(mode, "exit_of_root") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, exit_in_region, NULL);
    pause();
  } else if (strcmp(mode, "handlers") == 0) {
    atexit(region_in_handler);  // runs after the finalizer
    program_region();
    atexit(region_in_handler);  // and this before it
  } else if (strcmp(mode, "_exit") == 0) {
    program_region();
    puts("done");
    _exit(0);
  } else if (strcmp(mode, "quick_exit") == 0) {
    program_region();
    puts("done");
    quick_exit(0);
  } else {
    printf("no mode %s\n", mode);
    return 2;
  }
  puts("done");
  int (*late)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "callbacks_after_end");
  if (late != NULL && late() != 0) printf("%d callbacks after ompt_finalize_tool\n", late());
  return 0;
}
