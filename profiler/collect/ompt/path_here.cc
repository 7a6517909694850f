#include "profiler/collect/ompt/path_here.h"

#include <atomic>

#include "profiler/collect/sampling/take_sample.h"
#include "profiler/collect/sampling/walk_guard.h"
#include "profiler/collect/unwind/capture_context.h"

namespace ompprof::collect {
namespace {

// Excludes the thread's signal handler while the thread's own tree and path are used outside it. Not entered: false.
class BusyScope {
 public:
  explicit BusyScope(ThreadState* thread) : thread_(thread), entered_(thread->busy == 0) {
    if (entered_) thread_->busy = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~BusyScope() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (entered_) thread_->busy = 0;
  }
  bool entered() const { return entered_; }

 private:
  ThreadState* thread_;
  bool entered_;
};

}  // namespace

uint32_t PathHere(ThreadState* thread, TaskView* view) {
  const BusyScope scope(thread);
  if (!scope.entered() || !walk_guard.EnterWalk()) return 0;
  ucontext_t context;
  CaptureContext(&context);
  const uint32_t node = RecordCallPath(thread, &context, view);
  walk_guard.LeaveWalk();
  return node;
}

uint32_t LeafHere(ThreadState* thread, TaskView* view) {
  const BusyScope scope(thread);
  if (!scope.entered() || !walk_guard.EnterWalk()) return 0;
  ucontext_t context;
  CaptureContext(&context);
  const uint32_t node = RecordStack(thread, &context, view);
  walk_guard.LeaveWalk();
  return node;
}

uint32_t ImplicitTaskNode(ThreadState* thread, uint32_t node, uint64_t codeptr_ra) {
  const BusyScope scope(thread);
  if (!scope.entered()) return 0;
  return thread->slot->tree.Child(node, MakeKey(codeptr_ra, fields::kNodeImplicitTask));
}

bool PushFromCallback(ThreadState* thread, const Sample& row) {
  const BusyScope scope(thread);
  return scope.entered() && thread->ring.Push(row);
}

}  // namespace ompprof::collect
