// A library that works before main. Its constructor makes a thread and runs a parallel region, as BLAS libraries do.
// CONSTRUCTOR_FIRST in the environment names the first of the two, "thread" or "region".
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <thread>

#include "truth.h"

TRUTH_WORK(constructor_thread_work)
TRUTH_WORK(constructor_region_work)

static truth::Account thread_account("function", "constructor_thread_work");
static truth::Account region_account("function", "constructor_region_work");
static std::thread* worker;
static int errno_after;

static void StartThread() {
  errno = 77;
  worker = new std::thread([] {
    truth::Timed timed(thread_account);
    constructor_thread_work(truth::Iterations(700));
  });
  errno_after = errno;
}

TRUTH_FUNCTION void constructor_region() {
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(region_account);
    constructor_region_work(truth::Iterations(350));
  }
  TRUTH_NO_TAIL_CALL();
}

// The last constructor of this file, after the accounts' constructors.
static const struct Begin {
  Begin() {
    const char* first = getenv("CONSTRUCTOR_FIRST");
    const bool region_first = first != nullptr && strcmp(first, "region") == 0;
    if (!region_first) StartThread();
    constructor_region();
    if (region_first) StartThread();
  }
} begin;

extern "C" void constructors_finish() {
  printf("errno after pthread_create %d\n", errno_after);
  worker->join();
  delete worker;
  thread_account.Print();
  region_account.Print();
}
