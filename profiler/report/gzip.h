// gzip compression in memory, for the pprof exporter and the web page.
#ifndef OMPPROF_PROFILER_REPORT_GZIP_H_
#define OMPPROF_PROFILER_REPORT_GZIP_H_

#include <string>

namespace ompprof::report {

// A gzip file (RFC 1952) that contains `bytes`.
std::string Gzip(const std::string& bytes);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_GZIP_H_
