// The calls that start a team with its worksharing construct, by name, with arguments that all differ: the new calls
// and those before gcc 4.9. Also task reductions, whose team reads the argument of the outlined function; cancelled
// worksharing; locks under contention.
//
// RUN: OMP_NUM_THREADS=4 OMP_SCHEDULE=dynamic,2 OMP_CANCELLATION=true
// RUN: OMP_NUM_THREADS=1 OMP_CANCELLATION=true
// RUN: OMP_NUM_THREADS=3 OMP_SCHEDULE=guided
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

static long sum, threads;

#define LOOP(next)                                                                                    \
  static void with_##next(void* argument) {                                                           \
    long first, end;                                                                                  \
    __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);                                                \
    while (GOMP_loop_##next##_next(&first, &end))                                                     \
      for (long i = first; i < end; i += 7) __atomic_fetch_add((long*)argument, i, __ATOMIC_RELAXED); \
    GOMP_loop_end_nowait();                                                                           \
  }
#define PARALLEL(name, next)                                                                          \
  void GOMP_parallel_loop_##name(void (*)(void*), void*, unsigned, long, long, long, long, unsigned); \
  bool GOMP_loop_##next##_next(long*, long*);                                                         \
  LOOP(next)
#define PARALLEL_RUNTIME(name, next)                                                            \
  void GOMP_parallel_loop_##name(void (*)(void*), void*, unsigned, long, long, long, unsigned); \
  bool GOMP_loop_##next##_next(long*, long*);                                                   \
  LOOP(next)
#define START(name) void GOMP_parallel_loop_##name##_start(void (*)(void*), void*, unsigned, long, long, long, long)

void GOMP_loop_end_nowait(void);
void GOMP_parallel_end(void);
PARALLEL(static, static)
PARALLEL(dynamic, dynamic)
PARALLEL(guided, guided)
PARALLEL(nonmonotonic_dynamic, nonmonotonic_dynamic)
PARALLEL(nonmonotonic_guided, nonmonotonic_guided)
PARALLEL_RUNTIME(runtime, runtime)
PARALLEL_RUNTIME(nonmonotonic_runtime, nonmonotonic_runtime)
PARALLEL_RUNTIME(maybe_nonmonotonic_runtime, maybe_nonmonotonic_runtime)
START(static);
START(dynamic);
START(guided);
void GOMP_parallel_loop_runtime_start(void (*)(void*), void*, unsigned, long, long, long);
void GOMP_parallel_start(void (*)(void*), void*, unsigned);
void GOMP_parallel_sections_start(void (*)(void*), void*, unsigned, unsigned);
void GOMP_parallel_sections(void (*)(void*), void*, unsigned, unsigned, unsigned);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

static void plain(void* argument) {
  __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add((long*)argument, omp_get_thread_num(), __ATOMIC_RELAXED);
}

static void sections(void* argument) {
  unsigned section;
  __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  while ((section = GOMP_sections_next()) != 0) __atomic_fetch_add((long*)argument, section, __ATOMIC_RELAXED);
  GOMP_sections_end_nowait();
}

static void report(const char* name) {
  printf("%s: %ld by %ld threads\n", name, sum, threads);
  sum = threads = 0;
}

