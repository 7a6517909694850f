// The version of ompprof. The collector writes it into a log's header. The command prints it, and scripts/install and
// scripts/package read it from this file: a release changes the number here only.
#ifndef OMPPROF_PROFILER_CONFIG_VERSION_H_
#define OMPPROF_PROFILER_CONFIG_VERSION_H_

namespace ompprof::config {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_VERSION_H_
