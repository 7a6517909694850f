// What an export calls a process and a thread of it.
#ifndef OMPPROF_PROFILER_REPORT_THREAD_NAMES_H_
#define OMPPROF_PROFILER_REPORT_THREAD_NAMES_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// "heat 4711", with host and rank where there are several processes.
std::string ProcessName(const analyze::View& view, uint32_t process);

// "thread 2 (worker)", of several processes with the process's name before it.
std::string ThreadName(const analyze::View& view, uint32_t process, uint32_t thread);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_THREAD_NAMES_H_
