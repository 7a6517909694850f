// A tool with target and target_submit registered, and not their _emi forms: the ids are the runtime's.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// RUN: CONFORMANCE_WITHOUT=target_emi,target_submit_emi,target_data_op_emi
#include <omp.h>

#include "conformance.h"

int main(void) {
  int value = 1;
  const int host = omp_get_initial_device();
  conf_raise(&value);                   // AT(target)
#pragma omp target map(tofrom : value)  // AT(target)
  {
    void* memory = omp_target_alloc(24, host);  // AT(alloc)
    conf_note("memory", (uint64_t)(uintptr_t)memory);
    omp_target_free(memory, host);  // AT(free)
  }
  omp_target_free(omp_target_alloc(8, host), host);
  return 0;
}

// EXPECT(initial): target kind=target endpoint=begin target=$R codeptr=@target {R > 0}
// EXPECT(initial): target_submit target=$R operation=$S teams=1 {S != R}
// EXPECT(initial): target_data_op target=$R operation=$A type=alloc bytes=24 destination=$M codeptr=@alloc {A != S}
// EXPECT(initial): note name=memory value=$M
// EXPECT(initial): target_data_op target=$R operation=$F type=delete source=$M codeptr=@free {F != A}
// EXPECT(initial): target kind=target endpoint=end target=$R codeptr=@target
// EXPECT(initial): target_data_op target=0 type=alloc bytes=8
// EXPECT(initial): target_data_op target=0 type=delete
