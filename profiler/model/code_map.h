// The names of code that a process generated, from its perf map or from a jitdump (profiler/collect/write/generated).
// The symbolizer has one for each such file of a process.
#ifndef OMPPROF_PROFILER_MODEL_CODE_MAP_H_
#define OMPPROF_PROFILER_MODEL_CODE_MAP_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/model/dwarf_index.h"

namespace ompprof::model {

// The source lines of a function, by the offset of the code from the function's beginning, ascending. A line holds
// until the next offset.
struct CodeLine {
  uint64_t offset;
  const std::string* file;
  uint32_t line;
};
using CodeLines = std::vector<CodeLine>;

class CodeMap {
 public:
  CodeMap() = default;
  CodeMap(CodeMap&&) = default;

  // Reads "ADDRESS SIZE NAME" lines: the numbers are hexadecimal, the name goes to the line's end. A last line without
  // an end counts only if it is complete. Other text is counted as malformed.
  explicit CodeMap(std::string_view text);

  // Reads a jitdump, or as much of one as there is.
  static CodeMap OfJitDump(std::string_view content);

  // The function at an address and its line; the function is null if there is none. Where two entries overlap, the
  // later one is right, because the process has used the memory again. A name from Python,
  // "py::solve:/home/me/solve.py", becomes the function "py::solve" with this file; <module> becomes "py::module".
  SourceFrame FrameAt(uint64_t address) const;
  const Function* Find(uint64_t address) const { return FrameAt(address).function; }

  bool empty() const { return ranges_.empty(); }
  uint64_t malformed() const { return malformed_; }  // the number of lines or records that were not understood

  // For readers of files. Add returns false if the range is impossible. `lines` may be null.
  bool Add(uint64_t low, uint64_t size, std::string_view name, const CodeLines* lines);
  void CountMalformed() { ++malformed_; }
  const std::string* File(std::string_view name);  // lives as long as the map
  CodeLines* NewLines() { return &lines_.emplace_back(); }

  // Compilers that write the lines' addresses as perf's object file would have them: behind its ELF header.
  void ShiftLines(uint64_t offset) { line_shift_ = offset; }

 private:
  struct Range {
    uint64_t high;
    uint64_t begin;  // of the function, which may have lost its first bytes to a later function
    const Function* function;
    const CodeLines* lines;
  };
  bool AddLine(std::string_view line);
  void AddRange(uint64_t low, const Range& range);

  std::map<uint64_t, Range> ranges_;  // by their first address; disjoint
  std::map<std::string, const Function*, std::less<>> function_by_name_;
  std::set<std::string, std::less<>> files_;
  std::deque<Function> functions_;
  std::deque<CodeLines> lines_;
  uint64_t line_shift_ = 0;
  uint64_t malformed_ = 0;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CODE_MAP_H_
