#include "runtime_shim/generations/generation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "runtime_shim/generations/early.h"
#include "runtime_shim/generations/tr6.h"

namespace gomp_ompt {
namespace {

// `omp_version`: see ompt_start_tool.
ompt_start_tool_result_t* Start(void* function, unsigned omp_version, const RuntimeName& runtime) {
  return reinterpret_cast<ompt_start_tool_result_t* (*)(unsigned, const char*)>(function)(omp_version, runtime.text);
}

// The version "specifies the version of the OMPT interface" (OpenMP 5.1, 4.2.1), which is the shim's. libgomp's own
// _OPENMP is 201511, which makes public tools warn that there is no OMPT.
ompt_start_tool_result_t* StartTool(void* function, const RuntimeName& runtime) {
  constexpr unsigned kOpenMp51 = 202011;
  return Start(function, std::max(runtime.omp_version, kOpenMp51), runtime);
}

ompt_start_tool_result_t* StartTr6Tool(void* function, const RuntimeName& runtime) {
  ompt_start_tool_result_t* tool = Start(function, runtime.omp_version, runtime);
  return tool != nullptr && tool->initialize != nullptr ? FrontOfTr6Tool(tool) : nullptr;
}

struct Generation {
  const char* name;
  ToolKind kind;
};

// Newest first. A tool of Technical Report 6 looks like a tool of OpenMP 5, so it must be asked for: it comes last.
constexpr char kDraft[] = "draft";
constexpr Generation kGenerations[] = {
    {"5", {"ompt_start_tool", StartTool}},
    {kDraft, {"ompt_tool", StartDraftTool}},
    {"tr2", {"ompt_initialize", StartTr2Tool}},
    {"tr6", {"ompt_start_tool", StartTr6Tool}},
};

// The kinds of the first three, which differ by their symbol.
constexpr ToolKind kBySymbol[] = {kGenerations[0].kind, kGenerations[1].kind, kGenerations[2].kind};

const Generation* FindGeneration(const char* name) {
  for (const Generation& generation : kGenerations)
    if (strcmp(name, generation.name) == 0) return &generation;
  return nullptr;
}

// NULL if nothing is asked for.
const char* AskedName() {
  const char* asked = getenv("GOMP_OMPT_GENERATION");
  return asked != nullptr && asked[0] != '\0' ? asked : nullptr;
}

}  // namespace

ToolKinds AskedGenerations() {
  const char* asked = AskedName();
  const Generation* generation = asked != nullptr ? FindGeneration(asked) : nullptr;
  if (generation != nullptr) return {&generation->kind, 1, generation->name == kDraft};
  return {kBySymbol, sizeof(kBySymbol) / sizeof(kBySymbol[0]), false};
}

ToolKinds GenerationsToStart() {
  const char* asked = AskedName();
  if (asked != nullptr && FindGeneration(asked) == nullptr)
    dprintf(STDERR_FILENO, "libgomp_ompt: GOMP_OMPT_GENERATION is \"%s\"; set it to tr2, draft, tr6 or 5\n", asked);
  return AskedGenerations();
}

}  // namespace gomp_ompt
