// The report for a terminal: the first screen, or the tables that the options name. `ompprof report` prints it.
#ifndef OMPPROF_PROFILER_REPORT_WHOLE_TEXT_REPORT_H_
#define OMPPROF_PROFILER_REPORT_WHOLE_TEXT_REPORT_H_

#include <string>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Without `answers`, the sections with the answers are left out.
std::string TextReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const TextOptions& options, const analyze::Answers* answers = nullptr);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WHOLE_TEXT_REPORT_H_
