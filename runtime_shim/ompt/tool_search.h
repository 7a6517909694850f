// Finds a tool: OMP_TOOL, OMP_TOOL_LIBRARIES and OMP_TOOL_VERBOSE_INIT. OpenMP 5.1 section 4.2.2. The order follows the
// TR6-era chapter, "Determining Whether a Tool Should be Initialized".
#ifndef RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_
#define RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_

#include <omp-tools.h>
#include <stdio.h>

namespace gomp_ompt {

enum class ToolSetting { kEnabled, kDisabled, kIllegal };

// The meaning of a value of OMP_TOOL; NULL stands for an environment without it. Upper and lower case are equal, and
// blanks around the word are ignored. A value without a word is like none. Any other value is illegal.
ToolSetting ParseToolSetting(const char* value);

// What a tool is told of the runtime: the arguments of ompt_start_tool.
struct RuntimeName {
  unsigned omp_version;  // _OPENMP of the runtime
  const char* text;      // lives as long as the process
};

// How the tools of a generation of OMPT are found and started.
struct ToolKind {
  const char* symbol;  // the function by which a tool makes itself known
  // Calls that function, or prepares its call. The result is the tool to start: it hears events as OpenMP 5.1 has them.
  // NULL if the tool declines.
  ompt_start_tool_result_t* (*start)(void* function, const RuntimeName& runtime);
};

// The generations to look for, in this order.
struct ToolKinds {
  const ToolKind* first;
  int count;
  // An illegal OMP_TOOL ends the process (draft chapter, "Tool Registration"). OpenMP 5.1 leaves open what it does:
  // like LLVM's runtime, the shim then starts no tool, and says so.
  bool illegal_setting_ends;

  const ToolKind* begin() const { return first; }
  const ToolKind* end() const { return first + count; }
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

// Looks for a tool of one of the kinds in the address space, then in each library of OMP_TOOL_LIBRARIES, until a tool
// does not decline. A tool that is linked into the program comes first, also if the program does not export it.
// `caller` is an address in the library that called the runtime. This library's own dependencies count as address
// space, because they do for a runtime among them. NULL if there is no tool.
//
// A program may have a tool of its own, which GCC's runtime never starts, and need not ask for the shim. Who brings the
// shim into such a program names the tools for it in GOMP_OMPT_TOOL_LIBRARIES, paths with colons between them, and
// preloads these libraries before the shim. If one of them is loaded, the shim looks for a tool in those that are, and
// nowhere else. But if the program asks for the shim as well, they come after all other places. It does if it is linked
// with the shim (`is_linked`), or if LD_PRELOAD names the shim more often than the first of these libraries. If another
// tool is then started, each named library that has a function gomp_ompt_started_other_tool(const char* file) is told
// the file with that tool.
//
// A program or library that has declined by one kind's symbol is not asked by the symbols of the kinds behind it: these
// may be other functions of the tool. (Tools of OpenMP 5 often call their own initializer ompt_initialize.)
ompt_start_tool_result_t* FindTool(const void* caller, bool is_linked, const RuntimeName& runtime,
                                   const ToolKinds& kinds, SearchLog& log);

// True if FindTool would find a tool in the address space, or a library to try. Calls no tool.
bool IsToolAskedFor(const ToolKinds& kinds);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_TOOL_SEARCH_H_
