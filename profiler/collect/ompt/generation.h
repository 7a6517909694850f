// The generations of OMPT. A runtime speaks one of them, and the tool finds out which before it registers anything.
// Each older generation has an adapter. The adapter gives the rest of the collector the callbacks, values and frames of
// OpenMP 5.x, so nothing outside this folder knows generations.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_GENERATION_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_GENERATION_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/tasks/entry_points.h"

namespace ompprof::collect {

enum class Generation : uint8_t {
  kUnknown,
  kTr2,      // Technical Report 2: ompt_initialize
  kDraft,    // the draft after it, and LLVM 3.9 to 5: ompt_tool
  kTr6,      // the chapter of Technical Report 6: ompt_fns_t
  kTr6Late,  // LLVM 6 and 7: values and frames of kTr6, the numbers of 5.x
  kFive,     // OpenMP 5.0 and later
};

// The initializer's second and third argument, as the runtime left them in registers. Generations pass different
// pointers to the object that ompt_start_tool has returned.
struct InitializerArguments {
  uintptr_t second;
  uintptr_t third;
};

// The generation of the runtime that has asked ompt_start_tool and calls the initializer with these arguments.
// `result`: the answer that it got from ompt_start_tool. The version that a runtime passes does not tell: LLVM 6 and
// LLVM 19 pass the same number.
Generation GenerationOf(ompt_function_lookup_t lookup, const ompt_start_tool_result_t& result,
                        const InitializerArguments& arguments);

// "tr2", "draft", "tr6", "5.x"; NULL for kUnknown.
const char* GenerationName(Generation generation);

// The names of the entry points in the generation's table.
struct EntryPointNames {
  const char* const* names;
  uint32_t count;
};
EntryPointNames EntryPointsOf(Generation generation);

// Finds the entry points of runtime `runtime`. They take and give values of OpenMP 5.x, whatever the generation is.
// `finalize` is called at the runtime's end by generations that tell the end by an event.
void BindEntryPoints(Generation generation, int runtime, ompt_function_lookup_t lookup, void (*finalize)(),
                     EntryPoints* entry_points);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_GENERATION_H_
