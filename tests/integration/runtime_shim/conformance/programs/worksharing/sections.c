// sections with and without a barrier at the end.
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(1)
  {
    conf_mark("begin");      // AT(sections)
#pragma omp sections         // AT(sections)
    {                        // AT(sections)
      conf_raise(&done);     // AT(sections)
#pragma omp section          // AT(sections)
      conf_raise(&done);     // AT(sections)
    }                        // AT(sections)
    conf_mark("between");    // AT(nowait)
#pragma omp sections nowait  // AT(nowait)
    {                        // AT(nowait)
      conf_raise(&done);     // AT(nowait)
#pragma omp section          // AT(nowait)
      conf_raise(&done);     // AT(nowait)
#pragma omp section          // AT(nowait)
      conf_raise(&done);     // AT(nowait)
    }                        // AT(nowait)
    conf_mark("end");
  }
  return done != 5;
}

// IGNORE: task_info parallel_info sync_region_wait
// EXPECT(initial): mark name=begin
// EXPECT(initial): work work=sections endpoint=begin count=2 codeptr=@sections
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=section instance!=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=section instance!=0
// EXPECT(initial): work work=sections endpoint=end codeptr=@sections
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=begin codeptr=@sections
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_workshare endpoint=end codeptr=@sections
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin codeptr=@sections
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end codeptr=@sections
// EXPECT(initial): mark name=between state=work_parallel
// EXPECT(initial): work work=sections endpoint=begin count=3 codeptr=@nowait
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=section instance!=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=section instance!=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=section instance!=0
// EXPECT(initial): work work=sections endpoint=end codeptr=@nowait
// EXPECT(initial): mark name=end state=work_parallel
// EXPECT(initial): * sync_region kind=barrier_implicit_parallel|barrier_implicit
