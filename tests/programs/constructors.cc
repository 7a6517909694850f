// A program whose library works before main.
#include <omp.h>

#include "truth.h"

TRUTH_WORK(main_work)

extern "C" void constructors_finish();

static truth::Account account("function", "main_work");

TRUTH_FUNCTION void main_region() {
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(account);
    main_work(truth::Iterations(350));
  }
  TRUTH_NO_TAIL_CALL();
}

int main() {
  main_region();
  constructors_finish();
  account.Print();
  truth::PrintProcess();
  return 0;
}
