// What the runtime's own work is for: told by the function of the runtime that the program called, whose names are the
// ABI of libomp (__kmpc_*) and libgomp (GOMP_*), so that stripped runtimes have them too.
#ifndef OMPPROF_PROFILER_ANALYZE_OVERHEAD_H_
#define OMPPROF_PROFILER_ANALYZE_OVERHEAD_H_

#include <string>

namespace ompprof::analyze {

enum class Overhead {
  kForkJoin,    // creating regions, waking and gathering their threads
  kScheduling,  // handing out a worksharing construct's iterations and sections
  kTasking,     // creating, queueing and finding tasks
  kSync,        // locks, criticals, barriers and taskwaits that nobody had to wait in
  kOther,
};
inline constexpr int kOverheads = 5;

// `function`: the outermost frame of the runtime, by its symbol; "" if the stack has none.
Overhead OverheadOf(const std::string& function);

// "fork and join"
const char* OverheadName(Overhead overhead);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_OVERHEAD_H_
