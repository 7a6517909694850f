#include "profiler/collect/thread_state.h"

#include <new>

#include "profiler/collect/os.h"
#include "profiler/collect/sampling/mapping_changes.h"
#include "profiler/collect/sampling/stack_walk.h"
#include "profiler/collect/session.h"

namespace ompprof::collect {

__thread ThreadState* this_thread __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

// Nodes a new tree has room for: the writer adds more long before they are used up.
constexpr uint32_t kFirstNodes = 1024;

std::atomic<ThreadState*> first_thread{nullptr};
std::atomic<uint32_t> trees{0};

// States of threads that have ended. A lock is right here: taken for a few instructions, or by the writer for a look
// through the list; never in the handler.
std::atomic<uint32_t> free_locked{0};
ThreadState* free_threads = nullptr;

class FreeListLock {
 public:
  // False: another thread has it, which a signal handler may have interrupted.
  static bool Try() { return free_locked.exchange(1, std::memory_order_acquire) == 0; }
  static void Release() { free_locked.store(0, std::memory_order_release); }
  FreeListLock() {
    while (free_locked.exchange(1, std::memory_order_acquire) != 0) FutexWait(&free_locked, 1, 50000);
  }
  ~FreeListLock() { Release(); }
};

// Samples that arrive while the writer sleeps, and as many again; for a timeline twice that, as a wait that is spun
// through may be three entries a period.
uint32_t RingSlots() {
  const double per_round = session.config.frequency * (session.config.flush_interval_ns * 1e-9);
  uint32_t slots = 256;
  while (slots < per_round * (session.config.timeline ? 4 : 2) && slots < 65536) slots *= 2;
  return slots;
}

// What a recycled state must not keep.
void ResetForNewThread(ThreadState* state) {
  state->kind.store(fields::thread::kKindUnknown, std::memory_order_relaxed);
  state->known_to = 0;
  state->worker_of = 0;
  state->helper = false;
  state->start_routine = nullptr;
  state->end_cpu_ns.store(0, std::memory_order_relaxed);
  state->stack_bytes = 0;
  state->last_sample = Sample();
  state->tail_weight = 0;
  state->intervals_lost.store(0, std::memory_order_relaxed);
  for (Sample& cut : state->cut_intervals) cut.time_ns = 0;
  state->mutex_kind = 0;
  state->label = 0;
  state->label_depth = 0;
  state->waits.CutTo(0);
  state->busy = 0;
  state->in_handler = 0;
  state->carried_weight = 0;
  state->carried_count = 0;
  state->armed = false;
  state->counted = false;
  state->source = session.source;
  state->pace.Reset();
  state->event_fd = -1;
  state->event_page.store(0, std::memory_order_relaxed);
  state->event_wanted.store(false, std::memory_order_relaxed);
  state->event_on = false;
  state->first_period = false;
  state->mask_state.store(0, std::memory_order_relaxed);
  state->mask_changes = 0;
  state->masked_ns.store(0, std::memory_order_relaxed);
  state->rough_clock = 0;
  state->suspect_mask = 0;
  state->credited = 0;
  state->path.known_root_size = 0;  // of another stack
  state->path.half_way = {};
  state->path.readable_stamp = MappingChanges::kUnknown;
  state->limits.Reset();
  if (state->region_stats != nullptr) state->region_stats->Clear();
  if (state->wait_stats != nullptr) state->wait_stats->Clear();
  if (state->work_stats != nullptr) state->work_stats->Clear();
  state->work = nullptr;
  for (auto& place : state->wait_places) place = nullptr;
  state->costs.Reset();
  state->task_depth = 0;
  state->waited_ns = 0;
  state->idle_since_ns = 0;
  state->waits_ended.store(false, std::memory_order_relaxed);
  state->blame_busy = 0;
  state->is_root = false;
  state->root_owed = -1;
  state->blamed_until_ns = 0;
  state->due_ns = 0;
  state->blamed_sample_ns = 0;
  state->worked_ns = 0;
  state->package = 0;
  state->socket_moves = 0;
  state->lock_wait_ns = 1000000000;
  state->ticket = {};
  state->quick_place = nullptr;
  state->lock_region = 0;
  for (ThreadState::HeldLock& held : state->held) held = {};
  for (ThreadState::HotLock& hot : state->hot_locks) hot = {};
  for (LostCounter& counter : state->lost) {
    counter.samples.store(0, std::memory_order_relaxed);
    counter.weight.store(0, std::memory_order_relaxed);
  }
  for (auto& counter : state->events) counter.store(0, std::memory_order_relaxed);
  state->announced = false;
  state->end_announced = false;
  state->phase.store(ThreadState::kLive, std::memory_order_release);
}

}  // namespace

ThreadState* AllocateThread() {
  ThreadState* state = nullptr;
  {
    const FreeListLock lock;
    state = free_threads;
    if (state != nullptr) free_threads = state->next;
  }
  if (state == nullptr) {
    const size_t path_bytes = PathBufferBytes(session.config.max_depth);
    const uint32_t slots = RingSlots();
    state = static_cast<ThreadState*>(MapFixed(sizeof(ThreadState)));
    auto* slot = static_cast<TreeSlot*>(MapFixed(sizeof(TreeSlot)));
    auto* regions = static_cast<RegionPool*>(MapFixed(sizeof(RegionPool)));
    auto* ring = static_cast<Sample*>(MapFixed(sizeof(Sample) * slots));
    void* path = MapFixed(path_bytes);
    void* unwind = MapFixed(session.unwinder->state_bytes);
    if (state == nullptr || slot == nullptr || regions == nullptr || ring == nullptr || path == nullptr ||
        unwind == nullptr) {
      // The address space is full; what little was had is not worth a second path.
      return nullptr;
    }
    slot->tree.Init(trees.fetch_add(1, std::memory_order_relaxed) + 1);
    slot->tree.Refill(kFirstNodes);
    state->slot = slot;
    state->regions = regions;
    state->ring.Init(ring, slots);
    InitPathBuffer(&state->path, path, session.config.max_depth);
    state->unwind_state = unwind;
  }
  ResetForNewThread(state);
  return state;
}

void FreeThread(ThreadState* state) {
  const FreeListLock lock;
  state->next = free_threads;
  free_threads = state;
}

void PublishThread(ThreadState* state) {
  ThreadState* head = first_thread.load(std::memory_order_relaxed);
  do {
    state->next = head;
  } while (!first_thread.compare_exchange_weak(head, state, std::memory_order_release, std::memory_order_relaxed));
}

ThreadState* FirstThread() { return first_thread.load(std::memory_order_acquire); }

void RemoveDrainedThreads() {
  // The writer waits for no thread of the program, which may be waiting for it in a signal handler: next time, then.
  if (!FreeListLock::Try()) return;
  // The head may change under us and stays until the next round; behind it the list is the writer's.
  ThreadState* before = FirstThread();
  while (before != nullptr && before->next != nullptr) {
    ThreadState* thread = before->next;
    if (thread->phase.load(std::memory_order_acquire) == ThreadState::kDrained) {
      before->next = thread->next;
      thread->next = free_threads;
      free_threads = thread;
    } else {
      before = thread;
    }
  }
  FreeListLock::Release();
}

void ForgetAllThreads() {
  first_thread.store(nullptr, std::memory_order_relaxed);
  free_threads = nullptr;
  free_locked.store(0, std::memory_order_relaxed);
  trees.store(0, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
