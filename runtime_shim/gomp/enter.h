// What every wrapper does on the way into the runtime: is there a tool, who am I, where does the user's stack end, what
// am I waiting for.
//
//   EXPORTED void GOMP_barrier() {
//     if (!Tracing()) return REAL(GOMP_barrier)();
//     const Caller caller = CALLER();
//     InRuntime in_runtime(caller);
//     Waiting waiting(...);
//     REAL(GOMP_barrier)();
//   }
#ifndef RUNTIME_SHIM_GOMP_ENTER_H_
#define RUNTIME_SHIM_GOMP_ENTER_H_

#include "runtime_shim/ompt/activation.h"
#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/thread.h"

// In the version that exported.lds gives it.
#define EXPORTED extern "C" __attribute__((visibility("default")))

// The user's call: its return address (OMPT's codeptr_ra) and the frame of the wrapper, above which the user's frames
// lie. Only in the wrapper itself, not in a function that it calls.
#define CALLER() (::gomp_ompt::Caller{__builtin_return_address(0), __builtin_frame_address(0)})

namespace gomp_ompt {

struct Caller {
  const void* codeptr_ra;
  void* frame;
};

// Tracing() while it is undecided whether there is a tool, or the runtimes are each library's own: true if the caller's
// runtime is libgomp and a tool is active.
bool TracingCaller(const void* frame);

// The first half of Tracing() by itself, for a wrapper with arguments that is called often:
//   if (ToolIsOff()) return REAL(omp_set_lock)(lock);
//   return TracedSet(lock, CALLER());  // not inlined; asks Tracing()
// The arguments would have to outlive Tracing()'s rare calls, and the registers for that are saved before the test.
// Measured without a tool: 0.3 ns a call instead of 0.7.
inline bool ToolIsOff() { return __builtin_expect(tool_mode.load(std::memory_order_relaxed) == Mode::kOff, true); }

// True if a tool is to hear of this call. Afterwards `this_thread` is known to the tool.
inline bool Tracing() {
  const Mode mode = tool_mode.load(std::memory_order_acquire);  // what another thread's activation found is seen too
  if (__builtin_expect(mode == Mode::kOff, true)) return false;
  if (__builtin_expect(mode != Mode::kOn, false) && !TracingCaller(__builtin_frame_address(0))) return false;
  Thread& thread = this_thread;
  if (__builtin_expect(thread.epoch != ToolEpoch() || thread.kind == 0, false))
    BeginThread(thread, ompt_thread_initial);
  return true;
}

// The current task is inside the runtime, called from `caller`, until the end of the scope.
class InRuntime {
 public:
  explicit InRuntime(const Caller& caller) : task_(this_thread.current), outer_(task_->frame.enter_frame) {
    task_->frame.enter_frame.ptr = caller.frame;
  }
  ~InRuntime() { task_->frame.enter_frame = outer_; }
  InRuntime(const InRuntime&) = delete;

 private:
  Task* const task_;
  const ompt_data_t outer_;
};

// The calling thread is in a state until the end of the scope.
class InState {
 public:
  InState(ompt_state_t state, ompt_wait_id_t wait_id) : outer_(this_thread.state), outer_wait_id_(this_thread.wait_id) {
    this_thread.wait_id = wait_id;
    this_thread.state = state;
  }
  ~InState() {
    this_thread.state = outer_;
    this_thread.wait_id = outer_wait_id_;
  }
  InState(const InState&) = delete;

 private:
  const ompt_state_t outer_;
  const ompt_wait_id_t outer_wait_id_;
};

// The calling thread does the runtime's work, without waiting, until the end of the scope. What InState does with
// ompt_state_overhead, but for the wait id, which no one reads in this state: a loop asks for its chunks at 7 ns each.
class InOverhead {
 public:
  InOverhead() : outer_(this_thread.state) { this_thread.state = ompt_state_overhead; }
  ~InOverhead() { this_thread.state = outer_; }
  InOverhead(const InOverhead&) = delete;

 private:
  const ompt_state_t outer_;
};

// A synchronization region of the current task that waits all its length: sync_region and sync_region_wait, begin and
// end, and the state.
class Synchronizing {
 public:
  Synchronizing(ompt_sync_region_t kind, ompt_state_t state, const Caller& caller)
      : task_(this_thread.current), kind_(kind), codeptr_ra_(caller.codeptr_ra), state_(state, 0) {
    Report(ompt_scope_begin);
  }
  ~Synchronizing() { Report(ompt_scope_end); }
  Synchronizing(const Synchronizing&) = delete;

 private:
  void Report(ompt_scope_endpoint_t endpoint) {
    auto* region = OMPT_CALLBACK_AS(sync_region, ompt_callback_sync_region_t);
    auto* wait = OMPT_CALLBACK_AS(sync_region_wait, ompt_callback_sync_region_t);
    ompt_data_t* parallel_data = &task_->parallel->data;
    if (endpoint == ompt_scope_begin && region != nullptr)
      region(kind_, endpoint, parallel_data, &task_->data, codeptr_ra_);
    if (wait != nullptr) wait(kind_, endpoint, parallel_data, &task_->data, codeptr_ra_);
    if (endpoint == ompt_scope_end && region != nullptr)
      region(kind_, endpoint, parallel_data, &task_->data, codeptr_ra_);
  }

  Task* const task_;
  const ompt_sync_region_t kind_;
  const void* const codeptr_ra_;
  const InState state_;
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_ENTER_H_
