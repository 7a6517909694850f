// What events counted in the whole run (`record --count`), as a line of the text report.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_COUNTS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_COUNTS_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// "cycles 1.20 G, instructions 2.40 G (2.00 per cycle), cache-misses 1.10 M (about 64 B each: 0.40 GB/s)". The rate is
// an estimate of the memory traffic over the run's wall time `duration_ns`; a report on a part of the run has none.
// Empty if nothing was counted.
std::string CountsText(const analyze::View& view, uint64_t duration_ns);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_COUNTS_H_
