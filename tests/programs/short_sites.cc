// The same short loop, reached from three functions in turn. Each thread works for about 5, 3 and 2 ms in a call, so
// the call site changes within a few sampling periods. A barrier ends each loop.
//   short_sites [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(short_work)

static truth::Account a("path", "main;site_a;short_loop;short_work");
static truth::Account b("path", "main;site_b;short_loop;short_work");
static truth::Account c("path", "main;site_c;short_loop;short_work");

// `ms`: the work of each thread, however many there are.
TRUTH_FUNCTION void short_loop(double ms, truth::Account* account) {
  const uint64_t iterations = truth::Iterations(ms);
  const int threads = omp_get_max_threads();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < threads; i++) {
    truth::Timed timed(*account);
    short_work(iterations);
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_a() {
  short_loop(5, &a);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_b() {
  short_loop(3, &b);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_c() {
  short_loop(2, &c);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const long rounds = truth::Argument(argc, argv, 1, 5000) / (10 * omp_get_max_threads());
  for (long round = 0; round < rounds; round++) {
    site_a();
    site_b();
    site_c();
  }
  a.Print();
  b.Print();
  c.Print();
  truth::PrintProcess();
  return 0;
}
