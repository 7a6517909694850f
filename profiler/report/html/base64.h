// Bytes as text of 64 characters (RFC 4648). The web page holds its data so.
#ifndef OMPPROF_PROFILER_REPORT_HTML_BASE64_H_
#define OMPPROF_PROFILER_REPORT_HTML_BASE64_H_

#include <string>
#include <string_view>

namespace ompprof::report {

std::string Base64(std::string_view bytes);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_BASE64_H_
