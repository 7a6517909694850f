#include "runtime_shim/ompt/activation.h"

#include <linux/futex.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/runtime_queries.h"
#include "runtime_shim/ompt/task_dependence.h"
#include "runtime_shim/ompt/thread.h"
#include "scripts/bazel/libc_floor/library.h"

namespace gomp_ompt {

RuntimeQueries runtime_queries;
std::atomic<int> known_devices{0};

namespace {

enum Phase : uint32_t { kNotStarted, kStarting, kStarted, kEnding };

std::atomic<uint32_t> phase{kNotStarted};
std::atomic<int> busy_thread{0};    // the thread that runs the tool's initializer or finalizer
std::atomic<int> timer_slack_mark;  // timer slack of the threads that the initializer made
std::atomic<ompt_start_tool_result_t*> tool{nullptr};
bool is_forked_child = false;
bool may_have_dead_workers = false;  // a pool may have only the parent's threads: a wait for them never ends

// Longer than any initializer or finalizer needs. Without a limit, a tool could hang the program: it may wait in its
// initializer for a lock of the waiting thread. An example is the loader's lock, when a library's constructor runs a
// region.
constexpr time_t kPatienceSeconds = 10;

int ThreadId() { return static_cast<int>(syscall(SYS_gettid)); }

void LeavePhase() {
  phase.store(kStarted, std::memory_order_release);
  syscall(SYS_futex, &phase, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

void WaitWhile(Phase current) {
  timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += kPatienceSeconds;
  while (phase.load(std::memory_order_acquire) == current) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > end.tv_sec) return;
    const timespec wait = {1, 0};
    syscall(SYS_futex, &phase, FUTEX_WAIT_PRIVATE, current, &wait, nullptr, 0);
  }
}

// A new thread inherits its maker's timer slack. While the initializer runs, the timer slack of its thread is one
// nanosecond longer, and so is the timer slack of each thread that it makes. Such a thread must not wait for the
// initializer: if the initializer waits for the thread, both would deadlock.
void MarkNewThreads() {
  const int slack = prctl(PR_GET_TIMERSLACK);
  timer_slack_mark.store(slack > 0 ? slack + 1 : 0);
  if (slack > 0) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(slack) + 1);
}

void UnmarkNewThreads() {
  const int mark = timer_slack_mark.load();
  if (mark > 0) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(mark) - 1);
}

bool IsOfInitializer() {
  const int mark = timer_slack_mark.load();
  return busy_thread.load() == ThreadId() || (mark > 0 && prctl(PR_GET_TIMERSLACK) == mark);
}

bool IsActive() { return tool_mode.load(std::memory_order_acquire) == Mode::kOn; }

void AtExit() {
  const auto end_workers = runtime_queries.end_workers.load(std::memory_order_relaxed);
  if (tool.load() != nullptr && !may_have_dead_workers) {
    if (end_workers != nullptr) end_workers();
    if (IsOutsideRegions(this_thread)) AwaitExpectedEnds();
  }
  FinalizeTool();
  // Another thread may be in the tool's finalizer. The process's end waits for it.
  if (phase.load() == kEnding && busy_thread.load() != ThreadId()) WaitWhile(kEnding);
}

// While the tool starts, regions wait, except those of its initializer.
bool SawAllRegions() {
  switch (phase.load()) {
    case kNotStarted:
      return true;
    case kStarting:
      return !IsOfInitializer();
    default:
      return (tool_epoch.load() & 1) != 0;
  }
}

void InForkedChild() {
  is_forked_child = true;
  if (!SawAllRegions() || this_thread.has_run_region) may_have_dead_workers = true;
  ForgetCallbacks();
  tool.store(nullptr);
  if ((tool_epoch.load() & 1) != 0) tool_epoch.fetch_add(1);
  FreeList<Task>::UnlockAfterFork();
  FreeList<Parallel>::UnlockAfterFork();
  FreeList<Target>::UnlockAfterFork();
  ForgetDependencesAfterFork();
  ForgetExpectedEnds();
  phase.store(kNotStarted);
  SetMode(Mode::kUndecided);
}

// The log is closed before the initializer runs.
ompt_start_tool_result_t* Search(const void* caller, const ShimParts& parts) {
  const ToolKinds kinds = parts.kinds();
  SearchLog log(is_forked_child);
  return FindTool(caller, parts.is_linked(), {runtime_queries.omp_version, runtime_queries.version_text}, kinds, log);
}

bool Start(const void* caller, const ShimParts& parts) {
  ompt_start_tool_result_t* found = Search(caller, parts);
  if (found == nullptr) return false;
  tool_epoch.fetch_add(1);
  tool.store(found);
  MarkNewThreads();
  // Devices are not counted for this call (runtime_queries.h). The number is omp_get_initial_device's answer where
  // there are no devices.
  const int is_wanted = found->initialize(parts.lookup, known_devices.load(), &found->tool_data);
  UnmarkNewThreads();
  if (tool.load() == nullptr) return false;  // its own initializer has finalized it
  if (is_wanted != 0) return true;
  tool.store(nullptr);
  tool_epoch.fetch_add(1);
  ForgetCallbacks();
  return false;
}

}  // namespace

bool ActivateTool(const void* caller, const ShimParts& parts) {
  uint32_t not_started = kNotStarted;
  if (!phase.compare_exchange_strong(not_started, kStarting)) {
    if (phase.load() == kStarting) {
      if (IsOfInitializer()) return false;
      WaitWhile(kStarting);
    }
    return IsActive();
  }
  BindCallsToLibc();  // a constructor of another library may come here before ours
  busy_thread.store(ThreadId());
  timer_slack_mark.store(0);
  static bool has_handlers = false;
  if (!has_handlers) {
    has_handlers = true;
    pthread_atfork(nullptr, nullptr, InForkedChild);
    WatchThreadExits();
  }
  parts.find_queries();
  const bool is_active = Start(caller, parts);
  static bool has_exit_handler = false;
  if (is_active && !has_exit_handler) {
    has_exit_handler = true;
    atexit(AtExit);
  }
  SetMode(is_active ? Mode::kOn : Mode::kOff);
  LeavePhase();
  return is_active;
}

void FinalizeTool() {
  ompt_start_tool_result_t* ending = tool.exchange(nullptr);
  if (ending == nullptr) return;
  const uint32_t outer = phase.load();
  if (outer == kStarted) {
    busy_thread.store(ThreadId());
    phase.store(kEnding);
  }
  ReportThreadEnd(this_thread);
  SetMode(Mode::kOff);
  ForgetCallbacks();
  tool_epoch.fetch_add(1);
  if (ending->finalize != nullptr) ending->finalize(&ending->tool_data);
  if (outer == kStarted) LeavePhase();
}

}  // namespace gomp_ompt
