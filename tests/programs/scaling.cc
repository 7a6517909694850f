// A program whose scaling with the number of threads is known. It computes by the threads' CPU clocks, so neither the
// machine's speed nor its load matters:
//   SERIAL     ms in serial_work, outside of regions.
//   WORK       ms in shared_work, in equal shares. Each share has INFLATION thousandths more for each thread but one.
//   UNEVEN     ms in uneven_work, in equal shares. One share has as many ms more.
//   LOCKED     ms in locked_work, in equal shares, under a critical section.
//   scaling [SERIAL WORK INFLATION UNEVEN LOCKED]
#include <omp.h>

#include <initializer_list>

#include "truth.h"

TRUTH_WORK(serial_work)
TRUTH_WORK(shared_work)
TRUTH_WORK(uneven_work)
TRUTH_WORK(locked_work)

namespace {

truth::Account serial("function", "serial_work");
truth::Account shared("function", "shared_work");
truth::Account uneven("function", "uneven_work");
truth::Account locked("function", "locked_work");

void Shared(double ms, double inflation) {
#pragma omp parallel
  {
    const truth::Timed timed(shared);
    truth::ComputeFor(ms / omp_get_num_threads() * (1 + inflation * (omp_get_num_threads() - 1)), shared_work);
  }
}

void Uneven(double ms) {
#pragma omp parallel
  {
    const truth::Timed timed(uneven);
    truth::ComputeFor(ms / omp_get_num_threads() + (omp_get_thread_num() == 0 ? ms : 0), uneven_work);
  }
}

void Locked(double ms) {
  constexpr int kPieces = 20;
#pragma omp parallel
  for (int piece = 0; piece < kPieces; ++piece) {
#pragma omp critical(held)
    {
      const truth::Timed timed(locked);
      truth::ComputeFor(ms / omp_get_num_threads() / kPieces, locked_work);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto ms = [&](int index, long fallback) {
    return static_cast<double>(truth::Argument(argc, argv, index, fallback));
  };
  {
    const truth::Timed timed(serial);
    truth::ComputeFor(ms(1, 100), serial_work);
  }
  Shared(ms(2, 400), ms(3, 500) / 1000);
  if (ms(4, 100) > 0) Uneven(ms(4, 100));
  if (ms(5, 100) > 0) Locked(ms(5, 100));
  for (const truth::Account* account : {&serial, &shared, &uneven, &locked}) account->Print();
  truth::PrintProcess();
  return 0;
}
