// A dynamically scheduled loop of two threads. Both work, and one waits for the other at the barrier at the loop's end.
// With nowait there is no barrier.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main() {
  int arrived = 0;
#pragma omp parallel num_threads(2)
  {
    conf_mark("begin");            // AT(loop)
#pragma omp for schedule(dynamic)  // AT(loop)
    for (int i = 0; i < 2; i++) {  // AT(loop)
      conf_mark("iteration");      // AT(loop)
      conf_raise(&arrived);        // AT(loop)
      conf_await(&arrived, 2);     // AT(loop): each thread gets one iteration
      if (omp_get_thread_num() == 0) {
        conf_settle();
        conf_probe("waiting");  // AT(loop)
      }
    }
    conf_mark("between");                // AT(nowait)
#pragma omp for schedule(guided) nowait  // AT(nowait)
    for (int i = 0; i < 2; i++) {        // AT(nowait)
      conf_raise(&arrived);              // AT(nowait)
      conf_await(&arrived, 4);           // AT(nowait)
    }                                    // AT(nowait)
    conf_mark("end");
  }
  return 0;
}

// IGNORE: task_info parallel_info sync_region_wait
// EXPECT(initial): mark name=begin
// EXPECT(initial)[gomp work-from-outside]: work work=loop endpoint=begin parallel=$P task=$T count=2 codeptr=@loop now_enter!=0 state=overhead
// EXPECT(initial)[libomp work-from-outside]: work work=loop endpoint=begin parallel=$P task=$T count=2 codeptr=@loop
// EXPECT(initial): mark name=iteration state=work_parallel now_enter=0
// EXPECT(initial): work work=loop endpoint=end parallel=$P task=$T
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=begin parallel=$P task=$T codeptr=@loop state=wait_barrier_implicit_workshare
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=end parallel=$P task=$T codeptr=@loop
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin parallel=$P task=$T codeptr=@loop
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end parallel=$P task=$T codeptr=@loop
// EXPECT(initial): mark name=between state=work_parallel now_enter=0
// EXPECT(initial): work work=loop endpoint=begin parallel=$P task=$T count=2 codeptr=@nowait
// EXPECT(initial): work work=loop endpoint=end parallel=$P task=$T
// EXPECT(initial): mark name=end state=work_parallel
// EXPECT(initial): * sync_region kind=barrier_implicit_parallel|barrier_implicit
// EXPECT(worker): mark name=begin
// EXPECT(worker): work work=loop endpoint=begin parallel=$P task=$W count=2 codeptr=@loop
// EXPECT(worker): mark name=iteration state=work_parallel
// EXPECT(worker): work work=loop endpoint=end parallel=$P task=$W
// EXPECT(worker)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=begin parallel=$P task=$W
// EXPECT(worker)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin parallel=$P task=$W
// EXPECT(worker)[gomp deprecated-barrier-kinds]: mark name=waiting state=wait_barrier_implicit_workshare now_enter!=0
// EXPECT(worker)[libomp deprecated-barrier-kinds]: mark name=waiting state=wait_barrier|wait_barrier_implicit
// EXPECT(worker)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=end parallel=$P task=$W
// EXPECT(worker)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end parallel=$P task=$W
// EXPECT(worker): mark name=between state=work_parallel
// EXPECT(worker): work work=loop endpoint=begin parallel=$P task=$W count=2 codeptr=@nowait
// EXPECT(worker): work work=loop endpoint=end parallel=$P task=$W
// EXPECT(worker): mark name=end state=work_parallel
// EXPECT(worker): * sync_region kind=barrier_implicit_parallel|barrier_implicit
