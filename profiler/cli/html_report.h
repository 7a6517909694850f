// Profiles as the web page: what `ompprof report --html` writes and `ompprof serve` serves.
#ifndef OMPPROF_PROFILER_CLI_HTML_REPORT_H_
#define OMPPROF_PROFILER_CLI_HTML_REPORT_H_

#include <regex>
#include <string>
#include <vector>

#include "profiler/analyze/answers.h"
#include "profiler/analyze/summary.h"
#include "profiler/cli/load.h"

namespace ompprof::cli {

// The page's data for what was loaded in the user view, answered and then filtered. The machine view is made from the
// same profiles; `focus` and `ignore`, which may be null, filter it too. `before` is a profile to compare with, "" for
// none: *status becomes a failure if it cannot be read. Source is looked for below `source_folders` too.
std::string PageDataOf(const Loaded& loaded, const analyze::Answers& answers, const analyze::Summary& summary,
                       const std::regex* focus, const std::regex* ignore, const std::string& before,
                       const std::vector<std::string>& source_folders, int* status);

// "demo_heat - ompprof"
std::string PageTitle(const analyze::View& view);

// Writes the page to `path`, "-" for standard output; a file is there whole or not at all.
int WritePage(const std::string& path, const std::string& data, const std::string& title);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_HTML_REPORT_H_
