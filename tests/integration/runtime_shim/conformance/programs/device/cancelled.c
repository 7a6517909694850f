// A deferred target task that libgomp discards with its taskgroup: it is created, and never scheduled.
//
// DEVICES: 1
// RUN: OMP_CANCELLATION=true
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int order = 0, value = 1;
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
  {
#pragma omp task depend(out : order)
    {
#pragma omp cancel taskgroup
    } conf_note("target", 0);                                        // AT(target)
#pragma omp target nowait map(tofrom : value) depend(inout : order)  // AT(target)
    value = 99;
  }
  int after = 0;
#pragma omp target map(from : after)
  after = 5;
  printf("value %d after %d\n", value, after);
  return 0;
}

// COUNT: task_create flags=target codeptr=@target == 1
// COUNT: target_emi kind=target_nowait == 0
// COUNT: target_emi kind=target == 2
// COUNT: target_submit_emi endpoint=begin == 1
// STDOUT: value 1 after 5
