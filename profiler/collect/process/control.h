// omp_control_tool and ompprof_control: the program steers its own profile.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_CONTROL_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_CONTROL_H_

#include <stdint.h>

namespace ompprof::collect {

// `command` is an omp_control_tool_t: start (1) or go on after a pause, pause (2), flush (3), end (4, for good). Each
// may be given any number of times; start, pause and flush after end do nothing. Returns 0 if the command is known and
// was carried out, 1 if it is not one of these (ignored). Not in the handler.
int Control(uint64_t command);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_CONTROL_H_
