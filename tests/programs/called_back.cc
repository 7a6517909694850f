// Work in functions that the runtime calls on a thread's way through a construct. The first is the combiner of a
// reduction, which LLVM's runtime calls at a barrier of more than four threads (no gcc calls any). The second is the
// assignment of copyprivate.
//   called_back [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(combine_work)
TRUTH_WORK(assign_work)
TRUTH_WORK(body_work)

static truth::Account combined("path", "main;reduce;combine_work"), assigned("path", "main;copy;assign_work"),
    done("path", "main;reduce;body_work");

static double combine_ms, assign_ms;

struct Sum {
  long value = 0;
};

static void Combine(Sum& to, const Sum& from) {
  truth::Timed timed(combined);
  combine_work(truth::Iterations(combine_ms));
  to.value += from.value;
}
#pragma omp declare reduction(combine:Sum : Combine(omp_out, omp_in))

struct Copied {
  long value = 0;
  Copied() = default;
  Copied(const Copied&) = default;
  Copied& operator=(const Copied& from) {
    truth::Timed timed(assigned);
    assign_work(truth::Iterations(assign_ms));
    value = from.value;
    return *this;
  }
};

TRUTH_FUNCTION long reduce(double ms, int threads) {
  Sum sum;
  combine_ms = ms / 2 / threads;
#pragma omp parallel num_threads(threads) reduction(combine : sum)
  {
    truth::Timed timed(done);
    body_work(truth::Iterations(ms / 2 / threads));
    sum.value = 1;
  }
  return sum.value;
}

TRUTH_FUNCTION long copy(double ms, int threads) {
  long sum = 0;
  assign_ms = ms / threads;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    Copied copied;
#pragma omp single copyprivate(copied)
    copied.value = 1;
    sum += copied.value;
  }
  return sum;
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000));
  const int threads = 8, rounds = 4;
  truth::Iterations(1);
  long sum = 0;
  for (int round = 0; round < rounds; round++) {
    sum += reduce(ms * 0.7 / rounds, threads);
    sum += copy(ms * 0.3 / rounds, threads);
  }
  combined.Print();
  assigned.Print();
  done.Print();
  truth::PrintProcess();
  return sum == 2 * rounds * threads ? 0 : 1;
}
