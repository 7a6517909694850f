#include "runtime_shim/gomp/device_target.h"

#include <pthread.h>
#include <stdlib.h>

#include "runtime_shim/gomp/map_clauses.h"
#include "runtime_shim/gomp/order.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/task_dependence.h"

namespace gomp_ompt {

std::atomic<unsigned> deferred_targets{0};

namespace {

DECLARE_REAL(omp_get_default_device, int());
DECLARE_REAL(omp_set_default_device, void(int));

// Values of the control variable that name a record. No program has a billion devices.
constexpr int kTagBase = 1 << 30;

// The records by their tags, in chunks: at most a million at once.
constexpr uint32_t kChunk = 1024;
std::atomic<std::atomic<Target*>*> chunks[kChunk];
std::atomic<uint32_t> last_tag{0};

std::atomic<Target*>* ChunkOf(uint32_t tag) {
  std::atomic<std::atomic<Target*>*>& entry = chunks[tag / kChunk];
  std::atomic<Target*>* chunk = entry.load(std::memory_order_acquire);
  if (chunk != nullptr) return chunk;
  auto* fresh = static_cast<std::atomic<Target*>*>(calloc(kChunk, sizeof(std::atomic<Target*>)));
  if (fresh == nullptr) OutOfMemory();
  if (entry.compare_exchange_strong(chunk, fresh, std::memory_order_acq_rel)) return fresh;
  free(fresh);
  return chunk;
}

// 0 if there are too many records.
uint32_t TagOf(Target* target) {
  if (target->tag != 0) return target->tag;
  const uint32_t tag = last_tag.fetch_add(1) + 1;
  if (tag >= kChunk * kChunk) return 0;
  ChunkOf(tag)[tag % kChunk].store(target, std::memory_order_release);
  return target->tag = tag;
}

// The region of the thread's last operation, since its last construct. Only compared: the region may have ended.
__thread const Target* last_worked_for;

std::atomic<bool> is_locked{false};
Target* deferred = nullptr;  // newest first

void Lock() {
  while (is_locked.exchange(true, std::memory_order_acquire)) __builtin_ia32_pause();
}
void Unlock() { is_locked.store(false, std::memory_order_release); }

void Forget(Target* target) {
  Lock();
  for (Target** at = &deferred; *at != nullptr; at = &(*at)->next_pending)
    if (*at == target) {
      *at = target->next_pending;
      deferred_targets.fetch_sub(1, std::memory_order_relaxed);
      break;
    }
  Unlock();
}

// The target task replaces the thread's current task.
void Enter(Thread& thread, Target* target) {
  if (thread.current == target->task) return;
  target->outer_state = thread.state;
  if (!target->has_begun) {
    target->has_begun = true;
    BeginTargetTask(thread, target);
  } else {
    ResumeTargetTask(thread, target);
  }
  thread.state = target->state;
}

void Leave(Thread& thread, Target* target) {
  const ompt_state_t outer_state = target->outer_state;
  SuspendTargetTask(thread, target);
  thread.state = outer_state;
}

void End(Thread& thread, Target* target) {
  Enter(thread, target);
  const ompt_state_t outer_state = target->outer_state;
  ReportMaps(target);
  ForgetMapClauses(target);
  EndTargetTask(thread, target);
  thread.state = outer_state;
}

// libgomp has discarded the target task with its region or taskgroup: it was created and is never scheduled.
void Drop(Thread& thread, Target* target) {
  ForgetMapClauses(target);
  EndsAsPredecessor(target->task);
  FreeTask(thread, target->task);
  FreeTarget(thread, target);
}

// The child of a fork has none of the parent's tasks, and another thread may have held the lock.
void ForgetAfterFork() {
  is_locked.store(false, std::memory_order_relaxed);
  deferred = nullptr;
  deferred_targets.store(0, std::memory_order_relaxed);
}

void WatchForks() {
  static std::atomic<bool> is_watching{false};
  if (!is_watching.exchange(true)) pthread_atfork(nullptr, nullptr, ForgetAfterFork);
}

bool IsDone(const Target* target, ompt_sync_region_t kind, const Task* task) {
  if (target->epoch != ToolEpoch()) return false;
  switch (kind) {
    case ompt_sync_region_taskwait:
      return target->generator == task;
    case ompt_sync_region_taskgroup:
      // One that libgomp has nothing to unmap for. Others may have begun before the taskgroup.
      return target->generator == task && target->is_launched && target->block == nullptr;
    case ompt_sync_region_barrier_implicit_parallel:
      return target->region == task->parallel;
    default:
      // The other threads may have passed the barrier, and have made regions since.
      return target->region == task->parallel && target->maker == &this_thread;
  }
}

void EndOfInitialTask(Thread& thread) { FinishDeferredSlowly(thread, ompt_sync_region_taskwait, thread.current); }

}  // namespace

WorkingFor::WorkingFor(Target* target) : outer_(REAL(omp_get_default_device)()) {
  const uint32_t tag = TagOf(target);
  if (tag != 0) REAL(omp_set_default_device)(kTagBase + static_cast<int>(tag));
}

WorkingFor::~WorkingFor() { REAL(omp_set_default_device)(outer_); }

Target* WorkedFor() {
  const int value = REAL(omp_get_default_device)();
  if (value <= kTagBase) return nullptr;
  const auto tag = static_cast<uint32_t>(value - kTagBase);
  std::atomic<Target*>* chunk = tag < kChunk * kChunk ? chunks[tag / kChunk].load(std::memory_order_acquire) : nullptr;
  Target* target = chunk != nullptr ? chunk[tag % kChunk].load(std::memory_order_acquire) : nullptr;
  return target != nullptr && target->epoch == ToolEpoch() ? target : nullptr;
}

void ExpectOnDevice(Target* target, bool is_deferred, ompt_state_t state, Task* generator) {
  last_worked_for = nullptr;
  target->is_deferred = is_deferred;
  target->state = state;
  if (!is_deferred) return;
  target->generator = generator;
  target->maker = &this_thread;
  target->region = generator->parallel;
  WatchForks();
  runtime_queries.end_targets.store(EndOfInitialTask, std::memory_order_relaxed);
  KeepMapClauses(target);
  Lock();
  target->next_pending = deferred;
  deferred = target;
  deferred_targets.fetch_add(1, std::memory_order_relaxed);
  Unlock();
  Publish(target);
}

void BeginOperation(Thread& thread, Target* target) {
  if (target->task == nullptr) return;  // target data: no task of its own
  if (target->is_deferred) Receive(target);
  last_worked_for = target;
  Enter(thread, target);
}

void EndOperation(Thread& thread, Target* target, const void* freed) {
  if (target->task == nullptr || !target->is_deferred) return;
  if (freed != nullptr && target->is_launched && target->block == freed) {
    Forget(target);
    return End(thread, target);
  }
  const bool is_mapping = target->function != nullptr && !target->is_launched;
  if (!is_mapping) Leave(thread, target);
  Publish(target);
}

void LeaveLaunched(Thread& thread, Target* target) {
  Leave(thread, target);
  Publish(target);
}

void FinishOnDevice(Thread& thread, Target* target) { End(thread, target); }

void FinishIfBegun(Thread& thread, Target* target) {
  if (last_worked_for != target) return;
  Forget(target);
  End(thread, target);
}

void OrphanDeferredSlowly(const Task* task) {
  Lock();
  for (Target* target = deferred; target != nullptr; target = target->next_pending)
    if (target->generator == task) target->generator = nullptr;
  Unlock();
}

void FinishDeferredSlowly(Thread& thread, ompt_sync_region_t kind, Task* task) {
  if (task == nullptr || !IsKnown(thread)) return;
  Target* done = nullptr;
  Lock();
  for (Target** at = &deferred; *at != nullptr;) {
    Target* target = *at;
    if (!IsDone(target, kind, task)) {
      at = &target->next_pending;
      continue;
    }
    *at = target->next_pending;
    target->next_pending = done;  // the oldest becomes the first
    done = target;
    deferred_targets.fetch_sub(1, std::memory_order_relaxed);
  }
  Unlock();
  while (done != nullptr) {
    Target* target = done;
    done = target->next_pending;
    Receive(target);
    // A region with code begins before libgomp launches it.
    if (target->function != nullptr && !target->has_begun)
      Drop(thread, target);
    else
      End(thread, target);
  }
}

}  // namespace gomp_ompt
