// The names of profiles. The collector opens them; `ompprof record` moves an earlier run's profiles aside, and commands
// that read a profile look for the other profiles of its run. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_OUTPUT_NAME_H_
#define OMPPROF_PROFILER_CONFIG_OUTPUT_NAME_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace ompprof::config {

struct OutputNameParts {
  const char* directory;  // working directory at the start, for relative patterns
  const char* program;    // file name of the executable
  const char* host;
  const char* rank;  // "" if there is none
  pid_t pid;
  unsigned attempt;    // 0; then 1, 2, ... if the name is taken: ".1" goes before ".ompprof"
  uint64_t ranks = 0;  // of the job; 0: unknown
};

// The pattern of a name that the user did not choose: ompprof.PROGRAM.HOST.PID.ompprof. For an MPI rank, the rank
// stands behind the host.
inline constexpr char kUsualPattern[] = "ompprof.%x.%h.%p.ompprof";
inline constexpr char kUsualRankPattern[] = "ompprof.%x.%h.%r.%p.ompprof";

// For sentences about patterns.
inline constexpr char kNamePatterns[] = "%h, %p, %r, %x and %%";

// Expands `pattern` into `out`. %h is the host, %p the pid, %r the rank or 0, %x the program, %% a percent sign. An
// empty pattern means the usual pattern. False: the name does not fit, or the pattern has an unknown % sequence.
bool ExpandOutputName(const char* pattern, const OutputNameParts& parts, char* out, size_t size);

// The ranks in a folder of their own, if the job has more: DIR/%r.ompprof becomes DIR/0/17.ompprof and
// DIR/1/1017.ompprof. So it is with each pattern whose last part is the first to have %r.
inline constexpr uint64_t kRanksInFolder = 1000;

// Makes the rank's folder in `path`, the name that `pattern` gives, if it has one. Many ranks may make it at once. If
// it cannot be made, the profile cannot be opened.
void MakeRankFolder(const char* pattern, const OutputNameParts& parts, const char* path);

// The end of a profile's name. The number of a later attempt stands in front of it: "a.ompprof", "a.2.ompprof".
inline constexpr char kProfileSuffix[] = ".ompprof";

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_OUTPUT_NAME_H_
