// Folds recursion in all paths of a view. `ompprof export --fold` calls it; reports fold their trees (call_tree.h).
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_FOLD_PATHS_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_FOLD_PATHS_H_

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// Replaces each path by its folded path (fold.h). A recursion's frame has the address and line of its last call. Paths
// keep their leaf, so samples keep their function and address. A location whose inlined functions are folded in part
// becomes a location at the same address with the other functions.
void FoldPaths(View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_FOLD_PATHS_H_
