// The programs that start other programs as MPI ranks. The collector is quiet about them, and reports keep them apart
// from the ranks. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_LAUNCHERS_H_
#define OMPPROF_PROFILER_CONFIG_LAUNCHERS_H_

namespace ompprof::config {

// Whether `program`, a file name without its folder, is a launcher of Open MPI, PRRTE, MPICH, Intel MPI or Slurm.
bool IsLauncher(const char* program);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_LAUNCHERS_H_
