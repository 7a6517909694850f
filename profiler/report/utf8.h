// Text that is UTF-8 for certain. Symbol names, paths and arguments need not be; JSON and pprof require it.
#ifndef OMPPROF_PROFILER_REPORT_UTF8_H_
#define OMPPROF_PROFILER_REPORT_UTF8_H_

#include <string>

namespace ompprof::report {

// `bytes` with each byte that is in no well-formed sequence replaced by U+FFFD.
std::string ValidUtf8(const std::string& bytes);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_UTF8_H_
