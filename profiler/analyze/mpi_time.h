// Time that threads spent in MPI, where a rank mostly waits for other ranks. Efficiency and the comparison of ranks
// subtract this time from useful time.
#ifndef OMPPROF_PROFILER_ANALYZE_MPI_TIME_H_
#define OMPPROF_PROFILER_ANALYZE_MPI_TIME_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

struct MpiTime {
  std::vector<bool> paths;  // by path: whether the path leads through MPI
  std::vector<bool> uses;   // by process: whether a sample is in MPI, or a rank has loaded MPI's library
  // By process and Thread.id: the weight sampled in MPI, nanoseconds or events, without OpenMP waits inside MPI.
  // Waiting in MPI's library (library_waits.h) is part of it.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> threads;

  bool Has(PathId path) const { return path < paths.size() && paths[path]; }
};

MpiTime MeasureMpi(const View& view, const model::Symbolizer& symbolizer);

// Whether a function belongs to MPI's interface ("MPI_Barrier", "PMPI_Recv") or lies in a library of an MPI
// implementation (libmpi.so.40, libmpich.so.12, libmpi_mpifh.so.40, libopen-pal.so.40).
bool IsMpi(const std::string& function, const std::string& module);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_MPI_TIME_H_
