// Reads source text on the machine that makes the report. `ompprof annotate` and the web page show it.
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
  std::string path;                // the file that was read; empty: no file could be read
  std::vector<std::string> lines;  // fit for a terminal, tabs expanded
  std::string problem;             // a sentence, if no file could be read, or if the file is younger than the profile
};

// The folders that may contain sources.
struct SourcePlaces {
  std::vector<std::string> folders;      // named by the user (--source-path)
  std::vector<std::string> compiled_in;  // from the debug information; see DwarfIndex::CompilationFolders
};

// Reads the text of `file`, a path from the debug information. Looks below each of `folders`: for the whole path, then
// for the path without its first folder, without its first two folders, and so on. Then looks for a relative path below
// each of `compiled_in`, and last for the path itself. `recorded_unix_ns`: the time of the profile; 0: not known.
SourceText ReadSource(const std::string& file, const SourcePlaces& places, int64_t recorded_unix_ns);

// Reads each source once.
class Sources {
 public:
  // The parameters are those of ReadSource. `symbolizer` found the files' names, and must outlive this object.
  Sources(const model::Symbolizer& symbolizer, std::vector<std::string> folders, int64_t recorded_unix_ns)
      : symbolizer_(symbolizer), folders_(std::move(folders)), recorded_unix_ns_(recorded_unix_ns) {}

  const SourceText& Of(const std::string& file);

  // The text of a line, counted from 1. Empty if the text could not be read, or has no such line.
  std::string Line(const std::string& file, uint32_t line);

 private:
  const model::Symbolizer& symbolizer_;
  const std::vector<std::string> folders_;
  const int64_t recorded_unix_ns_;
  std::map<std::string, SourceText> texts_;  // by the file's name
};

// The paths that ReadSource tries, in order.
std::vector<std::string> SourceCandidates(const std::string& file, const SourcePlaces& places);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_SOURCE_H_
