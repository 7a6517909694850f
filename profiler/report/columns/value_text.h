// Formats a figure for the text report, by its unit.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_VALUE_TEXT_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_VALUE_TEXT_H_

#include <string>

#include "profiler/report/columns/column.h"

namespace ompprof::report {

// "~1.23 s ±0.08", "~1,234", "12.3 %"; "-": not known. `derived`: "~1.23 s", without an error. `nanoseconds`: whether
// weights are nanoseconds.
std::string ValueText(const Value& value, Unit unit, const analyze::Estimate& estimate, bool derived, bool nanoseconds);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_VALUE_TEXT_H_
