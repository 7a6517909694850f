// Reduces a view to a part of its run. The command line calls it for `--phase`, `--region` and `--thread`.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_SELECT_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_SELECT_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/selection.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// The regions that `text` names: by the construct's whole name, by "file.c:12", or by the function's name, with or
// without parameters; or else by a part of the whole name. All that match.
std::vector<const Region*> FindRegions(const View& view, const std::string& text);

// Why the view has no such part: a sentence that lists the parts that it has. Empty: it has this part.
std::string WhyNotSelectable(const Selection& selection, const View& view);

// Keeps the samples and waits of the part, which the view must have, and makes the view's totals those of the part.
// Removes all figures that the profile has of the whole run only: devices, spreads over ranks, and what
// `selection.knows_...` says. The facts of the run (View::run) stay.
void Select(const Selection& selection, View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_SELECT_H_
