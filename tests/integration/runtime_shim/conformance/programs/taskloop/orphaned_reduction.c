// A taskloop with a reduction outside of all regions. libgomp runs its tasks at once and in order, unless an earlier
// taskloop has made it defer tasks there.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because libomp 14 adds up within the taskgroup's end, and reports nothing of it
#include "conformance.h"

static void run(const char* const* names) {
  int sum = 0;
#pragma omp taskloop num_tasks(2) reduction(+ : sum)
  for (int i = 0; i < 2; i++) {
    conf_mark(names[i]);
    sum += i + 1;
  }
  conf_mark(sum == 3 ? "sum" : "wrong");
}

int main(void) {
  const char* const names[] = {"first", "second"};
  run(names);
  run(names);
  return 0;
}

// IGNORE: parallel_info task_info
// OBSERVE: sync_region sync_region_wait work reduction task_schedule
// EXPECT(initial): sync_region kind=taskgroup endpoint=begin task=$T codeptr!=none
// EXPECT(initial): work work=taskloop endpoint=begin task=$T count=2
// EXPECT(initial): task_create task=$T new_task=$A flags=explicit+undeferred
// EXPECT(initial): task_create task=$T new_task=$B flags=explicit+undeferred
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): mark name=first state=work_serial now_task=$A now_enter=0
// EXPECT(initial): task_schedule prior=$A status=complete next=$T
// EXPECT(initial): task_schedule prior=$T status=switch next=$B
// EXPECT(initial): mark name=second state=work_serial now_task=$B now_enter=0
// EXPECT(initial): task_schedule prior=$B status=complete next=$T
// EXPECT(initial): work work=taskloop endpoint=end task=$T count=2
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=begin task=$T
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=end task=$T
// EXPECT(initial): sync_region kind=taskgroup endpoint=end task=$T
// EXPECT(initial): reduction endpoint=begin task=$T
// EXPECT(initial): reduction endpoint=end task=$T state=work_serial
// EXPECT(initial): mark name=sum state=work_serial now_task=$T now_enter=0
// EXPECT(initial): sync_region kind=taskgroup endpoint=begin task=$T
// EXPECT(initial): work work=taskloop endpoint=begin task=$T count=2
// EXPECT(initial): task_create task=$T new_task=$C flags=explicit
// EXPECT(initial): task_create task=$T new_task=$D flags=explicit
// EXPECT(initial): work work=taskloop endpoint=end task=$T count=2
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=begin task=$T
// EXPECT(initial): task_schedule prior=$T status=switch next=$D
// EXPECT(initial): mark name=second state=work_serial now_task=$D now_enter=0
// EXPECT(initial): task_schedule prior=$D status=complete next=$T
// EXPECT(initial): task_schedule prior=$T status=switch next=$C
// EXPECT(initial): mark name=first state=work_serial now_task=$C now_enter=0
// EXPECT(initial): task_schedule prior=$C status=complete next=$T
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=end task=$T
// EXPECT(initial): sync_region kind=taskgroup endpoint=end task=$T
// EXPECT(initial): reduction endpoint=begin task=$T
// EXPECT(initial): reduction endpoint=end task=$T state=work_serial
// EXPECT(initial): mark name=sum state=work_serial now_task=$T now_enter=0
