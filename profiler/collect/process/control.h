// omp_control_tool and ompprof_control: the program controls its own profile.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_CONTROL_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_CONTROL_H_

#include <stdint.h>

namespace ompprof::collect {

// `command` is an omp_control_tool_t: start or continue after a pause (1), pause (2), flush (3), end for good (4). Each
// command may be given any number of times. After end, start, pause and flush do nothing. Returns 0 if the command is
// known and was carried out, 1 if it is unknown (ignored). Not in the handler.
int Control(uint64_t command);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_CONTROL_H_
