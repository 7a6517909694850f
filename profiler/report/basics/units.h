// Formats numbers for people. The text report's tables and sentences use these functions.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_UNITS_H_
#define OMPPROF_PROFILER_REPORT_BASICS_UNITS_H_

#include <cstdint>
#include <set>
#include <string>

#include "profiler/analyze/view/estimate.h"
#include "profiler/analyze/view/view_function.h"

namespace ompprof::report {

// "12.35 s", "830.00 ms", "4.20 us", "0 s": two decimals, so that a column of one unit lines up.
std::string Duration(uint64_t ns);

// A sum that may be estimated: "~1.23 s ±0.08", both in one unit; an exact sum is "1.23 s".
std::string Measured(uint64_t ns, const analyze::Estimate& estimate);

// "~" for a figure that is computed from an estimated figure; else "".
std::string Tilde(const analyze::Estimate& estimate);

// For the heading of a table of measured sums: "exact", or what "~" means there.
const char* ExactWords(const analyze::Estimate& estimate);

// A sample weight in its unit: a duration, or a count of events such as "1.25 M".
std::string Weight(uint64_t weight, bool nanoseconds);

// "1,234,567"
std::string Count(uint64_t count);

// "12.3 %"; "-" if `whole` is 0.
std::string Share(uint64_t part, uint64_t whole);

// "12.3 %" for 0.123.
std::string Percent(double share);

// A factor or a mean count: "1.25", "81".
std::string Times(double factor);

// "2 processors", "0.50 processors", "1 processor"
std::string Processors(double number);

// Ascending numbers: "0-3,8"
std::string RangesText(const std::set<uint32_t>& numbers);

// "1.05" of 1,050,000 bytes; empty for none.
std::string Megabytes(uint64_t bytes);

using analyze::BaseName;

// Text that is safe for a terminal: UTF-8, with '?' for characters that a terminal obeys. Names from a hostile file may
// contain control characters and characters that change the direction of writing.
std::string Printable(const std::string& text);

// Printable for each line of a text.
std::string PrintableLines(const std::string& text);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_UNITS_H_
