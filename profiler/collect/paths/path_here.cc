#include "profiler/collect/paths/path_here.h"

#include <stdlib.h>

#include <atomic>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/paths/record_stack.h"
#include "profiler/collect/paths/walk_guard.h"
#include "profiler/collect/thread/phase.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/unwind/capture_context.h"

namespace ompprof::collect {
namespace {

// Makes the stack that was just put into the tree the thread's last known call path.
void RememberPlace(ThreadState* thread, const TaskView& view) {
  Sample* last = &thread->paths.last_sample;
  last->time_ns = session.config.timeline ? NowFor(thread) : 0;
  last->node = thread->paths.buffer.last_nodes[thread->paths.buffer.last_size - 1];
  last->state = view.state;
  last->wait_id = view.wait_id;
  last->splice = view.splice;
  last->region = view.region;
  last->phase = PhaseForSample(*thread, view.region);
}

// A handler of the program may jump out of the code in between. Then the collector's own handler ends it: `here` is an
// address in the code's frame.
void BeginBusy(ThreadState* thread, const void* here) {
  thread->sampler.busy_at = reinterpret_cast<uintptr_t>(here);
  thread->sampler.busy = Sampler::kBusy;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void EndBusy(ThreadState* thread) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread->sampler.busy = 0;
}

bool BeginWalk(ThreadState* thread) {
  if (!walk_guard.EnterWalk()) return false;
  thread->sampler.busy = Sampler::kWalking;
  return true;
}

void EndWalk(ThreadState* thread) {
  thread->sampler.busy = Sampler::kBusy;
  walk_guard.LeaveWalk();
}

// Puts the samples that came while the handler was kept out at the thread's present call path. There may be no next
// sample to carry them, and the last known path may be long ago.
void SettleCarried(ThreadState* thread) {
  while (thread->sampler.carried_count != 0) {
    Sample sample;
    BeginBusy(thread, &sample);
    if (BeginWalk(thread)) {
      ucontext_t context;
      CaptureContext(&context);
      TaskView view;
      if (RecordStack(thread, &context, &view) != 0) RememberPlace(thread, view);
      EndWalk(thread);
    }
    sample = thread->paths.last_sample;
    sample.weight = thread->sampler.carried_weight;
    sample.count = thread->sampler.carried_count;
    sample.kind = kSampled;
    sample.extra = 0;
    sample.time_ns = session.config.timeline ? NowFor(thread) : 0;
    // Each subtraction is one instruction: the handler may add more in between.
    __atomic_fetch_sub(&thread->sampler.carried_weight, sample.weight, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&thread->sampler.carried_count, sample.count, __ATOMIC_RELAXED);
    if (sample.node == 0 || !thread->paths.ring.Push(sample))
      thread->paths.lost[fields::kLostBusy].Add(sample.count, sample.weight);
    EndBusy(thread);
  }
}

// Excludes the thread's signal handler while other code uses the thread's own tree and path. entered() is false if they
// are in use already.
class BusyScope {
 public:
  explicit BusyScope(ThreadState* thread) : thread_(thread), entered_(thread->sampler.busy == 0) {
    if (entered_) BeginBusy(thread, this);
  }
  ~BusyScope() {
    if (!entered_) return;
    EndBusy(thread_);
    if (__builtin_expect(thread_->sampler.carried_count != 0, false)) SettleCarried(thread_);
  }
  bool entered() const { return entered_; }

 private:
  ThreadState* thread_;
  bool entered_;
};

}  // namespace

uint32_t PathHere(ThreadState* thread, TaskView* view) {
  const OwnFloatingPoint floating_point;
  const BusyScope scope(thread);
  if (!scope.entered() || !BeginWalk(thread)) return 0;
  ucontext_t context;
  CaptureContext(&context);
  const uint32_t node = RecordCallPath(thread, &context, view);
  if (node != 0) RememberPlace(thread, *view);
  EndWalk(thread);
  return node;
}

uint32_t PathOfEnd(ThreadState* thread, TaskView* view) {
  const OwnFloatingPoint floating_point;
  const uint32_t node = PathHere(thread, view);
  const PathBuffer& path = thread->paths.buffer;
  uint32_t at = path.last_size;
  while (at > 0 && path.last_nodes[at - 1] != node) --at;
  const auto begin = reinterpret_cast<uintptr_t>(&exit);
  for (uint32_t i = at; i > 0; --i) {
    // exit's code is little more than a call, so a return address in exit is near its beginning.
    if (KeyValue(path.last_keys[i - 1]) - begin < 64) return path.last_nodes[i - 1];
  }
  return node;
}

uint32_t LeafHere(ThreadState* thread, TaskView* view) {
  const OwnFloatingPoint floating_point;
  const BusyScope scope(thread);
  if (!scope.entered() || !BeginWalk(thread)) return 0;
  ucontext_t context;
  CaptureContext(&context);
  const uint32_t node = RecordStack(thread, &context, view);
  if (node != 0) RememberPlace(thread, *view);
  EndWalk(thread);
  return node;
}

uint64_t CallerHere(ThreadState* thread) {
  const OwnFloatingPoint floating_point;
  const BusyScope scope(thread);
  if (!scope.entered() || !BeginWalk(thread)) return 0;
  ucontext_t context;
  CaptureContext(&context);
  TaskView view;
  const uint32_t node = RecordCallPath(thread, &context, &view);
  uint64_t caller = 0;
  if (node != 0) {
    RememberPlace(thread, view);
    const PathBuffer& path = thread->paths.buffer;
    for (uint32_t i = path.last_size; i > 0 && caller == 0; --i) {
      if (path.last_nodes[i - 1] == node) caller = KeyValue(path.last_keys[i - 1]);
    }
  }
  EndWalk(thread);
  return caller;
}

uint32_t ImplicitTaskNode(ThreadState* thread, uint32_t node, uint64_t codeptr_ra) {
  const BusyScope scope(thread);
  if (!scope.entered()) return 0;
  return thread->paths.slot->tree.Child(node, MakeKey(codeptr_ra, fields::kNodeImplicitTask));
}

uint32_t CalledFunctionNode(ThreadState* thread, uint32_t node, uintptr_t function) {
  const BusyScope scope(thread);
  if (!scope.entered()) return 0;
  return thread->paths.slot->tree.Child(node, MakeKey(function, fields::kNodeFrame));
}

uint32_t FinishedTaskNode(ThreadState* thread, uint64_t codeptr_ra) {
  const BusyScope scope(thread);
  if (!scope.entered()) return 0;
  Tree* tree = &thread->paths.slot->tree;
  const uint32_t root = tree->Child(0, MakeKey(session.epoch.load(std::memory_order_relaxed), fields::kNodeRoot));
  return root != 0 ? tree->Child(root, MakeKey(codeptr_ra, fields::kNodeImplicitTask)) : 0;
}

bool PushFromCallback(ThreadState* thread, const Sample& row) {
  const BusyScope scope(thread);
  if (!scope.entered()) return false;
  Sample pushed = row;
  if (pushed.phase == 0) pushed.phase = PhaseForSample(*thread, row.region);
  return thread->paths.ring.Push(pushed);
}

}  // namespace ompprof::collect