static void teams(void) {
#define NEW(name)                                                   \
  GOMP_parallel_loop_##name(with_##name, &sum, 3, 5, 100, 7, 2, 0); \
  report(#name);
#define NEW_RUNTIME(name)                                        \
  GOMP_parallel_loop_##name(with_##name, &sum, 3, 5, 100, 7, 0); \
  report(#name);
#define OLD(name)                                                        \
  GOMP_parallel_loop_##name##_start(with_##name, &sum, 2, 5, 100, 7, 3); \
  with_##name(&sum);                                                     \
  GOMP_parallel_end();                                                   \
  report("old " #name);
  NEW(static)
  NEW(dynamic)
  NEW(guided)
  NEW(nonmonotonic_dynamic)
  NEW(nonmonotonic_guided)
  NEW_RUNTIME(runtime)
  NEW_RUNTIME(nonmonotonic_runtime)
  NEW_RUNTIME(maybe_nonmonotonic_runtime)
  OLD(static)
  OLD(dynamic)
  OLD(guided)
  GOMP_parallel_loop_runtime_start(with_runtime, &sum, 0, 5, 100, 7);
  with_runtime(&sum);
  GOMP_parallel_end();
  report("old runtime");
  GOMP_parallel_start(plain, &sum, 3);
  plain(&sum);
  GOMP_parallel_end();
  report("old plain");
  GOMP_parallel_sections(sections, &sum, 2, 9, 0);
  report("sections");
  GOMP_parallel_sections_start(sections, &sum, 3, 9);
  sections(&sum);
  GOMP_parallel_end();
  report("old sections");
  // One inside the other.
  GOMP_parallel_start(plain, &sum, 2);
  plain(&sum);
  GOMP_parallel_loop_dynamic(with_dynamic, &sum, 2, 5, 100, 7, 2, 0);
  GOMP_parallel_end();
  report("nested");
}

static void task_reductions(void) {
  long total = 0, product = 1;
#pragma omp parallel reduction(task, + : total) reduction(task, * : product)
  {
#pragma omp single
    for (int i = 1; i < 10; i++)
#pragma omp task in_reduction(+ : total) in_reduction(* : product)
    {
      total += i;
      product *= i;
    }
  }
  printf("parallel reductions %ld %ld\n", total, product);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 3) reduction(task, + : total)
    for (int i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : total)
      total += i;
#pragma omp for schedule(static) reduction(task, + : total)
    for (unsigned long long i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : total)
      total += 1;
#pragma omp sections reduction(task, + : total)
    {
#pragma omp task in_reduction(+ : total)
      total += 100;
#pragma omp section
#pragma omp task in_reduction(+ : total)
      total += 1000;
    }
#pragma omp scope reduction(task, + : total)
    {
#pragma omp task in_reduction(+ : total)
      total += 10000;
    }
  }
  printf("others %ld\n", (total - 10000 * omp_get_max_threads()));
  int last = -1;
#pragma omp parallel for schedule(dynamic) lastprivate(conditional : last)
  for (int i = 0; i < 50; i++)
    if (i % 7 == 0) last = i;
  printf("last %d\n", last);
}

static void cancelled(void) {
  int begun = 0, after = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 1000; i++) {
      __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
#pragma omp cancel for
    }
#pragma omp sections
    {
      {
#pragma omp cancel sections
      }
#pragma omp section
      {
#pragma omp cancellation point sections
      }
    }
#pragma omp single
    after++;
#pragma omp barrier
#pragma omp cancel parallel if (omp_get_cancellation())
    __atomic_fetch_add(&after, 100 * !omp_get_cancellation(), __ATOMIC_RELAXED);
  }
  printf("cancelled %d %d\n", begun, after);
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest_lock;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  long double wide = 0;
  long in_lock = 0, in_nest_lock = 0, in_critical = 0, in_other = 0, tested = 0;
#pragma omp parallel reduction(+ : tested)
  for (int i = 0; i < 2000; i++) {
    omp_set_lock(&lock);
    in_lock++;
    omp_unset_lock(&lock);
    while (!omp_test_lock(&lock)) omp_get_wtime();
    in_lock++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest_lock);
    omp_set_nest_lock(&nest_lock);
    tested += omp_test_nest_lock(&nest_lock);
    in_nest_lock++;
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
#pragma omp critical
    in_critical++;
#pragma omp critical(other)
    in_other++;
#pragma omp atomic
    wide += 1;
  }
  const long all = 2000L * omp_get_max_threads();
  printf("locks %d %d %d %d %d %d\n", in_lock == 2 * all, in_nest_lock == all, in_critical == all, in_other == all,
         tested == 3 * all, wide == all);
  // A nest lock belongs to a task: another task of the same thread cannot have it.
  omp_set_nest_lock(&nest_lock);
  int other = -1;
#pragma omp task shared(other, nest_lock) if (0)
  other = omp_test_nest_lock(&nest_lock);
  omp_unset_nest_lock(&nest_lock);
  printf("other task %d, free again %d\n", other, omp_test_nest_lock(&nest_lock));
  omp_unset_nest_lock(&nest_lock);
  // The standard forbids this, but libgomp does not mind: another task gives the lock back.
  omp_set_nest_lock(&nest_lock);
#pragma omp task shared(nest_lock) if (0)
  omp_unset_nest_lock(&nest_lock);
  printf("given back by another %d\n", omp_test_nest_lock(&nest_lock));
  omp_destroy_nest_lock(&nest_lock);
  omp_destroy_lock(&lock);
}

int main(void) {
  teams();
  task_reductions();
  cancelled();
  locks();
  return 0;
}
