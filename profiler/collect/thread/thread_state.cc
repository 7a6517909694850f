#include "profiler/collect/thread/thread_state.h"

#include <new>

#include "profiler/collect/base/os.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {

__thread ThreadState* this_thread __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

std::atomic<ThreadState*> first_thread{nullptr};
std::atomic<uint32_t> trees{0};

// Their states take some 10 MB, and count with 30 MB for --max-memory.
constexpr uint32_t kManyEnded = 128;
std::atomic<uint32_t> ended{0};  // since RemoveDrainedThreads

// States of threads that have ended. A lock is right here: it is held for a few instructions, or by the writer for one
// pass through the list. The handler never takes it.
std::atomic<uint32_t> free_locked{0};
ThreadState* free_threads = nullptr;

class FreeListLock {
 public:
  // False: another thread has the lock, and a signal handler may have interrupted that thread.
  static bool Try() { return free_locked.exchange(1, std::memory_order_acquire) == 0; }
  static void Release() { free_locked.store(0, std::memory_order_release); }
  FreeListLock() {
    while (free_locked.exchange(1, std::memory_order_acquire) != 0) FutexWait(&free_locked, 1, 50000);
  }
  ~FreeListLock() { Release(); }
};

// Twice the number of samples that arrive while the writer sleeps. Twice as many again for a timeline, because a wait
// that spins may make three entries in a period.
uint32_t RingSlots() {
  const double per_round = session.config.frequency * (session.config.flush_interval_ns * 1e-9);
  uint32_t slots = 256;
  while (slots < per_round * (session.config.timeline ? 4 : 2) && slots < 65536) slots *= 2;
  return slots;
}

// The pieces of one mapping, each at a line of the processor's cache. A program may have thousands of threads, so a
// thread's start takes one system call for all of them, and few pages.
class Pieces {
 public:
  static size_t Size(size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }
  explicit Pieces(void* memory) : at_(static_cast<char*>(memory)) {}
  template <typename T>
  T* Take(size_t bytes = sizeof(T)) {
    char* const piece = at_;
    at_ += Size(bytes);
    return reinterpret_cast<T*>(piece);
  }

 private:
  static constexpr size_t kLine = 64;
  char* at_;
};

// Zeroed memory with all that belongs to a thread; null if the address space is full.
ThreadState* MapThread() {
  const uint32_t slots = RingSlots();
  const bool counts = session.counted_events != 0;
  const size_t path_bytes = PathBufferBytes(session.config.max_depth);
  void* const memory =
      MapFixed(Pieces::Size(sizeof(ThreadState)) + Pieces::Size(sizeof(RegionPool)) + Pieces::Size(sizeof(TreeSlot)) +
               Pieces::Size(session.unwinder->state_bytes) + Pieces::Size(path_bytes) +
               Pieces::Size(sizeof(Sample) * slots) + (counts ? Pieces::Size(sizeof(SampleCounts) * slots) : 0));
  if (memory == nullptr) return nullptr;
  Pieces pieces(memory);
  auto* const state = pieces.Take<ThreadState>();
  state->tasks.regions = pieces.Take<RegionPool>();
  state->paths.slot = pieces.Take<TreeSlot>();
  state->paths.slot->tree.Init(trees.fetch_add(1, std::memory_order_relaxed) + 1);
  state->paths.unwind_state = pieces.Take<char>(session.unwinder->state_bytes);
  InitPathBuffer(&state->paths.buffer, pieces.Take<char>(path_bytes), session.config.max_depth);
  auto* const samples = pieces.Take<Sample>(sizeof(Sample) * slots);
  state->paths.ring.Init(samples, slots, counts ? pieces.Take<SampleCounts>(sizeof(SampleCounts) * slots) : nullptr);
  return state;
}

// Clears the parts that a recycled state must not keep.
void ResetForNewThread(ThreadState* state) {
  state->identity.Reset();
  state->labels.Reset();
  state->sampler.Reset(session.source);
  state->placement.Reset();
  state->paths.Reset();
  state->tasks.Reset();
  state->waiting.Reset();
  state->blame.Reset();
  state->locks.Reset();
  state->devices.Reset();
  state->written.Reset();
  state->lifecycle.store(ThreadState::kLive, std::memory_order_release);
}

}  // namespace

ThreadState* AllocateThread() {
  ThreadState* state = nullptr;
  {
    const FreeListLock lock;
    state = free_threads;
    if (state != nullptr) free_threads = state->next;
  }
  if (state == nullptr) state = MapThread();
  if (state == nullptr) return nullptr;
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

bool EndThread(ThreadState* state) {
  state->lifecycle.store(ThreadState::kEnded, std::memory_order_release);
  return ended.fetch_add(1, std::memory_order_relaxed) + 1 == kManyEnded;
}

ThreadState* FirstThread() { return first_thread.load(std::memory_order_acquire); }

void RemoveDrainedThreads() {
  ended.store(0, std::memory_order_relaxed);
  // The writer waits for no thread of the program, because such a thread may wait for the writer in a signal handler.
  // The next round tries again.
  if (!FreeListLock::Try()) return;
  // Another thread may change the head, so the head stays until the next round. Behind it, the list belongs to the
  // writer.
  ThreadState* before = FirstThread();
  while (before != nullptr && before->next != nullptr) {
    ThreadState* thread = before->next;
    if (thread->lifecycle.load(std::memory_order_acquire) == ThreadState::kDrained) {
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
  ended.store(0, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
