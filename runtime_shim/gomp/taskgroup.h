// taskgroup, explicit or of a taskloop, and the reductions of its tasks.
#ifndef RUNTIME_SHIM_GOMP_TASKGROUP_H_
#define RUNTIME_SHIM_GOMP_TASKGROUP_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// Start and end of a taskgroup of the current task, including the calls into libgomp.
void StartTaskgroup(const Caller& caller);
void EndTaskgroup(const Caller& caller);
void RegisterTaskgroupReduction(uintptr_t* data);

// The events of a taskgroup that libgomp makes by itself. Its tasks are done when libgomp returns.
void ReportTaskgroupStart(const Caller& caller);
void ReportTaskgroupEnd(const Caller& caller);

// The compiler's code that adds up the threads' private copies. It lies between the end of a taskgroup (or of a
// parallel region) with reductions and the call that unregisters them.
void BeginReduction(const Caller& caller);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_TASKGROUP_H_
