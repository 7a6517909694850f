// Regions of one thread: if(0), num_threads(1). Each is a parallel region, with an implicit task of its own.
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(int argc, char** argv) {
  (void)argv;
  conf_state();                     // AT(if)
#pragma omp parallel if (argc > 5)  // AT(if)
  conf_mark("if");
  conf_state();                      // AT(one)
#pragma omp parallel num_threads(1)  // AT(one)
  conf_mark("one");
  conf_mark("after");
  return 0;
}

// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T
// EXPECT(initial)[gomp serialized-invoker]: parallel_begin task=$T parallel=$A requested=1 flags=invoker_runtime+team codeptr=@if
// EXPECT(initial)[libomp serialized-invoker]: parallel_begin task=$T parallel=$A flags=invoker_program+team codeptr=@if
// EXPECT(initial): implicit_task endpoint=begin parallel=$A task=$I team_size=1 index=0 flags=implicit
// EXPECT(initial): mark name=if state=work_parallel now_task=$I
// EXPECT(initial): task_info level=0 task=$I parallel=$A index=0 exit!=0 enter=0
// EXPECT(initial): task_info level=1 task=$T flags=initial exit=0 enter!=0
// EXPECT(initial): parallel_info level=0 parallel=$A team_size=1
// EXPECT(initial): parallel_info level=1 team_size=1
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$I index=0
// EXPECT(initial)[gomp serialized-invoker]: parallel_end parallel=$A task=$T flags=invoker_runtime+team codeptr=@if
// EXPECT(initial)[libomp serialized-invoker]: parallel_end parallel=$A task=$T flags=invoker_program+team
// EXPECT(initial): parallel_begin task=$T parallel=$B requested=1 codeptr=@one
// EXPECT(initial): implicit_task endpoint=begin parallel=$B task=$J team_size=1 index=0 flags=implicit
// EXPECT(initial): mark name=one state=work_parallel now_task=$J
// EXPECT(initial): task_info level=0 task=$J parallel=$B index=0 exit!=0 enter=0
// EXPECT(initial): task_info level=1 task=$T flags=initial exit=0 enter!=0
// EXPECT(initial): parallel_info level=0 parallel=$B team_size=1
// EXPECT(initial): parallel_info level=1 team_size=1
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$J index=0
// EXPECT(initial): parallel_end parallel=$B task=$T codeptr=@one
// EXPECT(initial): mark name=after state=work_serial now_task=$T
// EXPECT(initial): task_info level=0 task=$T exit=0 enter=0
// EXPECT(initial): parallel_info level=0 team_size=1
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T
