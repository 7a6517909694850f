// Finds a tool: OMP_TOOL, OMP_TOOL_LIBRARIES and OMP_TOOL_VERBOSE_INIT. OpenMP 5.1 section 4.2.2. The order follows the
// TR6-era chapter, "Determining Whether a Tool Should be Initialized".
#ifndef RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_
#define RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_

#include <omp-tools.h>
#include <stdio.h>

namespace gomp_ompt {

enum class ToolSetting { kEnabled, kDisabled, kIllegal };

// The meaning of a value of OMP_TOOL; NULL stands for an environment without it. Upper and lower case are equal, and
// blanks around the word are ignored. Any other value, also an empty value, is illegal (draft chapter, "Tool
// Registration").
ToolSetting ParseToolSetting(const char* value);

// What a tool is told of the runtime: the arguments of ompt_start_tool.
struct RuntimeName {
  unsigned omp_version;  // _OPENMP of the runtime
  const char* text;      // lives as long as the process
};

// The messages that OMP_TOOL_VERBOSE_INIT asks for. They go through stdio, like the words of a tool that prints beside
// them. Their words are those of LLVM's runtime.
class SearchLog {
 public:
  // `is_child`: of a fork; a file is then continued, not begun.
  explicit SearchLog(bool is_child);
  ~SearchLog();
  SearchLog(const SearchLog&) = delete;

  void Say(const char* format, ...) __attribute__((format(printf, 2, 3)));

 private:
  FILE* stream_ = nullptr;  // NULL: nobody wants the messages
  bool is_own_ = false;
};

// Calls ompt_start_tool of the address space, then of each library of OMP_TOOL_LIBRARIES, until a call does not return
// NULL. A tool that is linked into the program comes first, also if the program does not export it. `caller` is an
// address in the library that called the runtime. This library's own dependencies count as address
// space, because they do for a runtime among them. NULL if there is no tool. Ends the process if OMP_TOOL has an
// illegal value.
ompt_start_tool_result_t* FindTool(const void* caller, const RuntimeName& runtime, SearchLog& log);

// True if FindTool would find an ompt_start_tool in the address space, or a library to try. Calls no tool.
bool IsToolAskedFor();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_
