// The page's template, which build_page.py makes during the build. HtmlPage and ServedPage fill it.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_TEMPLATE_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_TEMPLATE_H_

#include <string_view>

namespace ompprof::report {

std::string_view PageTemplate();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_TEMPLATE_H_
