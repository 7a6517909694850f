// A number in JSON and CSV, for programs to read.
#ifndef OMPPROF_PROFILER_REPORT_BARE_NUMBER_H_
#define OMPPROF_PROFILER_REPORT_BARE_NUMBER_H_

#include <string>

namespace ompprof::report {

// `value`, which must be finite. A whole number below 2^53 has all its digits: nanoseconds of more than ten seconds
// have eleven. Others have ten significant digits.
std::string BareNumber(double value);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BARE_NUMBER_H_
