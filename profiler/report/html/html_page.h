// The web page: a template, which the build assembles from the files in page/, with a profile's data. The page is one
// file and uses no network. The command line's html_report and `ompprof serve` call these functions.
#ifndef OMPPROF_PROFILER_REPORT_HTML_HTML_PAGE_H_
#define OMPPROF_PROFILER_REPORT_HTML_HTML_PAGE_H_

#include <string>

namespace ompprof::report {

// `data` is from PageData. `title` is plain text.
std::string HtmlPage(const std::string& data, const std::string& title);

// A page that requests its data from its server, repeatedly while the profile grows. `ompprof serve` serves it.
std::string ServedPage(const std::string& title);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_HTML_PAGE_H_
