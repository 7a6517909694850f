#include "runtime_shim/ompt/tool_search.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime_shim/ompt/loaded_object.h"
#include "runtime_shim/ompt/program_file.h"

namespace gomp_ompt {
namespace {

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsWord(const char* text, size_t length, const char* word) {
  return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

bool IsOfProgram(const void* address) {
  dl_find_object object;
  return FindObject(address, &object) && object.dlfo_link_map->l_name[0] == '\0';
}

// The program, or the library, that has this code; NULL if it belongs to none.
const link_map* ObjectOf(const void* address) {
  dl_find_object object;
  return FindObject(address, &object) ? object.dlfo_link_map : nullptr;
}

// GOMP_OMPT_TOOL_LIBRARIES as the process begins with it, and whether the shim is preloaded for other tools as well.
// The program may change its environment.
struct NamedTools {
  const char* list = nullptr;
  bool come_last = false;
};

// How often the list has the word.
int TimesIn(const char* list, const char* word, size_t length) {
  int times = 0;
  const char* end = list + strlen(list);
  while (const void* at = memmem(list, static_cast<size_t>(end - list), word, length)) {
    ++times;
    list = static_cast<const char*>(at) + 1;
  }
  return times;
}

// A constructor of another library may come here before ours.
const NamedTools& Named() {
  static bool is_known = false;
  static NamedTools named;
  if (is_known) return named;
  is_known = true;
  const char* list = getenv("GOMP_OMPT_TOOL_LIBRARIES");
  if (list == nullptr) return named;
  named.list = strdup(list);
  const char* preload = getenv("LD_PRELOAD");
  constexpr char kShim[] = "libgomp_ompt.so";
  named.come_last =
      preload != nullptr && TimesIn(preload, kShim, strlen(kShim)) > TimesIn(preload, list, strcspn(list, ":"));
  return named;
}

__attribute__((constructor)) void KeepNamedTools() { Named(); }

// Calls `visit` with a handle of each named library that is loaded, until it returns true.
template <class Visit>
bool EachNamedTool(Visit visit) {
  char* paths = Named().list != nullptr ? strdup(Named().list) : nullptr;
  bool is_done = false;
  char* rest = paths;
  while (char* path = is_done ? nullptr : strsep(&rest, ":")) {
    void* library = path[0] != '\0' ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    if (library == nullptr) continue;
    is_done = visit(library);
    dlclose(library);
  }
  free(paths);
  return is_done;
}

bool HasNamedTools() {
  return EachNamedTool([](void*) { return true; });
}

bool IsOfNamedTool(const void* function) {
  const link_map* object = ObjectOf(function);
  return EachNamedTool([object](void* library) { return static_cast<const link_map*>(library) == object; });
}

void* FindInNamedTools(const void*, const char* symbol) {
  void* found = nullptr;
  EachNamedTool([&](void* library) { return (found = dlsym(library, symbol)) != nullptr; });
  return found;
}

// The first definition in the global scope; otherwise the first in the scope of the calling library. The program is the
// first in the global scope. A linker makes it export its definition if it is linked with a runtime that asks for the
// name. libgomp does not ask. The named tools are not found: those before the shim are passed over.
void* FindSymbol(const void* caller, const char* symbol) {
  void* found = dlsym(RTLD_DEFAULT, symbol);
  if (found != nullptr && IsOfNamedTool(found)) found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr || !IsOfProgram(found)) {
    void* of_program = FindFunctionOfProgram(symbol);
    if (of_program != nullptr && IsOfProgram(of_program)) return of_program;
  }
  const link_map* object = caller != nullptr ? ObjectOf(caller) : nullptr;
  if (found != nullptr || object == nullptr) return found;
  if (void* handle = Handle(object)) {
    found = dlsym(handle, symbol);
    dlclose(handle);  // the library is still running in its caller
  }
  return found;
}

// The function by which the last tool that did not decline has made itself known.
const void* start_function = nullptr;

// A tool without an initializer cannot be used.
ompt_start_tool_result_t* Start(const ToolKind& kind, void* function, const RuntimeName& runtime) {
  ompt_start_tool_result_t* tool = kind.start(function, runtime);
  if (tool == nullptr || tool->initialize == nullptr) return nullptr;
  start_function = function;
  return tool;
}

// So that they can say why they hear nothing.
void TellNamedTools() {
  Dl_info other;
  if (IsOfNamedTool(start_function) || dladdr(start_function, &other) == 0) return;
  EachNamedTool([&other](void* library) {
    void* tell = dlsym(library, "gomp_ompt_started_other_tool");
    if (tell != nullptr) reinterpret_cast<void (*)(const char*)>(tell)(other.dli_fname);
    return false;
  });
}

// libomp's own definition of ompt_start_tool, if it is the first, calls the next definition.
ompt_start_tool_result_t* InAddressSpace(void* find(const void* caller, const char* symbol), const void* caller,
                                         const RuntimeName& runtime, const ToolKinds& kinds) {
  constexpr int kMost = 8;
  const link_map* declined[kMost];
  int count = 0;
  for (const ToolKind& kind : kinds) {
    void* function = find(caller, kind.symbol);
    if (function == nullptr) continue;
    const link_map* object = ObjectOf(function);
    bool has_declined = false;
    for (int i = 0; i < count; i++) has_declined |= declined[i] == object;
    if (has_declined) continue;
    if (ompt_start_tool_result_t* tool = Start(kind, function, runtime)) return tool;
    if (count < kMost) declined[count++] = object;
  }
  return nullptr;
}

const char* LoaderError() {
  const char* error = dlerror();
  return error != nullptr ? error : "unknown error";
}

// The function of the first kind that the library has; NULL if it has none. Only a kind that is found, and the first,
// are worth a message.
void* FindInLibrary(void* library, const char* path, const ToolKinds& kinds, const ToolKind** kind, SearchLog& log) {
  for (*kind = kinds.begin(); *kind != kinds.end(); ++*kind) {
    void* function = dlsym(library, (*kind)->symbol);
    const bool is_first = *kind == kinds.begin();
    if (function != nullptr || is_first) log.Say("Searching for %s in %s... ", (*kind)->symbol, path);
    if (function != nullptr) return function;
    if (is_first) log.Say("Failed: %s\n", LoaderError());
  }
  return nullptr;
}

ompt_start_tool_result_t* InLibrary(const char* path, const RuntimeName& runtime, const ToolKinds& kinds,
                                    SearchLog& log) {
  log.Say("Opening %s... ", path);
  void* library = dlopen(path, RTLD_LAZY);
  if (library == nullptr) {
    log.Say("Failed: %s\n", LoaderError());
    return nullptr;
  }
  log.Say("Success.\n");
  const ToolKind* kind = nullptr;
  if (void* function = FindInLibrary(library, path, kinds, &kind, log)) {
    if (ompt_start_tool_result_t* tool = Start(*kind, function, runtime)) {
      log.Say("Success.\n");
      return tool;  // the library stays
    }
    log.Say("Found but not using the OMPT interface.\nContinuing search...\n");
  }
  dlclose(library);
  return nullptr;
}

ompt_start_tool_result_t* InLibraries(const char* list, const RuntimeName& runtime, const ToolKinds& kinds,
                                      SearchLog& log) {
  ompt_start_tool_result_t* tool = nullptr;
  char* paths = strdup(list);
  if (paths == nullptr) return nullptr;
  char* rest = paths;
  while (char* path = strsep(&rest, ":")) {
    if (path[0] != '\0') tool = InLibrary(path, runtime, kinds, log);
    if (tool != nullptr) break;
  }
  free(paths);
  return tool;
}

ompt_start_tool_result_t* InUsualPlaces(const void* caller, const RuntimeName& runtime, const ToolKinds& kinds,
                                        SearchLog& log) {
  log.Say("Search for OMP tool in current address space... ");
  ompt_start_tool_result_t* tool = InAddressSpace(FindSymbol, caller, runtime, kinds);
  log.Say(tool != nullptr ? "Success.\n" : "Failed.\n");
  if (tool != nullptr) return tool;
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  if (libraries != nullptr && libraries[0] != '\0') {
    log.Say("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", libraries);
    tool = InLibraries(libraries, runtime, kinds, log);
  } else {
    log.Say("No OMP_TOOL_LIBRARIES defined.\n");
  }
  if (tool == nullptr) log.Say("...searching tool libraries failed.\n");
  return tool;
}

// Not so for the default definitions of LLVM's runtime.
bool IsOfTool(const void* function) {
  const link_map* object = function != nullptr ? ObjectOf(function) : nullptr;
  if (object == nullptr) return false;
  void* handle = Handle(object);
  const bool is_default = IsLlvmRuntime(handle);
  if (handle != nullptr) dlclose(handle);
  return !is_default;
}

}  // namespace

ToolSetting ParseToolSetting(const char* value) {
  if (value == nullptr) return ToolSetting::kEnabled;
  while (IsBlank(*value)) value++;
  size_t length = strlen(value);
  while (length > 0 && IsBlank(value[length - 1])) length--;
  if (length == 0 || IsWord(value, length, "enabled")) return ToolSetting::kEnabled;
  if (IsWord(value, length, "disabled")) return ToolSetting::kDisabled;
  return ToolSetting::kIllegal;
}

SearchLog::SearchLog(bool is_child) {
  const char* where = getenv("OMP_TOOL_VERBOSE_INIT");
  if (where == nullptr || where[0] == '\0' || strcasecmp(where, "disabled") == 0) return;
  if (strcasecmp(where, "stdout") == 0) {
    stream_ = stdout;
  } else if (strcasecmp(where, "stderr") == 0) {
    stream_ = stderr;
  } else {
    stream_ = fopen(where, is_child ? "ae" : "we");
    is_own_ = stream_ != nullptr;
    if (!is_own_)
      dprintf(STDERR_FILENO, "libgomp_ompt: OMP_TOOL_VERBOSE_INIT: cannot write to \"%s\": %s\n", where,
              strerror(errno));
  }
  Say("----- START LOGGING OF TOOL REGISTRATION -----\n");
}

SearchLog::~SearchLog() {
  Say("----- END LOGGING OF TOOL REGISTRATION -----\n");
  if (is_own_) fclose(stream_);
}

void SearchLog::Say(const char* format, ...) {
  if (stream_ == nullptr) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stream_, format, arguments);
  va_end(arguments);
}

