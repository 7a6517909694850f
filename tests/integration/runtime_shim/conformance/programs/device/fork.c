// The child of a fork has a device that is initialized already. Its tool hears of the device before the device's first
// operation.
//
// DEVICES: 1
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance.h"

static int run(int value) {
#pragma omp target map(tofrom : value)
  value *= 2;
  return value;
}

int main(void) {
  printf("value %d\n", run(4));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    printf("child %d\n", run(5));
    exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

// OBSERVE: device_initialize device_finalize
// IGNORE: task_create task_schedule implicit_task target_data_op_emi target_map_emi map_item target_submit_emi
// EXPECT(initial): device_initialize device=0 traces=1
// EXPECT(initial): target_emi endpoint=begin device=0
// EXPECT(initial): target_emi endpoint=end device=0
// EXPECT(initial): device_finalize device=0
// EXPECT(fork1/initial): device_initialize device=0 traces=1
// EXPECT(fork1/initial): target_emi endpoint=begin device=0
// EXPECT(fork1/initial): target_emi endpoint=end device=0
// EXPECT(fork1/initial): device_finalize device=0
// STDOUT: value 8
// STDOUT: child 10
