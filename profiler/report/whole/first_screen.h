// The answer to `ompprof report` without a table: one screen, at most 23 lines, so that a terminal of 24 rows keeps
// room for the shell's prompt. It says what ran, whether the figures can be trusted, how well the threads were used,
// the three largest losses and the three best changes, each with its place.
#ifndef OMPPROF_PROFILER_REPORT_WHOLE_FIRST_SCREEN_H_
#define OMPPROF_PROFILER_REPORT_WHOLE_FIRST_SCREEN_H_

#include <string>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Lines are as wide as the style says, names and sentences are cut to fit.
std::string FirstScreen(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                        const TextOptions& options, const analyze::Answers& answers);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WHOLE_FIRST_SCREEN_H_
