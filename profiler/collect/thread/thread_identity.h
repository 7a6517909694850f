// The identity of a thread, a part of ThreadState: its ids, its name, its begin and end.
#ifndef OMPPROF_PROFILER_COLLECT_THREAD_THREAD_IDENTITY_H_
#define OMPPROF_PROFILER_COLLECT_THREAD_THREAD_IDENTITY_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <atomic>

#include "profiler/collect/unwind/unwinder.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

// Written when the thread is attached and detached. The writer reads it at any time.
struct ThreadIdentity {
  uint32_t id;
  pid_t tid;
  std::atomic<uint32_t> kind;  // fields::thread::Kind
  void (*start_routine)();     // the program's argument of pthread_create or thrd_create
  void* start_argument;
  size_t stack_bytes;  // of a thread made by pthread_create, without the guard; otherwise 0
  StackBounds stack;   // {0, 0}: not known
  uint64_t start_ns;
  uint64_t start_cpu_ns;
  std::atomic<uint64_t> end_ns;
  std::atomic<uint64_t> end_cpu_ns;  // of a live thread: the writer's last reading
  char name[16];

  // The kernel's count of the wall time in which the thread could run but had no processor. For the writer.
  struct ReadyTime {
    uint64_t before_ns;  // the count before the collector met the thread
    uint64_t total_ns;
    uint64_t read_at_ns;  // CLOCK_MONOTONIC; 0: never
  } ready;

  // The kernel's counts of its work for the thread: when the collector met the thread, and at the thread's last sample
  // or its end. The thread and its handler write them.
  struct Work {
    uint64_t minor_faults_before;
    uint64_t major_faults_before;
    uint64_t cpu_us_before;
    std::atomic<uint64_t> minor_faults;
    std::atomic<uint64_t> major_faults;
    std::atomic<uint64_t> cpu_us;

    void Begin(uint64_t minor, uint64_t major, uint64_t us) {
      minor_faults_before = minor;
      major_faults_before = major;
      cpu_us_before = us;
      Set(minor, major, us);
    }
    void Set(uint64_t minor, uint64_t major, uint64_t us) {
      minor_faults.store(minor, std::memory_order_relaxed);
      major_faults.store(major, std::memory_order_relaxed);
      cpu_us.store(us, std::memory_order_relaxed);
    }
  } kernel_work;

  // Prepares the state for another thread. AttachThisThread sets the members that are not cleared here.
  void Reset() {
    kind.store(fields::thread::kKindUnknown, std::memory_order_relaxed);
    start_routine = nullptr;
    start_argument = nullptr;
    stack_bytes = 0;
    stack = {0, 0};
    end_cpu_ns.store(0, std::memory_order_relaxed);
    ready = {};
    kernel_work.Begin(0, 0, 0);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_THREAD_THREAD_IDENTITY_H_
