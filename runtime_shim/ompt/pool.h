// A pool of records whose memory keeps its type forever. Threads take thousands of records a second.
//
// Each thread has a free list of its own. A thread may free more than it makes, because it runs the tasks that another
// thread creates. It then hands half of its list to a shared list, where the other thread finds the records. Not
// async-signal-safe: handlers only read records.
#ifndef RUNTIME_SHIM_OMPT_POOL_H_
#define RUNTIME_SHIM_OMPT_POOL_H_

#include <sys/mman.h>

#include <atomic>

namespace gomp_ompt {

template <class Record>
class FreeList {
 public:
  // A record with unspecified contents; NULL if the system has no memory.
  Record* Take() {
    if (__builtin_expect(first_ == nullptr, false)) Refill();
    Record* record = first_;
    if (record != nullptr) {
      first_ = record->next;
      count_--;
    }
    return record;
  }

  void Give(Record* record) {
    record->next = first_;
    first_ = record;
    if (__builtin_expect(++count_ >= 2 * kBatch, false)) HandOver(kBatch);
  }

  // Called at the thread's end.
  void GiveAll() {
    if (count_ > 0) HandOver(count_);
  }

  // Called in the child of a fork: another thread may have held the lock.
  static void UnlockAfterFork() { locked_.store(false, std::memory_order_relaxed); }

 private:
  static constexpr unsigned kBatch = 64;

  static void Lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) __builtin_ia32_pause();
  }
  static void Unlock() { locked_.store(false, std::memory_order_release); }

  void Refill() {
    Lock();
    while (count_ < kBatch && shared_ != nullptr) {
      Record* record = shared_;
      shared_ = record->next;
      record->next = first_;
      first_ = record;
      count_++;
    }
    Unlock();
    if (first_ != nullptr) return;
    // Pages come zeroed, so a record's generation starts at 0.
    void* chunk = mmap(nullptr, sizeof(Record) * kBatch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (chunk == MAP_FAILED) return;
    auto* records = static_cast<Record*>(chunk);
    for (unsigned i = 0; i < kBatch; i++) {
      records[i].next = first_;
      first_ = &records[i];
    }
    count_ = kBatch;
  }

  void HandOver(unsigned count) {
    Record* last = first_;
    for (unsigned i = 1; i < count; i++) last = last->next;
    Record* batch = first_;
    first_ = last->next;
    count_ -= count;
    Lock();
    last->next = shared_;
    shared_ = batch;
    Unlock();
  }

  Record* first_;
  unsigned count_;

  static inline std::atomic<bool> locked_{false};
  static inline Record* shared_ = nullptr;
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_POOL_H_
