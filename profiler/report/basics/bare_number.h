// Formats a number for JSON and CSV, for programs to read.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_BARE_NUMBER_H_
#define OMPPROF_PROFILER_REPORT_BASICS_BARE_NUMBER_H_

#include <string>

namespace ompprof::report {

// `value` must be finite. A whole number below 2^53 keeps all digits, because ten seconds in nanoseconds have eleven
// digits. Other numbers have ten significant digits.
std::string BareNumber(double value);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_BARE_NUMBER_H_
