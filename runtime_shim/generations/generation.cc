#include "runtime_shim/generations/generation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime_shim/generations/early.h"
#include "runtime_shim/generations/tr6.h"

namespace gomp_ompt {
namespace {

ompt_start_tool_result_t* StartTool(void* function, const RuntimeName& runtime) {
  return reinterpret_cast<ompt_start_tool_result_t* (*)(unsigned, const char*)>(function)(runtime.omp_version,
                                                                                          runtime.text);
}

ompt_start_tool_result_t* StartTr6Tool(void* function, const RuntimeName& runtime) {
  ompt_start_tool_result_t* tool = StartTool(function, runtime);
  return tool != nullptr && tool->initialize != nullptr ? FrontOfTr6Tool(tool) : nullptr;
}

struct Generation {
  const char* name;
  ToolKind kind;
};

// Newest first. A tool of Technical Report 6 looks like a tool of OpenMP 5, so it must be asked for: it comes last.
constexpr Generation kGenerations[] = {
    {"5", {"ompt_start_tool", StartTool}},
    {"draft", {"ompt_tool", StartDraftTool}},
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
  if (generation != nullptr) return {&generation->kind, 1};
  return {kBySymbol, sizeof(kBySymbol) / sizeof(kBySymbol[0])};
}

ToolKinds GenerationsToStart() {
  const char* asked = AskedName();
  if (asked != nullptr && FindGeneration(asked) == nullptr)
    dprintf(STDERR_FILENO, "libgomp_ompt: GOMP_OMPT_GENERATION is \"%s\"; set it to tr2, draft, tr6 or 5\n", asked);
  return AskedGenerations();
}

}  // namespace gomp_ompt
