// `ompprof annotate`: a function's lines and instructions with their cost.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_ANNOTATION_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_ANNOTATION_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

struct AnnotateOptions {
  bool source = false;  // neither `source` nor `code`: source, or code where lines are not known
  bool code = false;
  double min_percent = 0.5;  // of all time; lines with less appear only as context
  size_t context = 3;        // lines or instructions around the lines with a cost
  std::vector<std::string> source_folders;
  std::string objdump = "objdump";
  Style style;
};

// `name` is the user's name for the functions. `annotation` is made from `view`, and `symbolizer` has built `view`.
std::string AnnotateText(const analyze::View& view, const analyze::Annotation& annotation, const std::string& name,
                         model::Symbolizer* symbolizer, const AnnotateOptions& options);

// One object with every line that has a cost. With `options.code`, also every instruction that has a cost. The options
// that shorten text (min_percent, context, style) have no effect. The other parameters are those of AnnotateText.
std::string AnnotateJson(const analyze::View& view, const analyze::Annotation& annotation, const std::string& name,
                         model::Symbolizer* symbolizer, const AnnotateOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_ANNOTATION_H_
