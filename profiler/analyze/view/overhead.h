// The purpose of the runtime's own work, from the runtime function that the program called. The view builder and the
// user view's paths call it.
// The names are the ABI of libomp (__kmpc_*) and libgomp (GOMP_*), so stripped runtimes have them too.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_OVERHEAD_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_OVERHEAD_H_

#include <string>

namespace ompprof::analyze {

enum class Overhead {
  kForkJoin,    // creating regions, waking and gathering their threads
  kScheduling,  // distributing the iterations and sections of worksharing constructs
  kTasking,     // creating, queueing and finding tasks
  kSync,        // locks, criticals, barriers and taskwaits without a wait
  kOther,
};
inline constexpr int kOverheads = 5;

// `function`: the symbol of the outermost runtime frame; "" if the stack has none.
Overhead OverheadOf(const std::string& function);

// Whether the runtime function hands out the chunks of a loop while its threads work on it: no schedule(static).
bool HandsOutChunks(const std::string& function);

// The name of a routine of OpenMP's API that programs call, in the spelling of C: "omp_get_wtime" for omp_get_wtime_.
// "" if `function`, a symbol of a runtime, is none.
std::string RoutineName(const std::string& function);

// "fork and join"
const char* OverheadName(Overhead overhead);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_OVERHEAD_H_
