// MPI and OpenMP together, with a planted late rank. In each round, all ranks do the same work in even_round, and in
// late_round the late rank does three times the others' work. Then all ranks add up in MPI, by an operation of the
// program's own that computes. The truth is CPU time in rank R: even.R and late.R, add_up.R in the operation, and mpi.R
// in MPI without the operation.
//   late_rank [LATE_RANK] [CPU_MS_OF_EACH_REGION] [ROUNDS]
#include <mpi.h>
#include <omp.h>

#include "truth.h"

TRUTH_WORK(even_work)
TRUTH_WORK(late_work)
TRUTH_WORK(add_up_work)

// An account of this rank.
struct RankAccount {
  RankAccount(const char* kind, const char* work, int rank) : account(kind, name) {
    snprintf(name, sizeof name, "%s.%d", work, rank);
  }

  char name[32];
  truth::Account account;
};

static RankAccount* add_up_account;
static double add_up_ms;
static uint64_t mpi_ns;

TRUTH_FUNCTION void even_round(double ms, truth::Account* account) {
#pragma omp parallel
  {
    truth::Timed timed(*account);
    even_work(truth::Iterations(ms / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void late_round(double ms, truth::Account* account) {
#pragma omp parallel
  {
    truth::Timed timed(*account);
    late_work(truth::Iterations(ms / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

// MPI calls the operation.
TRUTH_FUNCTION void add_up(void* in, void* in_out, int* length, MPI_Datatype*) {
  const uint64_t begin = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < *length; i++) static_cast<double*>(in_out)[i] += static_cast<double*>(in)[i];
  add_up_work(truth::Iterations(add_up_ms));
  const uint64_t ns = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - begin;
  add_up_account->account.Add(ns);
  mpi_ns -= ns;
}

TRUTH_FUNCTION double reduce(double value, MPI_Op operation) {
  const uint64_t begin = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
  double sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  mpi_ns += truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - begin;
  return sum;
}

int main(int argc, char** argv) {
  truth::Iterations(0);
  const uint64_t begin = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  mpi_ns = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - begin;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long late = truth::Argument(argc, argv, 1, 2);
  const double ms = static_cast<double>(truth::Argument(argc, argv, 2, 1000));
  const long rounds = truth::Argument(argc, argv, 3, 4);
  RankAccount even("function", "even", rank), late_one("function", "late", rank), own("function", "add_up", rank);
  add_up_account = &own;
  add_up_ms = ms / static_cast<double>(rounds) / 4;
  MPI_Op operation;
  MPI_Op_create(add_up, 1, &operation);
  double sum = 0;
  for (long round = 0; round < rounds; round++) {
    even_round(ms / static_cast<double>(rounds), &even.account);
    late_round((rank == late ? 3 : 1) * ms / static_cast<double>(rounds), &late_one.account);
    sum = reduce(1, operation);
  }
  RankAccount in_mpi("state", "mpi", rank);
  in_mpi.account.Add(mpi_ns);
  even.account.Print();
  late_one.account.Print();
  own.account.Print();
  in_mpi.account.Print();
  MPI_Op_free(&operation);
  MPI_Finalize();
  return sum == size ? 0 : 1;
}
