// Source text, as far as it can be read where the report is made. `ompprof annotate` shows it.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/model/symbolizer.h"

namespace ompprof::report {

struct SourceText {
  std::string path;                // that was read; empty: none could be
  std::vector<std::string> lines;  // fit for a terminal, tabs expanded
  std::string problem;             // a sentence, if none could be read, or if it is younger than the profile
};

// Where sources may be.
struct SourcePlaces {
  std::vector<std::string> folders;      // that the user named (--source-path)
  std::vector<std::string> compiled_in;  // see DwarfIndex::CompilationFolders
};

// The text of `file`, a path as the debug information has it. In each of `folders`: the whole path below it, then with
// one after another of its first folders taken off; if it is relative, below each folder that it was compiled in; and
// the path itself. `recorded_unix_ns`: when the profile was made, 0: not known.
SourceText ReadSource(const std::string& file, const SourcePlaces& places, int64_t recorded_unix_ns);

// Reads each source once.
class Sources {
 public:
  // As for ReadSource. `symbolizer` found the files' names, and must outlive this.
  Sources(const model::Symbolizer& symbolizer, std::vector<std::string> folders, int64_t recorded_unix_ns)
      : symbolizer_(symbolizer), folders_(std::move(folders)), recorded_unix_ns_(recorded_unix_ns) {}

  const SourceText& Of(const std::string& file);

  // Empty if the text could not be read, or has no such line. Lines are counted from 1.
  std::string Line(const std::string& file, uint32_t line);

 private:
  const model::Symbolizer& symbolizer_;
  const std::vector<std::string> folders_;
  const int64_t recorded_unix_ns_;
  std::map<std::string, SourceText> texts_;  // by the file's name
};

// Where ReadSource looks, in its order.
std::vector<std::string> SourceCandidates(const std::string& file, const SourcePlaces& places);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_