ompt_start_tool_result_t* FindTool(const void* caller, bool is_linked, const RuntimeName& runtime,
                                   const ToolKinds& kinds, SearchLog& log) {
  const char* value = getenv("OMP_TOOL");
  switch (ParseToolSetting(value)) {
    case ToolSetting::kEnabled:
      break;
    case ToolSetting::kDisabled:
      log.Say("OMP tool disabled.\n");
      return nullptr;
    case ToolSetting::kIllegal:
      log.Say("OMP_TOOL has an illegal value.\n");
      dprintf(STDERR_FILENO,
              "libgomp_ompt: %sOMP_TOOL is \"%s\", so no tool is started; set it to enabled or disabled, or leave it "
              "unset\n",
              kinds.illegal_setting_ends ? "fatal error: " : "", value);
      if (kinds.illegal_setting_ends) exit(EXIT_FAILURE);
      return nullptr;
  }
  const bool has_named = HasNamedTools();
  ompt_start_tool_result_t* tool = nullptr;
  if (!has_named || is_linked || Named().come_last) tool = InUsualPlaces(caller, runtime, kinds, log);
  if (tool != nullptr && has_named) TellNamedTools();
  if (tool == nullptr && has_named) {
    log.Say("Search for OMP tool in GOMP_OMPT_TOOL_LIBRARIES... ");
    tool = InAddressSpace(FindInNamedTools, caller, runtime, kinds);
    log.Say(tool != nullptr ? "Success.\n" : "Failed.\n");
  }
  log.Say(tool != nullptr ? "Tool was started and is using the OMPT interface.\n" : "No OMP tool loaded.\n");
  return tool;
}

bool IsToolAskedFor(const ToolKinds& kinds) {
  if (ParseToolSetting(getenv("OMP_TOOL")) != ToolSetting::kEnabled) return false;
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  if (libraries != nullptr && libraries[0] != '\0') return true;
  if (HasNamedTools()) return true;
  for (const ToolKind& kind : kinds)
    if (IsOfTool(FindSymbol(nullptr, kind.symbol))) return true;
  return false;
}

}  // namespace gomp_ompt
