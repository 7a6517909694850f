#include "runtime_shim/ompt/tool_search.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime_shim/generations/generation.h"
#include "runtime_shim/ompt/loaded_object.h"

namespace gomp_ompt {
namespace {

// OMPT of OpenMP 5.1, by the value of _OPENMP in that version.
constexpr unsigned kOmpVersion = 202011;
constexpr char kRuntimeVersion[] = "libgomp_ompt 1.0 over GCC libgomp";
constexpr char kStartTool[] = "ompt_start_tool";

using StartTool = ompt_start_tool_result_t* (*)(unsigned, const char*);

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsWord(const char* text, size_t length, const char* word) {
  return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

// The first definition in the global scope; otherwise the first in the scope of the calling library.
StartTool InAddressSpace(const void* caller) {
  auto start = reinterpret_cast<StartTool>(dlsym(RTLD_DEFAULT, kStartTool));
  dl_find_object object;
  if (start != nullptr || caller == nullptr || !FindObject(caller, &object)) return start;
  if (void* handle = Handle(object.dlfo_link_map)) {
    start = reinterpret_cast<StartTool>(dlsym(handle, kStartTool));
    dlclose(handle);  // the library is still running in its caller
  }
  return start;
}

// A tool without an initializer cannot be used.
ompt_start_tool_result_t* Start(StartTool start) {
  ompt_start_tool_result_t* tool = start(kOmpVersion, kRuntimeVersion);
  return tool != nullptr && tool->initialize != nullptr ? InItsGeneration(tool) : nullptr;
}

const char* LoaderError() {
  const char* error = dlerror();
  return error != nullptr ? error : "unknown error";
}

ompt_start_tool_result_t* InLibrary(const char* path, SearchLog& log) {
  log.Say("Opening %s... ", path);
  void* library = dlopen(path, RTLD_LAZY);
  if (library == nullptr) {
    log.Say("Failed: %s\n", LoaderError());
    return nullptr;
  }
  log.Say("Success.\nSearching for %s in %s... ", kStartTool, path);
  auto start = reinterpret_cast<StartTool>(dlsym(library, kStartTool));
  if (start == nullptr) {
    log.Say("Failed: %s\n", LoaderError());
  } else if (ompt_start_tool_result_t* tool = Start(start)) {
    log.Say("Success.\n");
    return tool;  // the library stays
  } else {
    log.Say("Found but not using the OMPT interface.\nContinuing search...\n");
  }
  dlclose(library);
  return nullptr;
}

ompt_start_tool_result_t* InLibraries(const char* list, SearchLog& log) {
  ompt_start_tool_result_t* tool = nullptr;
  char* paths = strdup(list);
  if (paths == nullptr) return nullptr;
  char* rest = paths;
  while (char* path = strsep(&rest, ":")) {
    if (path[0] != '\0') tool = InLibrary(path, log);
    if (tool != nullptr) break;
  }
  free(paths);
  return tool;
}

}  // namespace

ToolSetting ParseToolSetting(const char* value) {
  if (value == nullptr) return ToolSetting::kEnabled;
  while (IsBlank(*value)) value++;
  size_t length = strlen(value);
  while (length > 0 && IsBlank(value[length - 1])) length--;
  if (IsWord(value, length, "enabled")) return ToolSetting::kEnabled;
  if (IsWord(value, length, "disabled")) return ToolSetting::kDisabled;
  return ToolSetting::kIllegal;
}

SearchLog::SearchLog(bool is_child) : descriptor_(-1) {
  const char* where = getenv("OMP_TOOL_VERBOSE_INIT");
  if (where == nullptr || where[0] == '\0' || strcasecmp(where, "disabled") == 0) return;
  if (strcasecmp(where, "stdout") == 0) {
    descriptor_ = STDOUT_FILENO;
  } else if (strcasecmp(where, "stderr") == 0) {
    descriptor_ = STDERR_FILENO;
  } else {
    descriptor_ = open(where, O_WRONLY | O_CREAT | O_CLOEXEC | (is_child ? O_APPEND : O_TRUNC), 0666);
    is_file_ = descriptor_ >= 0;
    if (!is_file_)
      dprintf(STDERR_FILENO, "libgomp_ompt: OMP_TOOL_VERBOSE_INIT: cannot write to \"%s\": %s\n", where,
              strerror(errno));
  }
  Say("----- START LOGGING OF TOOL REGISTRATION -----\n");
}

SearchLog::~SearchLog() {
  Say("----- END LOGGING OF TOOL REGISTRATION -----\n");
  if (is_file_) close(descriptor_);
}

void SearchLog::Say(const char* format, ...) {
  if (descriptor_ < 0) return;
  va_list arguments;
  va_start(arguments, format);
  vdprintf(descriptor_, format, arguments);
  va_end(arguments);
}

ompt_start_tool_result_t* FindTool(const void* caller, SearchLog& log) {
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
              "libgomp_ompt: fatal error: the value \"%s\" of OMP_TOOL is illegal; set it to enabled or disabled, or "
              "leave it unset\n",
              value);
      exit(EXIT_FAILURE);
  }
  log.Say("Search for OMP tool in current address space... ");
  ompt_start_tool_result_t* tool = nullptr;
  // libomp's own definition, if it is the first, calls the next definition.
  if (const StartTool start = InAddressSpace(caller)) {
    tool = Start(start);
    log.Say(tool != nullptr ? "Success.\n" : "Found but not using the OMPT interface.\n");
  } else {
    log.Say("Failed.\n");
  }
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  if (tool == nullptr && libraries != nullptr && libraries[0] != '\0') {
    log.Say("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", libraries);
    tool = InLibraries(libraries, log);
  }
  log.Say(tool != nullptr ? "Tool was started and is using the OMPT interface.\n" : "No OMP tool loaded.\n");
  return tool;
}

bool IsToolAskedFor() {
  if (ParseToolSetting(getenv("OMP_TOOL")) != ToolSetting::kEnabled) return false;
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  if (libraries != nullptr && libraries[0] != '\0') return true;
  const void* start = dlsym(RTLD_DEFAULT, kStartTool);
  dl_find_object object;
  if (start == nullptr || !FindObject(start, &object)) return false;
  void* handle = Handle(object.dlfo_link_map);
  const bool is_default = IsLlvmRuntime(handle);
  if (handle != nullptr) dlclose(handle);
  return !is_default;
}

}  // namespace gomp_ompt
