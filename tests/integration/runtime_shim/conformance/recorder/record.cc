#include "record.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace recorder {
namespace {

constexpr unsigned kRoom = 1 << 18;  // records a thread; pages are committed as they are written

std::atomic<ThreadLog*> first_log{nullptr};
std::atomic<unsigned> log_count{0};
std::atomic<uint64_t> sequence{0};

__thread ThreadLog* this_log __attribute__((tls_model("initial-exec")));

void* Map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) _exit(99);
  return memory;
}

}  // namespace

Entries entries;

ThreadLog* FirstLog() { return first_log.load(std::memory_order_acquire); }

ThreadLog* Log() {
  ThreadLog* log = this_log;
  if (log != nullptr) return log;
  log = static_cast<ThreadLog*>(Map(sizeof(ThreadLog)));
  log->room = kRoom;
  log->records = static_cast<Record*>(Map(sizeof(Record) * kRoom));
  log->number = log_count.fetch_add(1) + 1;
  log->system_id = static_cast<int>(syscall(SYS_gettid));
  ThreadLog* next = first_log.load(std::memory_order_relaxed);
  do log->next = next;
  while (!first_log.compare_exchange_weak(next, log, std::memory_order_release));
  this_log = log;
  return log;
}

Record* NewRecord() {
  ThreadLog* log = Log();
  const unsigned index = __atomic_fetch_add(&log->count, 1, __ATOMIC_RELAXED);  // a probe may come in between
  if (index >= log->room) return nullptr;
  Record* record = &log->records[index];
  record->sequence = sequence.fetch_add(1, std::memory_order_relaxed) + 1;
  record->wait_id = 0;
  record->state = entries.get_state != nullptr ? entries.get_state(&record->wait_id) : -1;
  ompt_data_t *task = nullptr, *parallel = nullptr;
  ompt_frame_t* frame = nullptr;
  int flags = 0, thread_num = -1;
  record->has_task =
      entries.get_task_info != nullptr && entries.get_task_info(0, &flags, &task, &frame, &parallel, &thread_num) == 2;
  if (record->has_task) {
    record->task = Id(task);
    record->parallel = Id(parallel);
    record->task_flags = flags;
    record->thread_num = thread_num;
    if (frame != nullptr) record->frame = *frame;
  }
  return record;
}

void ForgetRecords() {
  first_log.store(nullptr);
  log_count.store(0);
  this_log = nullptr;  // the parent's memory stays mapped: a callback in progress may still write to it
}

}  // namespace recorder
