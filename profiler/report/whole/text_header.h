// The first lines of the text report: the program, the time and way of recording, and the limits of the result.
#ifndef OMPPROF_PROFILER_REPORT_WHOLE_TEXT_HEADER_H_
#define OMPPROF_PROFILER_REPORT_WHOLE_TEXT_HEADER_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

// The limits of the result, a sentence each: the header's notes, without the files of several processes.
std::vector<std::string> NotesOfRun(const analyze::View& view, const analyze::Summary& summary, bool filtered);

std::string TextHeader(const analyze::View& view, const analyze::Summary& summary, bool filtered, const Style& style);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WHOLE_TEXT_HEADER_H_
