// The time in functions without a name, by object file. Such functions are in stripped files, whose debug symbols would
// name them. The reports say which files these are.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_UNNAMED_CODE_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_UNNAMED_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

struct UnnamedObject {
  std::string path;
  std::string build_id;  // bytes; empty: none
  uint64_t weight = 0;   // sampled in its unnamed functions
  // The way to its debug symbols, which the command line looks up. Empty: not known.
  std::string package;  // the package that owns the file
  std::string command;  // that installs the debug symbols
};

// Python's interpreter. A stack has the interpreter's functions, and names of Python functions only if the interpreter
// writes a perf map.
struct PythonCode {
  uint64_t weight = 0;  // sampled below the interpreter's loop, while no Python function on the stack had a name
  uint32_t minor = 0;   // 11 of Python 3.11; 0: not known
};

struct UnnamedCode {
  uint64_t weight = 0;                 // of all objects
  std::vector<UnnamedObject> objects;  // by weight, descending; at most 3, with 1 % of the view's weight or more

  // Whether reports speak of it: 5 % of the view's weight.
  bool noticeable = false;

  PythonCode python;
  bool python_noticeable = false;  // likewise
};

// Leaves out objects whose file could not be read: the view's warnings speak of them.
UnnamedCode FindUnnamedCode(const View& view, const model::Symbolizer& symbolizer);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_UNNAMED_CODE_H_
