// One parallel region, reached from six places: three functions, and three lines of one function. The workers' samples
// belong under the place that entered the region. The workers' own stacks do not show that place.
//   call_sites [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(site_work)

static truth::Account by_function[] = {{"path", "main;site_a;solve;site_work"},
                                       {"path", "main;site_b;solve;site_work"},
                                       {"path", "main;site_c;solve;site_work"}};
static char line_names[3][32];
static truth::Account by_line[] = {{"line", line_names[0]}, {"line", line_names[1]}, {"line", line_names[2]}};

// A loop, not one piece for each thread: the schedule must not change which caller the time belongs to.
TRUTH_FUNCTION void solve(double ms, truth::Account* account) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 16; i++) {
    truth::Timed timed(*account);
    site_work(truth::Iterations(ms / 16));
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_a(double ms) {
  solve(ms, &by_function[0]);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_b(double ms) {
  solve(ms, &by_function[1]);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void site_c(double ms) {
  solve(ms, &by_function[2]);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void driver(double ms) {
  snprintf(line_names[0], sizeof line_names[0], "driver %d", __LINE__ + 1);
  solve(ms * 0.5, &by_line[0]);
  snprintf(line_names[1], sizeof line_names[1], "driver %d", __LINE__ + 1);
  solve(ms * 0.3, &by_line[1]);
  snprintf(line_names[2], sizeof line_names[2], "driver %d", __LINE__ + 1);
  solve(ms * 0.2, &by_line[2]);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000)) / 2 / 2;
  for (int round = 0; round < 2; round++) {
    site_a(ms * 0.5);
    site_b(ms * 0.3);
    site_c(ms * 0.2);
    driver(ms);
  }
  for (truth::Account& account : by_function) account.Print();
  for (truth::Account& account : by_line) account.Print();
  truth::PrintProcess();
  return 0;
}
