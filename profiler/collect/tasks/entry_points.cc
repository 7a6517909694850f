#include "profiler/collect/tasks/entry_points.h"

namespace ompprof::collect {

std::atomic<const EntryPoints*> active_entry_points[kMaxRuntimes];

}  // namespace ompprof::collect
