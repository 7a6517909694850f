// single: one thread executes, the other does not. The barrier belongs to the construct. Without a barrier the
// executor's work ends at the next construct.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int step = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() != 0) conf_await(&step, 1);  // AT(single)
#pragma omp single                                        // AT(single)
    {                                                     // AT(single)
      conf_raise(&step);                                  // AT(single)
      conf_settle();                                      // AT(single)
      conf_probe("waiting");                              // AT(single)
    }                                                     // AT(single)
    conf_mark("between");                                 // AT(nowait)
    if (omp_get_thread_num() != 0) conf_await(&step, 2);  // AT(nowait)
#pragma omp single nowait                                 // AT(nowait)
    conf_raise(&step);                                    // AT(nowait)
    conf_mark("end");
  }
  return step != 2;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): work work=single_executor endpoint=begin count=1 parallel=$P task=$T codeptr=@single
// EXPECT(initial): work work=single_executor endpoint=end count=1 parallel=$P task=$T
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=begin codeptr=@single
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=end codeptr=@single
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin codeptr=@single
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end codeptr=@single
// EXPECT(initial): mark name=between state=work_parallel now_enter=0
// EXPECT(initial): work work=single_executor endpoint=begin count=1 parallel=$P task=$T codeptr=@nowait
// EXPECT(initial)[libomp late-single-end]: work work=single_executor endpoint=end count=1 parallel=$P task=$T
// EXPECT(initial): mark name=end state=work_parallel
// EXPECT(initial)[gomp late-single-end]: work work=single_executor endpoint=end count=1 parallel=$P task=$T
// EXPECT(initial): * sync_region kind=barrier_implicit_parallel|barrier_implicit
// EXPECT(worker): work work=single_other endpoint=begin count=1 parallel=$P task=$W codeptr=@single
// EXPECT(worker): work work=single_other endpoint=end count=1 parallel=$P task=$W codeptr=@single
// EXPECT(worker)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=begin codeptr=@single
// EXPECT(worker)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin codeptr=@single
// EXPECT(worker)[gomp deprecated-barrier-kinds]: mark name=waiting state=wait_barrier_implicit_workshare now_enter!=0
// EXPECT(worker)[libomp deprecated-barrier-kinds]: mark name=waiting state=wait_barrier|wait_barrier_implicit
// EXPECT(worker)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=end codeptr=@single
// EXPECT(worker)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end codeptr=@single
// EXPECT(worker): mark name=between state=work_parallel
// EXPECT(worker): work work=single_other endpoint=begin count=1 parallel=$P task=$W codeptr=@nowait
// EXPECT(worker): work work=single_other endpoint=end count=1 parallel=$P task=$W codeptr=@nowait
// EXPECT(worker): mark name=end state=work_parallel
// EXPECT(worker): * sync_region kind=barrier_implicit_parallel|barrier_implicit
