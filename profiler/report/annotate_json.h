// Annotated functions as JSON: `ompprof annotate --format=json`. README.md in this folder has the members.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_JSON_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_JSON_H_

#include <string>

#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/annotate_text.h"

namespace ompprof::report {

// One object with every line that has a cost. With `options.code`, also every instruction that has a cost. The options
// that shorten text (min_percent, context, style) have no effect. The other parameters are those of AnnotateText.
std::string AnnotateJson(const analyze::View& view, const analyze::Annotation& annotation, const std::string& name,
                         model::Symbolizer* symbolizer, const AnnotateOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_JSON_H_
