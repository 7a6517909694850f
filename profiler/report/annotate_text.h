// Source lines and instructions with what they cost in the margin. `ompprof annotate` prints it.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_TEXT_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_TEXT_H_

#include <string>
#include <vector>

#include "profiler/analyze/annotation.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/style.h"

namespace ompprof::report {

struct AnnotateOptions {
  bool source = false;  // neither: the source, or the code where lines are not known
  bool code = false;
  double min_percent = 0.5;  // of all time; lines with less are shown as context only
  size_t context = 3;        // lines or instructions around those
  std::vector<std::string> source_folders;
  std::string objdump = "objdump";
  Style style;
};

// `name` is what was asked for. `annotation` is of `view`, `symbolizer` the one that it was built with.
std::string AnnotateText(const analyze::View& view, const analyze::Annotation& annotation, const std::string& name,
                         model::Symbolizer* symbolizer, const AnnotateOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_TEXT_H_
