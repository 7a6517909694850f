// The calls that gcc before 4.9 made for a region. The encountering thread returns from the call that starts the team,
// and calls the outlined function itself. So no frame of the runtime lies between the thread's frames.
// VARIANTS: -O0 | -O2 | -O2 -fno-omit-frame-pointer
// RUNTIMES: gomp because these are libgomp's entry points
#include <stdbool.h>

#include "conformance.h"

void GOMP_parallel_start(void (*)(void*), void*, unsigned);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_dynamic_start(void (*)(void*), void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_static_start(void (*)(void*), void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(void (*)(void*), void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(void (*)(void*), void*, unsigned, long, long, long);
void GOMP_parallel_sections_start(void (*)(void*), void*, unsigned, unsigned);
bool GOMP_loop_dynamic_next(long*, long*);
bool GOMP_loop_static_next(long*, long*);
bool GOMP_loop_guided_next(long*, long*);
bool GOMP_loop_runtime_next(long*, long*);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

static int entered = 0;

__attribute__((noinline)) static void region(void* argument) {
  conf_mark("inside");
  __atomic_fetch_add((int*)argument, 1, __ATOMIC_RELAXED);
}

#define LOOP(schedule)                                                                           \
  __attribute__((noinline)) static void schedule(void* sum) {                                    \
    long first, end;                                                                             \
    while (GOMP_loop_##schedule##_next(&first, &end))                                            \
      for (long i = first; i < end; i += 2) __atomic_fetch_add((long*)sum, i, __ATOMIC_RELAXED); \
    GOMP_loop_end_nowait();                                                                      \
  }
LOOP(dynamic)
LOOP(guided)
LOOP(runtime)

__attribute__((noinline)) static void statically(void* sum) {
  long first, end;
  while (GOMP_loop_static_next(&first, &end))
    for (long i = first; i < end; i += 2) __atomic_fetch_add((long*)sum, i, __ATOMIC_RELAXED);
  GOMP_loop_end_nowait();
}

__attribute__((noinline)) static void sections(void* sum) {
  unsigned section;
  while ((section = GOMP_sections_next()) != 0) __atomic_fetch_add((long*)sum, section, __ATOMIC_RELAXED);
  GOMP_sections_end_nowait();
}

int main(void) {
  long sum = 0;
  // The first region makes the tool start.
#pragma omp parallel num_threads(1)
  conf_mark("first");
  conf_mark("main");
  GOMP_parallel_start(region, &entered, 2);  // AT(start)
  region(&entered);
  GOMP_parallel_end();
  conf_mark("between");
  GOMP_parallel_loop_dynamic_start(dynamic, &sum, 2, 1, 9, 2, 2);
  dynamic(&sum);
  GOMP_parallel_end();
  GOMP_parallel_loop_guided_start(guided, &sum, 2, 1, 9, 2, 2);
  guided(&sum);
  GOMP_parallel_end();
  GOMP_parallel_loop_runtime_start(runtime, &sum, 2, 1, 9, 2);
  runtime(&sum);
  GOMP_parallel_end();
  GOMP_parallel_loop_static_start(statically, &sum, 2, 1, 9, 2, 1);
  statically(&sum);
  GOMP_parallel_end();
  GOMP_parallel_sections_start(sections, &sum, 2, 4);
  sections(&sum);
  GOMP_parallel_end();
  conf_mark("end");
  return entered != 2 || sum != 4 * 16 + 10;
}

// IGNORE: parallel_info
// EXPECT(initial): implicit_task endpoint=begin flags=initial
// EXPECT(initial): parallel_begin requested=1
// EXPECT(initial): implicit_task endpoint=begin team_size=1
// EXPECT(initial): mark name=first
// EXPECT(initial): + task_info name=first
// EXPECT(initial): implicit_task endpoint=end
// EXPECT(initial): parallel_end
// EXPECT(initial): mark name=main sp=$M
// EXPECT(initial): task_info name=main level=0 task=$T0 exit=0 enter=0
// EXPECT(initial): parallel_begin task=$T0 parallel=$P requested=2 flags=invoker_program+team codeptr=@start frame_exit=0 frame_enter!=0
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$T team_size=2 index=0
// EXPECT(initial): mark name=inside sp=$S state=work_parallel
// EXPECT(initial): task_info level=0 task=$T flags=implicit exit=$X exit_flags=application+cfa enter=0 {S < X <= M}
// EXPECT(initial): task_info level=1 task=$T0 exit=0 enter=$X enter_flags=application+cfa
// EXPECT(initial): implicit_task endpoint=end task=$T
// EXPECT(initial): parallel_end parallel=$P task=$T0 flags=invoker_program+team
// EXPECT(initial): mark name=between state=work_serial
// EXPECT(initial): task_info level=0 task=$T0 exit=0 enter=0 enter_flags=runtime+framepointer
// EXPECT(initial): repeat 4
// EXPECT(initial): parallel_begin task=$T0 parallel=$Q requested=2 flags=invoker_program+team
// EXPECT(initial): implicit_task endpoint=begin parallel=$Q task=$L
// EXPECT(initial): work work=loop endpoint=begin parallel=$Q task=$L count=4
// EXPECT(initial): work work=loop endpoint=end parallel=$Q task=$L count=4
// EXPECT(initial): implicit_task endpoint=end task=$L
// EXPECT(initial): parallel_end parallel=$Q task=$T0
// EXPECT(initial): end
// EXPECT(initial): parallel_begin task=$T0 parallel=$R requested=2 flags=invoker_program+team
// EXPECT(initial): implicit_task endpoint=begin parallel=$R task=$E
// EXPECT(initial): work work=sections endpoint=begin parallel=$R task=$E count=4
// EXPECT(initial): work work=sections endpoint=end parallel=$R task=$E count=4
// EXPECT(initial): implicit_task endpoint=end task=$E
// EXPECT(initial): parallel_end parallel=$R task=$T0
// EXPECT(initial): mark name=end state=work_serial
// EXPECT(initial): task_info level=0 task=$T0 exit=0 enter=0
// EXPECT(initial): implicit_task endpoint=end flags=initial
// EXPECT(worker): implicit_task endpoint=begin parallel=$P task=$W team_size=2 index=1
// EXPECT(worker): mark name=inside sp=$V state=work_parallel
// EXPECT(worker): task_info level=0 task=$W exit=$Y exit_flags=runtime+framepointer enter=0 {V < Y}
// EXPECT(worker): task_info level=1 task=$T0 exit=0
// EXPECT(worker): implicit_task endpoint=end task=$W
// EXPECT(worker): repeat 4
// EXPECT(worker): implicit_task endpoint=begin task=$K
// EXPECT(worker): work work=loop endpoint=begin task=$K count=4
// EXPECT(worker): work work=loop endpoint=end task=$K count=4
// EXPECT(worker): implicit_task endpoint=end task=$K
// EXPECT(worker): end
// EXPECT(worker): implicit_task endpoint=begin parallel=$R task=$F
// EXPECT(worker): work work=sections endpoint=begin parallel=$R task=$F count=4
// EXPECT(worker): work work=sections endpoint=end parallel=$R task=$F count=4
// EXPECT(worker): ? implicit_task endpoint=end task=$F
