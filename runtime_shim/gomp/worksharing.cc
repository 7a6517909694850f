#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {

void BeginWork(Task* task, const Work& work) {
  EndWork(task, work.codeptr_ra);
  task->barrier_closes_work = false;
  task->work = work;
  if (work.kind == ompt_work_loop) task->loops_begun++;
  if (auto* callback = OMPT_CALLBACK(work))
    callback(work.kind, ompt_scope_begin, &task->parallel->data, &task->data, work.count, work.codeptr_ra);
}

Work LoopWork(bool up, uint64_t start, uint64_t end, uint64_t increment, const void* codeptr_ra) {
  Work work = CountedWork(ompt_work_loop, 0, codeptr_ra);
  work.first = start;
  work.down = !up;
  work.step = up ? increment : -increment;
  const uint64_t distance = up ? end - start : start - end;
  if (distance != 0) work.count = work.step == 1 ? distance : (distance - 1) / work.step + 1;
  return work;
}

}  // namespace gomp_ompt
