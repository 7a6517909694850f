// The same short loop, reached from three functions in turn. Each thread works for about 5, 3 and 2 ms in a call, so
// the call site changes within a few sampling periods. A barrier ends each loop. Each site's work is a function of its
// own: one site's work below another site is wrong, however rarely it is seen.
//   short_sites [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(work_of_a)
TRUTH_WORK(work_of_b)
TRUTH_WORK(work_of_c)

static truth::Account a("path", "main;site_a;short_loop;work_of_a");
static truth::Account b("path", "main;site_b;short_loop;work_of_b");
static truth::Account c("path", "main;site_c;short_loop;work_of_c");

// `ms`: the work of each thread, however many there are.
TRUTH_FUNCTION void short_loop(double ms, uint64_t (*work)(uint64_t), truth::Account* account) {
  const uint64_t iterations = truth::Iterations(ms);
  const int threads = omp_get_max_threads();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < threads; i++) {
    truth::Timed timed(*account);
    work(iterations);
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_a() {
  short_loop(5, work_of_a, &a);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_b() {
  short_loop(3, work_of_b, &b);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_c() {
  short_loop(2, work_of_c, &c);
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
