// The names of processes and threads in exports.
#ifndef OMPPROF_PROFILER_REPORT_THREAD_NAMES_H_
#define OMPPROF_PROFILER_REPORT_THREAD_NAMES_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// "heat 4711"; with several processes, also host and rank.
std::string ProcessName(const analyze::View& view, uint32_t process);

// "thread 2 (worker)"; with several processes, after the process's name.
std::string ThreadName(const analyze::View& view, uint32_t process, uint32_t thread);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_THREAD_NAMES_H_
