// The page: the template that the build puts together from the files in page/, with a profile's data in it. One file
// that needs nothing else and asks no network.
#ifndef OMPPROF_PROFILER_REPORT_HTML_HTML_PAGE_H_
#define OMPPROF_PROFILER_REPORT_HTML_HTML_PAGE_H_

#include <string>

namespace ompprof::report {

// `data` is from PageData. `title` is plain text.
std::string HtmlPage(const std::string& data, const std::string& title);

// A page that asks the server it came from for its data, and again while the profile grows. See ompprof serve.
std::string ServedPage(const std::string& title);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_HTML_PAGE_H_
