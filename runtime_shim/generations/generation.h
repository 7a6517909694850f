// The generations of OMPT that the shim can speak. In front of a tool of an older generation stands a tool of OpenMP
// 5.1. It hears the shim's events, and tells the older tool in the words of its generation.
#ifndef RUNTIME_SHIM_GENERATIONS_GENERATION_H_
#define RUNTIME_SHIM_GENERATIONS_GENERATION_H_

#include "runtime_shim/ompt/tool_search.h"

namespace gomp_ompt {

// The generations of tools to look for: the generation that GOMP_OMPT_GENERATION asks for, otherwise the generations
// that have a symbol of their own, newest first.
ToolKinds AskedGenerations();

// The same, for the start of a tool: says on stderr that GOMP_OMPT_GENERATION has an unknown value.
ToolKinds GenerationsToStart();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_GENERATION_H_
