// Two levels of two threads, with a new inner team every 10 ms. Each thread of an inner team works for two thirds of
// the time in one function and then for one third in another. So a thread has few samples in a team, and the second
// function is always at the team's end. The program needs OMP_MAX_ACTIVE_LEVELS=2.
//   short_teams [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(longer_work)
TRUTH_WORK(shorter_work)

static truth::Account longer("path", "main;outer_region;short_team;longer_work");
static truth::Account shorter("path", "main;outer_region;short_team;shorter_work");

constexpr double kTeamMs = 10;  // of each thread

TRUTH_FUNCTION void short_team() {
#pragma omp parallel num_threads(2)
  {
    const uint64_t third = truth::Iterations(kTeamMs / 3);
    {
      truth::Timed timed(longer);
      longer_work(2 * third);
    }
    {
      truth::Timed timed(shorter);
      shorter_work(third);
    }
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void outer_region(long teams) {
#pragma omp parallel num_threads(2)
  for (long team = 0; team < teams; team++) short_team();
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000));
  truth::Iterations(1);
  outer_region(static_cast<long>(ms / (4 * kTeamMs)));
  longer.Print();
  shorter.Print();
  truth::PrintProcess();
  return 0;
}
