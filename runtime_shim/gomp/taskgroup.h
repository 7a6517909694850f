// taskgroup, explicit or of a taskloop, and the reductions of its tasks.
#ifndef RUNTIME_SHIM_GOMP_TASKGROUP_H_
#define RUNTIME_SHIM_GOMP_TASKGROUP_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// The current task starts and ends a taskgroup; the calls into libgomp included.
void StartTaskgroup(const Caller& caller);
void EndTaskgroup(const Caller& caller);
void RegisterTaskgroupReduction(uintptr_t* data);

// The events of one that libgomp makes by itself, and whose tasks are done when it comes back.
void ReportTaskgroupStart(const Caller& caller);
void ReportTaskgroupEnd(const Caller& caller);

// The compiler's code that adds up the threads' private copies lies between the end of a taskgroup (or of a parallel
// region) that has reductions and the call that unregisters them.
void BeginReduction(const Caller& caller);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_TASKGROUP_H_
