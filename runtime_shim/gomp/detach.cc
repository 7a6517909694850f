#include "runtime_shim/gomp/detach.h"

#include <pthread.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/task_dependence.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_fulfill_event, void(uintptr_t));
DECLARE_REAL(omp_fulfill_event_, void(uintptr_t));

constexpr unsigned kBuckets = 256;
Task* table[kBuckets];  // chained by Task::next
std::atomic<bool> locked{false};

class Locked {
 public:
  Locked() {
    while (locked.exchange(true, std::memory_order_acquire)) __builtin_ia32_pause();
  }
  ~Locked() { locked.store(false, std::memory_order_release); }
  Locked(const Locked&) = delete;
};

Task*& Bucket(uintptr_t event) { return table[event / 64 % kBuckets]; }

// Removes the task that waits for `event`; NULL if there is none. With the lock held.
Task* Remove(uintptr_t event) {
  for (Task** link = &Bucket(event); *link != nullptr; link = &(*link)->next) {
    Task* task = *link;
    if (task->event != event) continue;
    *link = task->next;
    return task;
  }
  return nullptr;
}

// Called in a forked child: the table belongs to the parent's tool.
void ForgetEventsAfterFork() {
  for (Task*& bucket : table) bucket = nullptr;
  locked.store(false, std::memory_order_relaxed);
}

// Waits while another thread reports an event of the task. Called with the lock held, which is released meanwhile.
void Await(const Task* task, DetachProgress passing) {
  while (task->progress == passing) {
    locked.store(false, std::memory_order_release);
    __builtin_ia32_pause();
    while (locked.exchange(true, std::memory_order_acquire)) __builtin_ia32_pause();
  }
}

// Reports the fulfillment. This happens before libgomp is told, because libgomp may then wake threads that waited for
// the task.
void Fulfill(uintptr_t event) {
  Task* task = nullptr;
  bool is_late = false;
  {
    Locked lock;
    task = Remove(event);
    if (task == nullptr) return;  // created before the tool came, or an error that libgomp will report
    Await(task, DetachProgress::kEnding);
    is_late = task->progress == DetachProgress::kEnded;
    task->progress = DetachProgress::kFulfilling;
  }
  if (is_late) EndsAsPredecessor(task);
  if (auto* callback = OMPT_CALLBACK(task_schedule))
    callback(&task->data, is_late ? ompt_task_late_fulfill : ompt_task_early_fulfill, nullptr);
  if (is_late) return FreeTask(this_thread, task);
  Locked lock;
  task->progress = DetachProgress::kFulfilled;
}

}  // namespace

void AwaitEvent(Task* task, uintptr_t event) {
  task->event = event;
  Locked lock;
  static bool is_registered = false;
  if (!is_registered) pthread_atfork(nullptr, nullptr, ForgetEventsAfterFork);
  is_registered = true;
  Task*& bucket = Bucket(event);
  task->next = bucket;
  bucket = task;
}

bool CodeIsEnding(Task* task) {
  Locked lock;
  Await(task, DetachProgress::kFulfilling);
  if (task->progress == DetachProgress::kFulfilled) return true;
  task->progress = DetachProgress::kEnding;
  return false;
}

bool CodeHasEnded(Task* task) {
  Locked lock;
  Await(task, DetachProgress::kFulfilling);
  if (task->progress == DetachProgress::kFulfilled) return true;
  task->progress = DetachProgress::kEnded;
  return false;
}

void AbandonEvent(Task* task) {
  {
    Locked lock;
    if (Remove(task->event) == nullptr) return;  // already fulfilled
  }
  REAL(omp_fulfill_event)(task->event);
}

void UnlockEventsAfterFork() { locked.store(false, std::memory_order_relaxed); }

EXPORTED void omp_fulfill_event(uintptr_t event) {
  if (Tracing()) Fulfill(event);
  REAL(omp_fulfill_event)(event);
}

EXPORTED void omp_fulfill_event_(uintptr_t event) {
  if (Tracing()) Fulfill(event);
  REAL(omp_fulfill_event_)(event);
}

}  // namespace gomp_ompt
