// When processes ran, and which of them are one run. Commands that read several profiles ask, because figures of
// different runs are not to be added up.
#ifndef OMPPROF_PROFILER_MODEL_PROCESS_LIVES_H_
#define OMPPROF_PROFILER_MODEL_PROCESS_LIVES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/model/header_facts.h"
#include "profiler/model/process_profile.h"

namespace ompprof::model {

struct ProcessLife {
  ProcessIdentity process;
  std::string run;       // Header.run; empty: the profile does not name its run
  int64_t begin_ns = 0;  // of CLOCK_REALTIME
  int64_t end_ns = 0;
};

ProcessLife LifeOf(const ProcessProfile& profile);

// The processes in a file, without the kept members of a unified process. Headers and footers are read and other
// records are skipped, unless a process has no footer. Empty if `path` is no regular file or no profile.
std::vector<ProcessLife> ReadLives(const std::string& path);

// Groups processes into runs, oldest run first, as indexes. Two processes belong to one run if their profiles name the
// same run, as the processes of a script under `ompprof record` do, or if both were alive at some moment.
std::vector<std::vector<size_t>> GroupRuns(const std::vector<ProcessLife>& lives);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_PROCESS_LIVES_H_
