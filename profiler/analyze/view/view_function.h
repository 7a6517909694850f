// A function, a construct or a made-up frame of a view. FrameTable has each once.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_VIEW_FUNCTION_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_VIEW_FUNCTION_H_

#include <cstdint>
#include <string>

namespace ompprof::analyze {

using FunctionId = uint32_t;

// No function.
inline constexpr FunctionId kNoFunction = 0;

// The file of a path, without its folders.
inline std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

struct ViewFunction {
  std::string name;  // see FrameTable::TellNamesApart
  std::string system_name;
  std::string file;
  uint32_t line = 0;    // of the declaration; for a construct, of the pragma; 0: not known
  uint32_t object = 0;  // Symbolizer::objects()
  // Of functions that read the same otherwise, these may differ: see model::Function::arguments, and for constructs on
  // one line of one function a number, with the first use of the body in the code.
  std::string arguments = {};
  uint32_t part = 0;
  uint64_t code = 0;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_VIEW_FUNCTION_H_
