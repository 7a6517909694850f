// The first steps of every wrapper on the way into the runtime. They find out whether there is a tool, which thread
// calls, where the user's stack ends, and what the thread waits for.
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

#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/thread.h"
#include "runtime_shim/ompt/tool_state.h"

// Exports a function in the version that entry_points.txt has for it.
#define EXPORTED extern "C" __attribute__((visibility("default")))

// The user's call: its return address (OMPT's codeptr_ra), and the frame of the wrapper. The user's frames lie above
// this frame. To be used only in the wrapper itself, not in a function that the wrapper calls.
#define CALLER() (::gomp_ompt::Caller{__builtin_return_address(0), __builtin_frame_address(0)})

namespace gomp_ompt {

struct Caller {
  const void* codeptr_ra;
  void* frame;
};

// The part of Tracing() for threads that the tool does not know yet. `frame` is the wrapper's frame.
bool TracingNewcomer(const void* frame);

// The first half of Tracing() alone, for a wrapper with arguments that is called often (see also jump_stub.h):
//   if (ToolIsOff()) return REAL(omp_init_lock)(lock);
//   return TracedInit(lock, CALLER());  // not inlined; asks Tracing()
// With Tracing() itself, the arguments would have to outlive its rare calls, and registers would be saved before the
// test. Measured without a tool: 0.3 ns a call instead of 0.7.
inline bool ToolIsOff() { return __builtin_expect(tool_mode.load(std::memory_order_relaxed) == Mode::kOff, true); }

// A tool is active for every caller, and knows the calling thread.
inline bool IsKnownForAll() { return this_thread.epoch == epoch_for_all.load(std::memory_order_acquire); }

// True if a tool must hear of this call. Afterwards the tool knows `this_thread`.
inline bool Tracing() {
  if (ToolIsOff()) return false;
  return __builtin_expect(IsKnownForAll(), true) || TracingNewcomer(__builtin_frame_address(0));
}

// Until the end of the scope, the current task is inside the runtime, called from `caller`.
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

// Until the end of the scope, the calling thread is in this state.
class InState {
 public:
  explicit InState(ompt_state_t state) : outer_(this_thread.state) { this_thread.state = state; }
  ~InState() { this_thread.state = outer_; }
  InState(const InState&) = delete;

 private:
  const ompt_state_t outer_;
};

// InState for the states with a wait id, the waits for a mutex. A thread in such a state runs no code of the program.
// So these states do not nest, and the id is 0 everywhere else, unless a signal handler of the program has jumped out
// of such a wait. Then the thread works.
class WaitingFor {
 public:
  WaitingFor(ompt_state_t state, ompt_wait_id_t wait_id)
      : outer_(this_thread.wait_id == 0 ? this_thread.state : WorkState(this_thread.current)) {
    this_thread.wait_id = wait_id;
    this_thread.state = state;
  }
  ~WaitingFor() {
    this_thread.state = outer_;
    this_thread.wait_id = 0;
  }
  WaitingFor(const WaitingFor&) = delete;

 private:
  const ompt_state_t outer_;
};

// Until the end of the scope, the waits of the calling thread are of this kind.
class InWaitDetail {
 public:
  explicit InWaitDetail(WaitDetail detail) : outer_(this_thread.wait_detail) { this_thread.wait_detail = detail; }
  ~InWaitDetail() { this_thread.wait_detail = outer_; }
  InWaitDetail(const InWaitDetail&) = delete;

 private:
  const WaitDetail outer_;
};

// The whole wrapper if nobody listens to its events. It keeps only the data that a sampling tool can see.
template <class Call>
inline __attribute__((always_inline)) auto CallUnheard(ompt_state_t state, const Caller& caller, Call call) {
  InRuntime in_runtime(caller);
  InState in_state(state);
  return call();
}

inline constexpr uint64_t kSyncEvents = EventBits(ompt_callback_sync_region, ompt_callback_sync_region_wait);

// A synchronization region of the current task that waits for its whole length. It reports sync_region and
// sync_region_wait, begin and end, and sets the state.
class Synchronizing {
 public:
  Synchronizing(ompt_sync_region_t kind, ompt_state_t state, const Caller& caller)
      : task_(this_thread.current), kind_(kind), codeptr_ra_(caller.codeptr_ra), state_(state) {
    Report(ompt_scope_begin);
  }
  ~Synchronizing() { Report(ompt_scope_end); }
  Synchronizing(const Synchronizing&) = delete;

 private:
  void Report(ompt_scope_endpoint_t endpoint) {
    if (!AnyRegistered(kSyncEvents)) return;
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
