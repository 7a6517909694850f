// Every entry point of libgomp's loops, called by name with arguments that all differ. A wrongly passed argument would
// change a sum or an order. gcc itself emits only some of these calls.
//
// RUN: OMP_NUM_THREADS=4 OMP_SCHEDULE=dynamic,2
// RUN: OMP_NUM_THREADS=3 OMP_SCHEDULE=guided,3
// RUN: OMP_NUM_THREADS=1 OMP_SCHEDULE=static
// RUN: OMP_NUM_THREADS=2 OMP_SCHEDULE=auto
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_doacross_post(long*);
void GOMP_doacross_wait(long, ...);
void GOMP_doacross_ull_post(ull*);
void GOMP_doacross_ull_wait(ull, ...);

static unsigned long long sum;
static long last;
static int wrong;

#define ADD(value) __atomic_fetch_add(&sum, (unsigned long long)(value), __ATOMIC_RELAXED)

// A chunk's iterations add their values. With ordered regions they check that the previous iteration was before.
#define CHUNK(type, down, step, is_ordered)                             \
  for (type i = first; (down) ? i > end : i < end; i += (type)(step)) { \
    ADD(i);                                                             \
    if (is_ordered) {                                                   \
      GOMP_ordered_start();                                             \
      if ((down) ? (long)i >= last : (long)i <= last) wrong++;          \
      last = (long)i;                                                   \
      GOMP_ordered_end();                                               \
    }                                                                   \
  }

#define RUN(name, type, start_call, next_name, down, step, is_ordered)           \
  do {                                                                           \
    sum = 0, wrong = 0, last = (down) ? 1 << 30 : -(1 << 30);                    \
    _Pragma("omp parallel") {                                                    \
      type first, end;                                                           \
      if (start_call) do {                                                       \
          CHUNK(type, down, step, is_ordered)                                    \
        } while (next_name(&first, &end));                                       \
      GOMP_loop_end();                                                           \
    }                                                                            \
    printf("%s %s: %llu, wrong %d\n", name, (down) ? "down" : "up", sum, wrong); \
  } while (0)

// name, its next, ordered
#define WITH_CHUNK(X)                              \
  X(static, static, 0)                             \
  X(dynamic, dynamic, 0)                           \
  X(guided, guided, 0)                             \
  X(nonmonotonic_dynamic, nonmonotonic_dynamic, 0) \
  X(nonmonotonic_guided, nonmonotonic_guided, 0)   \
  X(ordered_static, ordered_static, 1)             \
  X(ordered_dynamic, ordered_dynamic, 1)           \
  X(ordered_guided, ordered_guided, 1)
#define WITHOUT_CHUNK(X)                                       \
  X(runtime, runtime, 0)                                       \
  X(nonmonotonic_runtime, nonmonotonic_runtime, 0)             \
  X(maybe_nonmonotonic_runtime, maybe_nonmonotonic_runtime, 0) \
  X(ordered_runtime, ordered_runtime, 1)

#define DECLARE(s, n, o)                                                \
  bool GOMP_loop_##s##_start(long, long, long, long, long*, long*);     \
  bool GOMP_loop_ull_##s##_start(bool, ull, ull, ull, ull, ull*, ull*); \
  bool GOMP_loop_##s##_next(long*, long*);                              \
  bool GOMP_loop_ull_##s##_next(ull*, ull*);
WITH_CHUNK(DECLARE)
#undef DECLARE
#define DECLARE(s, n, o)                                           \
  bool GOMP_loop_##s##_start(long, long, long, long*, long*);      \
  bool GOMP_loop_ull_##s##_start(bool, ull, ull, ull, ull*, ull*); \
  bool GOMP_loop_##s##_next(long*, long*);                         \
  bool GOMP_loop_ull_##s##_next(ull*, ull*);
WITHOUT_CHUNK(DECLARE)
#undef DECLARE

