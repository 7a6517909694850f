// The serial part of a run: what the program does outside of parallel regions, while its other threads have no work.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_SERIAL_PART_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_SERIAL_PART_H_

#include <cstdint>

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

struct SerialPart {
  uint64_t cpu_ns = 0;
  // The program's innermost function that takes more than half of the serial part, callees included. Functions of
  // run-time libraries count as their callers. kNoFunction if no function does, or the part is shorter than five
  // sampling periods.
  FunctionId most = kNoFunction;
};

// `threads`: of a process. `symbolizer` may be null: then each function counts as the program's own.
SerialPart FindSerialPart(const View& view, const model::Symbolizer* symbolizer, double threads);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_SERIAL_PART_H_
