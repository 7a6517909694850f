// Tells calls of the OpenMP runtime apart that are on one source line, in the text of a macro for example. ViewBuilder
// calls it once all waits and worksharing constructs are known.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_CALL_PARTS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_CALL_PARTS_H_

#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

struct View;

// Sets Line::part of the places of waits and worksharing constructs, and makes one row of the records of a construct.
// Calls at different addresses are different constructs, except for copies that a compiler makes of one:
// - copies of a function, inlined or compiled several times, of which each has one of the calls;
// - calls of a barrier, loop or sections construct that not all threads make. All threads of a team meet the same such
//   constructs (OpenMP 5.2, 11.5 and 15.3.1), so it is the code that differs between threads: gcc has a copy of a
//   barrier for thread 0 and one for the others, if a condition on the thread's number comes before and after it.
// Other copies within a function are different constructs here, for example those of an unrolled loop. Neither the code
// nor the debug information tells them from the constructs of a macro.
void TellCallsApart(View* view, model::Symbolizer* symbolizer);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_CALL_PARTS_H_
