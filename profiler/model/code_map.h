// The names of code that a process generated: the text of its perf map (profiler/collect/write/perf_map.h), read. The
// symbolizer has one for each process with such a text.
#ifndef OMPPROF_PROFILER_MODEL_CODE_MAP_H_
#define OMPPROF_PROFILER_MODEL_CODE_MAP_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "profiler/model/dwarf_index.h"

namespace ompprof::model {

class CodeMap {
 public:
  CodeMap() = default;

  // Reads "ADDRESS SIZE NAME" lines: the numbers are hexadecimal, the name goes to the line's end. Where two lines
  // overlap, the later one is right, because the process has used the memory again. A last line without an end counts
  // only if it is complete. Other text is counted as malformed.
  explicit CodeMap(std::string_view text);

  // The function at an address; null: none. A name from Python, "py::solve:/home/me/solve.py", becomes the function
  // "py::solve" with this file; <module> becomes "py::module".
  const Function* Find(uint64_t address) const;

  bool empty() const { return ranges_.empty(); }
  uint64_t malformed() const { return malformed_; }  // the number of lines that were not understood

 private:
  struct Range {
    uint64_t high;
    const Function* function;
  };
  bool AddLine(std::string_view line);
  void Add(uint64_t low, uint64_t high, const Function* function);

  std::map<uint64_t, Range> ranges_;  // by their first address; disjoint
  std::map<std::string, const Function*, std::less<>> function_by_name_;
  std::deque<Function> functions_;
  uint64_t malformed_ = 0;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CODE_MAP_H_
