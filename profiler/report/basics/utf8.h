// Makes text valid UTF-8. JSON and pprof require UTF-8, but symbol names, paths and arguments may contain other bytes.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_UTF8_H_
#define OMPPROF_PROFILER_REPORT_BASICS_UTF8_H_

#include <string>

namespace ompprof::report {

// `bytes` with U+FFFD for each byte outside a well-formed sequence.
std::string ValidUtf8(const std::string& bytes);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_UTF8_H_
