// target data is a region of the current task, with an event pair at its entry and a pair at its exit. target enter
// data, target exit data and target update have target tasks.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(void) {
  int values[10] = {0};
  conf_raise(values);
#pragma omp target data map(tofrom : values)
  {
    conf_mark("outer");
#pragma omp target data map(to : values [0:5])
    conf_mark("inner");
  }
  conf_mark("enter");                            // AT(enter)
#pragma omp target enter data map(to : values)   // AT(enter)
  conf_mark("update");                           // AT(update)
#pragma omp target update from(values)           // AT(update)
  conf_mark("exit");                             // AT(exit)
#pragma omp target exit data map(from : values)  // AT(exit)
  return 0;
}

// IGNORE: task_info
//
// EXPECT(initial): target_emi kind=enter_data endpoint=begin task=$T target_task=none target=$A state=wait_target_map now_task=$T
// EXPECT(initial): target_emi kind=enter_data endpoint=end task=$T target_task=none target=$A
// EXPECT(initial): mark name=outer state=work_serial now_enter=0
// EXPECT(initial): target_emi kind=enter_data endpoint=begin task=$T target_task=none target=$B
// EXPECT(initial): target_emi kind=enter_data endpoint=end task=$T target_task=none target=$B
// EXPECT(initial): mark name=inner
// EXPECT(initial): target_emi kind=exit_data endpoint=begin task=$T target_task=none target=$C
// EXPECT(initial): target_emi kind=exit_data endpoint=end task=$T target_task=none target=$C
// EXPECT(initial): target_emi kind=exit_data endpoint=begin task=$T target_task=none target=$D
// EXPECT(initial): target_emi kind=exit_data endpoint=end task=$T target_task=none target=$D
// EXPECT(initial): mark name=enter
// EXPECT(initial): task_create task=$T new_task=$E flags=target+undeferred codeptr=@enter
// EXPECT(initial): task_schedule prior=$T status=switch next=$E
// EXPECT(initial): target_emi kind=enter_data endpoint=begin task=$T target_task=$E codeptr=@enter now_task=$E
// EXPECT(initial): target_emi kind=enter_data endpoint=end task=$T target_task=$E codeptr=@enter state=wait_target_map
// EXPECT(initial): task_schedule prior=$E status=complete next=$T
// EXPECT(initial): mark name=update state=work_serial
// EXPECT(initial): task_create task=$T new_task=$U flags=target+undeferred codeptr=@update
// EXPECT(initial): task_schedule prior=$T status=switch next=$U
// EXPECT(initial): target_emi kind=update endpoint=begin task=$T target_task=$U codeptr=@update
// EXPECT(initial): target_emi kind=update endpoint=end task=$T target_task=$U codeptr=@update state=wait_target_update
// EXPECT(initial): task_schedule prior=$U status=complete next=$T
// EXPECT(initial): mark name=exit
// EXPECT(initial): task_create task=$T new_task=$X flags=target+undeferred codeptr=@exit
// EXPECT(initial): task_schedule prior=$T status=switch next=$X
// EXPECT(initial): target_emi kind=exit_data endpoint=begin task=$T target_task=$X codeptr=@exit
// EXPECT(initial): target_emi kind=exit_data endpoint=end task=$T target_task=$X codeptr=@exit
// EXPECT(initial): task_schedule prior=$X status=complete next=$T
