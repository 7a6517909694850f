// Runs a program under `ompprof record`, for commands that record by themselves.
#ifndef OMPPROF_PROFILER_CLI_RECORD_RECORDED_RUN_H_
#define OMPPROF_PROFILER_CLI_RECORD_RECORDED_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::cli {

// Records `program` into the file `profile`, with OMP_NUM_THREADS=`threads` and this process's OMPPROF_* variables.
// What the program writes to standard output goes to standard error. Returns when it has ended: its exit status, or 128
// and the signal that killed it, as a shell does. A key that interrupts the program does not interrupt this process.
int RecordRun(const std::vector<std::string>& program, const std::string& profile, uint32_t threads);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_RECORDED_RUN_H_
