// Time that threads spent in MPI, where a rank mostly waits for other ranks: the samples with kStateMpi. Efficiency and
// the comparison of ranks subtract this time from useful time.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_MPI_TIME_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_MPI_TIME_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct MpiTime {
  std::vector<bool> uses;  // by process: whether a sample is in MPI, or a rank has loaded MPI's library
  // By process and Thread.id: the weight sampled in MPI, nanoseconds or events, without OpenMP waits inside MPI.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> threads;
};

MpiTime MeasureMpi(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_MPI_TIME_H_
