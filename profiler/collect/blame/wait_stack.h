// A thread's open waits and the tasks that it executes in them, innermost last. The thread's own OMPT callbacks keep
// the stack. The handler reads only the kind of the innermost entry.
//
// Every operation takes constant time, however deep the stack is. A task that waits for a task within it adds two
// entries, and a recursive search nests ten thousand such tasks.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STACK_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STACK_H_

#include <signal.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/os.h"
#include "profiler/collect/tasks/region.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// An open wait, or with state kNone a task that the thread executes. Times are CLOCK_MONOTONIC. Where waits are
// estimated, they come from the window clock.
struct OpenWait {
  uint64_t since_ns;   // 0: the thread executes a task in this wait now
  uint64_t waited_ns;  // waiting before that task
  uint64_t codeptr_ra;
  uint64_t region_codeptr_ra;
  RegionRef region;
  OmptState state = OmptState::kNone;
  uint8_t kind;      // ompt_sync_region_t; 0: a task that is executed
  bool at_end;       // of the region: the thread may hear of the wait's end late
  bool estimated;    // times come from the window clock
  bool made_tasks;   // of an executed task: it has made tasks since its last taskwait, or may have
  bool is_serial;    // the thread counts as waiting in serial_tasks (device_debt.h)
  bool nothing;      // of a taskwait: its task had made no tasks, so there is nothing to wait for
  uint32_t windows;  // windows that had ended when the wait began
  // Tasks, by the addresses of their data words.
  const void* task;    // the task that waits, or is executed
  const void* within;  // of an executed task: the task that continues after it
};

class WaitStack {
 public:
  // The most kept entries. Further entries are counted, not kept.
  static constexpr uint32_t kMost = 1u << 18;
  // Find looks at most this far from the innermost entry. A runtime names an entry other than the innermost if it has
  // not reported the end of the entries inside (untied tasks, cancelled tasks). Such entries are few.
  static constexpr uint32_t kReach = 32;

  uint32_t depth() const { return depth_; }

  // The kind of the innermost entry. 0: there is no entry, the entry is a task, or the entry is not kept.
  // Async-signal-safe.
  int kind() const { return kind_; }

  // Entry `index` from the outermost, which is 0; NULL if the entry is not kept.
  OpenWait* at(uint32_t index) {
    if (index >= depth_) return nullptr;
    return KeptAt(index);
  }
  // The innermost entry; NULL if there is none, or it is not kept.
  OpenWait* Innermost() { return depth_ != 0 ? KeptAt(depth_ - 1) : nullptr; }
  const OpenWait* Innermost() const { return const_cast<WaitStack*>(this)->Innermost(); }

  // The innermost entry; NULL also if it is among the outermost `base`.
  const OpenWait* InnermostAbove(uint32_t base) { return depth_ > base ? KeptAt(depth_ - 1) : nullptr; }

  // NextPlace: the place of the next entry; NULL if the entry cannot be kept. The entry counts from Push on. Next:
  // NextPlace, zeroed.
  OpenWait* NextPlace() {
    if (__builtin_expect(depth_ < kFirst, true)) return &first_[depth_];
    return depth_ < kMost && MakeRoom() ? KeptAt(depth_) : nullptr;
  }
  OpenWait* Next() {
    OpenWait* entry = NextPlace();
    if (entry != nullptr) *entry = {};
    return entry;
  }
  void Push(uint8_t kind) {
    if (OpenWait* entry = KeptAt(depth_)) entry->kind = kind;
    ++depth_;
    // The handler sees the entry only when the entry is complete.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    kind_ = kind;
  }

  // Removes the innermost entries, so that `depth` entries are left.
  void CutTo(uint32_t depth) {
    if (depth > depth_) return;
    depth_ = depth;
    const OpenWait* innermost = Innermost();
    kind_ = innermost != nullptr ? innermost->kind : 0;
  }
  void Pop() {
    if (depth_ != 0) CutTo(depth_ - 1);
  }

  // The number of entries up to the innermost entry of that task, and including it. The entry is the task's wait or its
  // execution, and not among the outermost `base`. 0: no such entry within reach.
  uint32_t Find(bool wait, const void* task, uint32_t base) {
    uint32_t at = depth_;
    for (uint32_t looked = 0; at > base && looked < kReach; --at, ++looked) {
      const OpenWait* entry = KeptAt(at - 1);
      if (entry != nullptr && (entry->state != OmptState::kNone) == wait && entry->task == task) return at;
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
