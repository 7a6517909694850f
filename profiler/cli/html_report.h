// Profiles as a web page, for `ompprof report --html` and `ompprof serve`.
#ifndef OMPPROF_PROFILER_CLI_HTML_REPORT_H_
#define OMPPROF_PROFILER_CLI_HTML_REPORT_H_

#include <regex>
#include <string>
#include <vector>

#include "profiler/analyze/answers.h"
#include "profiler/analyze/summary.h"
#include "profiler/cli/load.h"

namespace ompprof::cli {

// The page's data. `loaded` is in the user view, answered and then filtered. The machine view is made from the same
// profiles; `focus` and `ignore`, which may be null, filter that view too. `before` is a profile to compare with, ""
// for none; *status becomes a failure if that profile cannot be read. `source_folders` are folders with source files.
std::string PageDataOf(const Loaded& loaded, const analyze::Answers& answers, const analyze::Summary& summary,
                       const std::regex* focus, const std::regex* ignore, const std::string& before,
                       const std::vector<std::string>& source_folders, int* status);

// "demo_heat - ompprof"
std::string PageTitle(const analyze::View& view);

// Writes the page to `path`, "-" for standard output. The file appears when it is complete.
int WritePage(const std::string& path, const std::string& data, const std::string& title);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_HTML_REPORT_H_
