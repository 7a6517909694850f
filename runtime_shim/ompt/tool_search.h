// Finds a tool: OMP_TOOL, OMP_TOOL_LIBRARIES and OMP_TOOL_VERBOSE_INIT. OpenMP 5.1 section 4.2.2. The order follows the
// TR6-era chapter, "Determining Whether a Tool Should be Initialized".
#ifndef RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_
#define RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_

#include <omp-tools.h>

namespace gomp_ompt {

enum class ToolSetting { kEnabled, kDisabled, kIllegal };

// The meaning of a value of OMP_TOOL; NULL stands for an environment without it. Upper and lower case are equal, and
// blanks around the word are ignored. Any other value, also an empty value, is illegal (draft chapter, "Tool
// Registration").
ToolSetting ParseToolSetting(const char* value);

// The descriptor for the messages that OMP_TOOL_VERBOSE_INIT asks for, or -1.
class SearchLog {
 public:
  // `is_child`: of a fork; a file is then continued, not begun.
  explicit SearchLog(bool is_child);
  ~SearchLog();
  SearchLog(const SearchLog&) = delete;

  void Say(const char* format, ...) __attribute__((format(printf, 2, 3)));

 private:
  int descriptor_;
  bool is_file_ = false;
};

// Calls ompt_start_tool of the address space, then of each library of OMP_TOOL_LIBRARIES, until a call does not return
// NULL. `caller` is an address in the library that called the runtime. This library's own dependencies count as address
// space, because they do for a runtime among them. NULL if there is no tool. Ends the process if OMP_TOOL has an
// illegal value.
ompt_start_tool_result_t* FindTool(const void* caller, SearchLog& log);

// True if FindTool would find an ompt_start_tool in the address space, or a library to try. Calls no tool.
bool IsToolAskedFor();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_
