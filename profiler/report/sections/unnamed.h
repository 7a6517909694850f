// The section about functions without a name: in which object files they are, and which package would name them.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_UNNAMED_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_UNNAMED_H_

#include <string>

#include "profiler/analyze/account/unnamed_code.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

// Empty if little time is in such functions.
std::string UnnamedText(const analyze::View& view, const analyze::UnnamedCode& unnamed, const Style& style);

// The sentence about Python functions without a name. Empty if little time is in such functions.
std::string PythonSentence(const analyze::View& view, const analyze::UnnamedCode& unnamed);

// The way to an object's debug symbols, in words: "apt install libgomp1-dbgsym".
std::string SymbolsOf(const analyze::UnnamedObject& object);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_UNNAMED_H_
