// The waits that a thread is inside of and the tasks that it executes meanwhile, innermost last. Kept by the thread's
// own OMPT callbacks; the handler reads only which kind the innermost entry is.
//
// Every operation takes constant time, however deep the stack is: a task that waits for a task within it adds two
// entries, and a recursive search nests ten thousand of them.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STACK_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STACK_H_

#include <signal.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/os.h"
#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {

// A wait that a thread is inside of, or with state 0 a task that it executes. Times are CLOCK_MONOTONIC, or where waits
// are estimated those of the window clock.
struct OpenWait {
  uint64_t since_ns;   // 0: a task is executed meanwhile
  uint64_t waited_ns;  // before that task
  uint64_t codeptr_ra;
  uint64_t region_codeptr_ra;
  RegionRef region;
  uint32_t state;    // ompt_state_t
  uint8_t kind;      // ompt_sync_region_t; 0: a task that is executed
  bool at_end;       // of the region: the thread may hear of the wait's end late
  bool estimated;    // times are those of the window clock
  bool made_tasks;   // of a task that is executed: since its last taskwait it has made others, or may have
  bool nothing;      // of a taskwait: its task had made none, so there is nothing to wait for
  uint32_t windows;  // of that clock that had ended when it began
  // By the addresses of their data words.
  const void* task;    // that waits, or is executed
  const void* within;  // of one that is executed: the one that goes on after it
};

class WaitStack {
 public:
  // More entries than that are counted, not kept.
  static constexpr uint32_t kMost = 1u << 18;
  // How far from the innermost entry one is looked for. A runtime names another than the innermost where it has told
  // nothing of the end of those inside (untied tasks, cancelled tasks): these are few.
  static constexpr uint32_t kReach = 32;

  uint32_t depth() const { return depth_; }

  // The kind of the innermost entry; 0: there is none, it is a task, or it is not kept. Async-signal-safe.
  int kind() const { return kind_; }

  // Entry `index` from the outermost, 0 being the first; NULL if it is not kept.
  OpenWait* at(uint32_t index) {
    if (index >= depth_) return nullptr;
    return KeptAt(index);
  }
  // NULL if there is none, or it is not kept.
  OpenWait* Innermost() { return depth_ != 0 ? KeptAt(depth_ - 1) : nullptr; }
  const OpenWait* Innermost() const { return const_cast<WaitStack*>(this)->Innermost(); }

  // The same, NULL too if it is among the outermost `base`.
  const OpenWait* InnermostAbove(uint32_t base) { return depth_ > base ? KeptAt(depth_ - 1) : nullptr; }

  // Where the next entry goes; NULL if it cannot be kept. It counts from Push on. Next: zeroed.
  OpenWait* Room() {
    if (__builtin_expect(depth_ < kFirst, true)) return &first_[depth_];
    return depth_ < kMost && MakeRoom() ? KeptAt(depth_) : nullptr;
  }
  OpenWait* Next() {
    OpenWait* entry = Room();
    if (entry != nullptr) *entry = {};
    return entry;
  }
  void Push(uint8_t kind) {
    if (OpenWait* entry = KeptAt(depth_)) entry->kind = kind;
    ++depth_;
    // The handler sees the entry once it is complete.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    kind_ = kind;
  }

  // Takes the innermost entries away, so that `depth` are left.
  void CutTo(uint32_t depth) {
    if (depth > depth_) return;
    depth_ = depth;
    const OpenWait* innermost = Innermost();
    kind_ = innermost != nullptr ? innermost->kind : 0;
  }
  void Pop() {
    if (depth_ != 0) CutTo(depth_ - 1);
  }

  // How many entries there are up to the innermost that is of that task, be it its wait or its execution, and not among
  // the outermost `base`. 0: none within reach.
  uint32_t Find(bool wait, const void* task, uint32_t base) {
    uint32_t at = depth_;
    for (uint32_t looked = 0; at > base && looked < kReach; --at, ++looked) {
      const OpenWait* entry = KeptAt(at - 1);
      if (entry != nullptr && (entry->state != 0) == wait && entry->task == task) return at;
    }
    return 0;
  }

 private:
  // Blocks are mapped when they are first needed, and stay with the thread's memory.
  static constexpr uint32_t kFirst = 64;
  static constexpr uint32_t kBlock = 512;

  OpenWait* KeptAt(uint32_t index) {
    if (index < kFirst) return &first_[index];
    if (index >= kMost) return nullptr;
    OpenWait* block = blocks_[(index - kFirst) / kBlock];
    return block != nullptr ? &block[(index - kFirst) % kBlock] : nullptr;
  }
  bool MakeRoom() {
    OpenWait** block = &blocks_[(depth_ - kFirst) / kBlock];
    if (*block == nullptr) *block = static_cast<OpenWait*>(MapMemory(sizeof(OpenWait) * kBlock));
    return *block != nullptr;
  }

  uint32_t depth_;
  volatile sig_atomic_t kind_;
  OpenWait first_[kFirst];
  OpenWait* blocks_[kMost / kBlock];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STACK_H_
