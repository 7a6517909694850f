// As many different call paths as samples. A recursion picks one of two functions at random at each of 100 levels. Data
// without a limit grows without end here.
//   wide_tree [CPU_MS]
#include "truth.h"

TRUTH_WORK(wide_work)

static truth::Account work("function", "wide_work");

static uint64_t Next(uint64_t* random) {
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return *random >> 33;
}

TRUTH_FUNCTION void left(int depth, uint64_t* random);

TRUTH_FUNCTION void right(int depth, uint64_t* random) {
  if (depth == 0)
    wide_work(20000);
  else if (Next(random) % 2 == 0)
    left(depth - 1, random);
  else
    right(depth - 1, random);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void left(int depth, uint64_t* random) {
  if (depth == 0)
    wide_work(20000);
  else if (Next(random) % 2 == 0)
    left(depth - 1, random);
  else
    right(depth - 1, random);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000));
#pragma omp parallel
  {
    uint64_t random = reinterpret_cast<uint64_t>(&random);
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    truth::Timed timed(work);
    while (static_cast<double>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start) < ms * 5e5) left(100, &random);
  }
  work.Print();
  truth::PrintProcess();
  return 0;
}
