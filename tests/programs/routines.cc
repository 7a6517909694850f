// Loops that do little but call routines of OpenMP's API. Nobody waits for the lock.
//   routines [CALLS]
#include <omp.h>

#include "truth.h"

static truth::Account ask_time_account("function", "ask_time"), ask_number_account("function", "ask_number"),
    take_lock_account("function", "take_lock");

static double until;
static int numbers[64][16];

TRUTH_FUNCTION void ask_time(long calls) {
  truth::Timed timed(ask_time_account);
  for (long i = 0; i < calls; i++) until = omp_get_wtime();
}

TRUTH_FUNCTION void ask_number(long calls) {
  truth::Timed timed(ask_number_account);
  volatile int* number = numbers[omp_get_thread_num()];
  for (long i = 0; i < calls; i++) *number = omp_get_thread_num();
}

TRUTH_FUNCTION void take_lock(long calls) {
  truth::Timed timed(take_lock_account);
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (long i = 0; i < calls; i++) {
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
}

int main(int argc, char** argv) {
  const long calls = truth::Argument(argc, argv, 1, 10000000);
  ask_time(calls);
#pragma omp parallel
  {
    ask_time(calls);
    ask_number(calls * 4);
  }
  take_lock(calls / 4);
  ask_time_account.Print();
  ask_number_account.Print();
  take_lock_account.Print();
  truth::PrintProcess();
  return 0;
}
