// Finds out which tasks a new task must wait for (task_dependence). libgomp matches dependences inside, so the shim
// matches them too, by the rules of OpenMP 5.1, 2.19.11: by the task that creates them, and by the address.
//
// Used only while a tool has registered task_dependence. A lock protects everything here. Tasks without dependences
// never take it. Not async-signal-safe.
#ifndef RUNTIME_SHIM_OMPT_TASK_DEPENDENCE_H_
#define RUNTIME_SHIM_OMPT_TASK_DEPENDENCE_H_

#include <omp-tools.h>

#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {

// `task`, which `parent` creates, has these dependences. Calls `report` for each earlier task that it depends on and
// that has not ended, once for each address that they have in common. While `report` runs, the earlier task does not
// end.
void MatchDependences(Task* parent, Task* task, const ompt_dependence_t* dependences, unsigned count,
                      ompt_callback_task_dependence_t report);

// The task ends, so no later task depends on it. Called before the tool hears of the end.
void EndAsPredecessor(Task* task);
inline void EndsAsPredecessor(Task* task) {
  if (__builtin_expect(task->dependence_roles != 0, false)) EndAsPredecessor(task);
}

// The record is about to serve another task: forgets the task in both roles.
void ForgetDependences(Task* task);

// Called in the child of a fork: another thread may have held the lock.
void ForgetDependencesAfterFork();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_TASK_DEPENDENCE_H_
