// A region inside a region. Two functions enter the outer region, with 70 and 30 percent of the work, and two the inner
// region, with 60 and 40. Paths of the inner region's workers lead through the outer region's workers. The program
// needs OMP_MAX_ACTIVE_LEVELS=2.
//   nested [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(nested_work)

static truth::Account accounts[2][2] = {{{"path", "main;outer_a;outer_region;inner_x;inner_region;nested_work"},
                                         {"path", "main;outer_a;outer_region;inner_y;inner_region;nested_work"}},
                                        {{"path", "main;outer_b;outer_region;inner_x;inner_region;nested_work"},
                                         {"path", "main;outer_b;outer_region;inner_y;inner_region;nested_work"}}};

TRUTH_FUNCTION void inner_region(double ms, truth::Account* account) {
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(*account);
    nested_work(truth::Iterations(ms / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void inner_x(double ms, truth::Account* account) {
  inner_region(ms, account);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void inner_y(double ms, truth::Account* account) {
  inner_region(ms, account);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void outer_region(double ms, truth::Account* pair) {
#pragma omp parallel num_threads(2)
  {
    const double part = ms / omp_get_num_threads();
    inner_x(part * 0.6, &pair[0]);
    inner_y(part * 0.4, &pair[1]);
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void outer_a(double ms) {
  outer_region(ms, accounts[0]);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void outer_b(double ms) {
  outer_region(ms, accounts[1]);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000)) / 2;
  for (int round = 0; round < 2; round++) {
    outer_a(ms * 0.7);
    outer_b(ms * 0.3);
  }
  for (auto& pair : accounts)
    for (truth::Account& account : pair) account.Print();
  truth::PrintProcess();
  return 0;
}