bool GOMP_loop_start(long, long, long, long, long, long*, long*, uintptr_t*, void**);
bool GOMP_loop_ordered_start(long, long, long, long, long, long*, long*, uintptr_t*, void**);
bool GOMP_loop_ull_start(bool, ull, ull, ull, long, ull, ull*, ull*, uintptr_t*, void**);
bool GOMP_loop_ull_ordered_start(bool, ull, ull, ull, long, ull, ull*, ull*, uintptr_t*, void**);

static void plain(void) {
#define ONE(s, n, o)                                                                                                   \
  RUN(#s, long, GOMP_loop_##s##_start(3, 100, 7, 2, &first, &end), GOMP_loop_##n##_next, 0, 7, o);                     \
  RUN(#s, long, GOMP_loop_##s##_start(90, -5, -4, 3, &first, &end), GOMP_loop_##n##_next, 1, -4, o);                   \
  RUN("ull " #s, ull, GOMP_loop_ull_##s##_start(true, 3, 100, 7, 2, &first, &end), GOMP_loop_ull_##n##_next, 0, 7, o); \
  RUN("ull " #s, ull, GOMP_loop_ull_##s##_start(false, 90, 5, -4ULL, 3, &first, &end), GOMP_loop_ull_##n##_next, 1,    \
      -4, o);
  WITH_CHUNK(ONE)
#undef ONE
#define ONE(s, n, o)                                                                                                \
  RUN(#s, long, GOMP_loop_##s##_start(3, 100, 7, &first, &end), GOMP_loop_##n##_next, 0, 7, o);                     \
  RUN(#s, long, GOMP_loop_##s##_start(90, -5, -4, &first, &end), GOMP_loop_##n##_next, 1, -4, o);                   \
  RUN("ull " #s, ull, GOMP_loop_ull_##s##_start(true, 3, 100, 7, &first, &end), GOMP_loop_ull_##n##_next, 0, 7, o); \
  RUN("ull " #s, ull, GOMP_loop_ull_##s##_start(false, 90, 5, -4ULL, &first, &end), GOMP_loop_ull_##n##_next, 1, -4, o);
  WITHOUT_CHUNK(ONE)
#undef ONE
}

// The schedule as an argument: 0 runtime, 1 static, 2 dynamic, 3 guided, 4 auto.
static void general(void) {
  for (long schedule = 0; schedule < 5; schedule++) {
    printf("schedule %ld\n", schedule);
    RUN("general", long, GOMP_loop_start(3, 100, 7, schedule, 2, &first, &end, NULL, NULL), GOMP_loop_runtime_next, 0,
        7, 0);
    RUN("ordered", long, GOMP_loop_ordered_start(90, -5, -4, schedule, 3, &first, &end, NULL, NULL),
        GOMP_loop_ordered_runtime_next, 1, -4, 1);
    RUN("ull general", ull, GOMP_loop_ull_start(true, 3, 100, 7, schedule, 2, &first, &end, NULL, NULL),
        GOMP_loop_ull_runtime_next, 0, 7, 0);
    RUN("ull ordered", ull, GOMP_loop_ull_ordered_start(false, 90, 5, -4ULL, schedule, 3, &first, &end, NULL, NULL),
        GOMP_loop_ull_ordered_runtime_next, 1, -4, 1);
    // The loop's threads share zeroed memory: its size goes in, its address comes out.
    int total = 0;
#pragma omp parallel reduction(+ : total)
    {
      long first, end;
      void* memory = (void*)16;
      bool any = schedule % 2 != 0 ? GOMP_loop_start(0, 9, 1, schedule, 1, &first, &end, NULL, &memory)
                                   : GOMP_loop_ordered_start(0, 9, 1, schedule, 1, &first, &end, NULL, &memory);
      while (any) {
        total += end - first;
        __atomic_fetch_add((int*)memory, end - first, __ATOMIC_RELAXED);
        any = schedule % 2 != 0 ? GOMP_loop_runtime_next(&first, &end) : GOMP_loop_ordered_runtime_next(&first, &end);
      }
#pragma omp barrier
      total += *(int*)memory == 9 ? 0 : 1000;
      GOMP_loop_end_nowait();
#pragma omp barrier
    }
    printf("memory: %d\n", total);
  }
}

#define DECLARE(p, type)                                                           \
  bool GOMP_loop_##p##doacross_static_start(unsigned, type*, type, type*, type*);  \
  bool GOMP_loop_##p##doacross_dynamic_start(unsigned, type*, type, type*, type*); \
  bool GOMP_loop_##p##doacross_guided_start(unsigned, type*, type, type*, type*);  \
  bool GOMP_loop_##p##doacross_runtime_start(unsigned, type*, type*, type*);       \
  bool GOMP_loop_##p##doacross_start(unsigned, type*, long, type, type*, type*, uintptr_t*, void**);
DECLARE(, long)
DECLARE(ull_, ull)

// Eight dimensions, so that two numbers of each wait go over the stack. Each iteration depends on the iteration before
// it in the first dimension and in the last. It finds what they have written.
enum { kRows = 6, kColumns = 5 };
static int seen[kRows][kColumns];

#define DOACROSS(name, p, type, start_call, next_name)                                          \
  do {                                                                                          \
    memset(seen, 0, sizeof(seen));                                                              \
    wrong = 0;                                                                                  \
    _Pragma("omp parallel") {                                                                   \
      type counts[8] = {kRows, 1, 1, 1, 1, 1, 1, kColumns}, first, end;                         \
      if (start_call) do {                                                                      \
          for (type i = first; i < end; i++)                                                    \
            for (type j = 0; j < kColumns; j++) {                                               \
              type here[8] = {i, 0, 0, 0, 0, 0, 0, j}, zero = 0;                                \
              if (i > 0) GOMP_doacross_##p##wait(i - 1, zero, zero, zero, zero, zero, zero, j); \
              if (j > 0) GOMP_doacross_##p##wait(i, zero, zero, zero, zero, zero, zero, j - 1); \
              const int above = i > 0 ? seen[i - 1][j] : 1, left = j > 0 ? seen[i][j - 1] : 1;  \
              if (above == 0 || left == 0) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);     \
              seen[i][j] = above + left;                                                        \
              GOMP_doacross_##p##post(here);                                                    \
            }                                                                                   \
        } while (next_name(&first, &end));                                                      \
      GOMP_loop_end();                                                                          \
    }                                                                                           \
    printf("doacross %s: %d, wrong %d\n", name, seen[kRows - 1][kColumns - 1], wrong);          \
  } while (0)

static void doacross(void) {
#define ALL(p, type)                                                                                                 \
  DOACROSS(#p "static", p, type, GOMP_loop_##p##doacross_static_start(8, counts, 1, &first, &end),                   \
           GOMP_loop_##p##static_next);                                                                              \
  DOACROSS(#p "static blocks", p, type, GOMP_loop_##p##doacross_static_start(8, counts, 0, &first, &end),            \
           GOMP_loop_##p##static_next);                                                                              \
  DOACROSS(#p "dynamic", p, type, GOMP_loop_##p##doacross_dynamic_start(8, counts, 2, &first, &end),                 \
           GOMP_loop_##p##dynamic_next);                                                                             \
  DOACROSS(#p "guided", p, type, GOMP_loop_##p##doacross_guided_start(8, counts, 1, &first, &end),                   \
           GOMP_loop_##p##guided_next);                                                                              \
  DOACROSS(#p "runtime", p, type, GOMP_loop_##p##doacross_runtime_start(8, counts, &first, &end),                    \
           GOMP_loop_##p##runtime_next);                                                                             \
  for (long schedule = 0; schedule < 5; schedule++)                                                                  \
    DOACROSS(#p "general", p, type, GOMP_loop_##p##doacross_start(8, counts, schedule, 1, &first, &end, NULL, NULL), \
             GOMP_loop_##p##runtime_next);
  ALL(, long)
  ALL(ull_, ull)
#undef ALL
}

int main(void) {
  plain();
  general();
  doacross();
  return 0;
}
