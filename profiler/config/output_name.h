// The names of profiles. The collector opens them; `ompprof record` moves an earlier run's profiles aside, and commands
// that read a profile look for the other profiles of its run. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_OUTPUT_NAME_H_
#define OMPPROF_PROFILER_CONFIG_OUTPUT_NAME_H_

#include <stddef.h>
#include <sys/types.h>

namespace ompprof::config {

struct OutputNameParts {
  const char* directory;  // working directory at the start, for relative patterns
  const char* program;    // file name of the executable
  const char* host;
  const char* rank;  // "" if none
  pid_t pid;
  unsigned attempt;  // 0; then 1, 2, ... for names that are taken: ".1" goes in front of ".ompprof"
};

// Expands `pattern` (%h host, %p pid, %r rank or 0, %% a percent sign; empty: ompprof.<program>.%h.%p.ompprof, with the
// rank behind the host if there is one) into `out`. False if it does not fit or has an unknown % sequence.
bool ExpandOutputName(const char* pattern, const OutputNameParts& parts, char* out, size_t size);

// The end of a profile's name. The number of a later attempt stands in front of it: "a.ompprof", "a.2.ompprof".
inline constexpr char kProfileSuffix[] = ".ompprof";

// The MPI rank of this process by the variables that Open MPI, MPICH, Slurm and others set; "" if none.
const char* MpiRank();

// The name of the MPI job that this process is a rank of, by the launcher's variables; "" if none names it.
const char* MpiJob();

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_OUTPUT_NAME_H_
