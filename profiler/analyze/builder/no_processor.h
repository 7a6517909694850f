// Threads that wait while the others have no processor wait for a processor, and not for the others' code. The view
// builder gives that part of the blame a frame of its own.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_NO_PROCESSOR_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_NO_PROCESSOR_H_

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// The frame that is blamed.
inline constexpr char kNoProcessor[] = "<no processor>";

// Moves blame from samples to the frame below their paths: the blame that came while the sample's thread was ready
// without a processor. Where the thread may also have been asleep, view->accounts say how much of that it was ready;
// the rest is sleep in the sample's code, which stays to blame. Blame of which less than kLeastNoProcessor would move
// stays: threads are always off their processors for some time.
void BlameNoProcessor(View* view);

inline constexpr double kLeastNoProcessor = 0.02;

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_NO_PROCESSOR_H_
