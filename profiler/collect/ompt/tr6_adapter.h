// Runtimes that speak OMPT as in the chapter of Technical Report 6, and LLVM 6 and 7. They share the symbol
// ompt_start_tool with OpenMP 5.x, and differ in numbers, arguments, enumerations and frames.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TR6_ADAPTER_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TR6_ADAPTER_H_

#include <omp-tools.h>

#include "profiler/collect/tasks/entry_points.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// Finds the entry points of runtime `runtime`, and puts translators in front of those whose values differ.
// `own_numbers`: events have the chapter's numbers; otherwise they have those of OpenMP 5.x. Called in the tool's
// initializer. The translators of ompt_get_task_info and of frames are async-signal-safe.
void BindTr6(int runtime, ompt_function_lookup_t lookup, bool own_numbers, EntryPoints* entry_points);

// Translations of values. D's constants are those of omp-tools.h.
namespace tr6 {

// The chapter's number of an event of OpenMP 5.x; 0 if the chapter has no such event.
int EventOf(ompt_callbacks_t event);
ompt_set_result_t ResultOf(int result);
ompt_mutex_t MutexOf(int kind);
ompt_task_status_t StatusOf(int status);
// Of the runtime that the chapter's authors made (branch tr4-stable). It counts the types of tasks from 1, and has the
// states of Technical Report 2 (tr2_values.h). Async-signal-safe.
int EarlyTypeOf(int type);

}  // namespace tr6

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TR6_ADAPTER_H_
