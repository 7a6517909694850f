// gzip compression in memory, for the pprof exporter.
#ifndef OMPPROF_PROFILER_REPORT_GZIP_H_
#define OMPPROF_PROFILER_REPORT_GZIP_H_

#include <string>

namespace ompprof::report {

// A gzip file (RFC 1952) with `bytes` in it.
std::string Gzip(const std::string& bytes);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_GZIP_H_
