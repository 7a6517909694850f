// The page's template. Its text is made by the build: see build_page.py.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_TEMPLATE_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_TEMPLATE_H_

#include <string_view>

namespace ompprof::report {

std::string_view PageTemplate();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_TEMPLATE_H_
