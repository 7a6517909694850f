// Source text, as far as it can be read where the report is made. `ompprof annotate` shows it.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::report {

struct SourceText {
  std::string path;                // that was read; empty: none could be
  std::vector<std::string> lines;  // fit for a terminal, tabs expanded
  std::string problem;             // a sentence, if none could be read, or if it is younger than the profile
};

// The text of `file`, a path as the debug information has it. In each of `folders`: the whole path below it, then with
// one after another of its first folders taken off; and the path itself. `recorded_unix_ns`: when the profile was made,
// 0: not known.
SourceText ReadSource(const std::string& file, const std::vector<std::string>& folders, int64_t recorded_unix_ns);

// Where that looks, in its order.
std::vector<std::string> SourceCandidates(const std::string& file, const std::vector<std::string>& folders);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_
