// Asks the writer (writer.h) for an early round.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_WRITER_WAKE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_WRITER_WAKE_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

struct WriterWake {
  std::atomic<uint32_t> asked{};  // futex: 1 after somebody has asked
  // Not NULL: there is no helper. The handler calls this function, which makes a round if a round is due.
  std::atomic<void (*)()> round_here{};

  // Async-signal-safe.
  void Ask() {
    if (asked.load(std::memory_order_relaxed) != 0) return;
    if (asked.exchange(1, std::memory_order_seq_cst) == 0) FutexWake(&asked);
  }

  // Likewise, and wakes the writer even if somebody has already asked.
  void AskAgain() {
    asked.store(1, std::memory_order_seq_cst);
    FutexWake(&asked);
  }

  // Only where the rounds are made.
  bool IsAsked() const { return asked.load(std::memory_order_relaxed) != 0; }
  void SleepUnlessAsked(uint64_t ns) { FutexWait(&asked, 0, ns); }
  void Clear() { asked.store(0, std::memory_order_seq_cst); }
};

inline WriterWake writer_wake;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_WRITER_WAKE_H_
