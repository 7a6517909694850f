// Numbers as people read them. The text report's tables are filled with these.
#ifndef OMPPROF_PROFILER_REPORT_UNITS_H_
#define OMPPROF_PROFILER_REPORT_UNITS_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/estimate.h"

namespace ompprof::report {

// "12.35 s", "830.00 ms", "4.20 us", "0 s": two decimals, so that a column of one unit lines up.
std::string Duration(uint64_t ns);

// The same of a sum that is estimated in part: "~1.23 s ±0.08", both in one unit; of an exact one "1.23 s".
std::string Measured(uint64_t ns, const analyze::Estimate& estimate);

// "~" before a figure that is reckoned from something estimated.
std::string Tilde(const analyze::Estimate& estimate);

// A sample weight in its unit: a duration, or a count such as "1.25 M" of events.
std::string Weight(uint64_t weight, bool nanoseconds);

// "1,234,567"
std::string Count(uint64_t count);

// "12.3 %"; "-" of nothing.
std::string Share(uint64_t part, uint64_t whole);

// "12.3 %" of 0.123.
std::string Percent(double share);

// "1.25", "81": how many times as much, or as many.
std::string Times(double factor);

// The last part of a path.
std::string BaseName(const std::string& path);

// Text for a terminal: UTF-8, in which what a terminal would obey rather than show becomes '?'. Names from a hostile
// file may hold control characters, and characters that turn the direction of writing.
std::string Printable(const std::string& text);

// The same of each line.
std::string PrintableLines(const std::string& text);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_UNITS_H_
