// MPI and OpenMP together, with a planted imbalance. Rank r computes (r + 1) times as long as rank 0, in teams. All
// ranks meet at a barrier after each round.
//   hybrid [CPU_MS_OF_RANK_0] [ROUNDS]
#include <mpi.h>
#include <omp.h>

#include "truth.h"

TRUTH_WORK(hybrid_work)

TRUTH_FUNCTION void hybrid_round(double ms, truth::Account* account) {
#pragma omp parallel
  {
    truth::Timed timed(*account);
    hybrid_work(truth::Iterations(ms / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char name[32];
  snprintf(name, sizeof name, "rank%d", rank);
  truth::Account account("function", name);
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 1000)) * (rank + 1);
  const long rounds = truth::Argument(argc, argv, 2, 4);
  for (long round = 0; round < rounds; round++) {
    hybrid_round(ms / static_cast<double>(rounds), &account);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  account.Print();
  MPI_Finalize();
  return 0;
}
