// Where a thread runs, a part of ThreadState: the processors that samples found it on, and those that it may use.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_PLACEMENT_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_PLACEMENT_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

struct ThreadPlacement {
  static constexpr uint32_t kMostVisits = 8;

  // The weight of samples on a processor.
  struct Visit {
    std::atomic<uint32_t> processor;  // + 1; 0: the entry is free
    std::atomic<uint64_t> weight;
  };

  // The handler writes these, and the writer reads them.
  Visit visits[kMostVisits];        // of the processors that the thread came to first
  std::atomic<uint64_t> elsewhere;  // the weight of samples on further processors
  std::atomic<uint64_t> moves;      // how often a sample found the thread on another processor than the sample before
  uint32_t last;                    // the processor of the last sample, + 1; 0: there was none

  ProcessorSet may_use;         // of a live thread, as the writer last read it; empty: not known
  ProcessorSet may_use_at_end;  // the thread reads this set when it ends; empty: it has not

  // A sample found the thread on `processor`; negative: not known. For the handler.
  void See(int processor, uint64_t weight) {
    if (processor < 0) return;
    const uint32_t named = static_cast<uint32_t>(processor) + 1;
    if (last != 0 && last != named) Add(&moves, 1);
    last = named;
    for (Visit& visit : visits) {
      const uint32_t known = visit.processor.load(std::memory_order_relaxed);
      if (known != 0 && known != named) continue;
      Add(&visit.weight, weight);
      if (known == 0) visit.processor.store(named, std::memory_order_release);
      return;
    }
    Add(&elsewhere, weight);
  }

  // Prepares the state for another thread.
  void Reset() {
    for (Visit& visit : visits) {
      visit.processor.store(0, std::memory_order_relaxed);
      visit.weight.store(0, std::memory_order_relaxed);
    }
    elsewhere.store(0, std::memory_order_relaxed);
    moves.store(0, std::memory_order_relaxed);
    last = 0;
    may_use = may_use_at_end = {};
  }

 private:
  // Only the thread's own handler adds.
  static void Add(std::atomic<uint64_t>* sum, uint64_t value) {
    sum->store(sum->load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_PLACEMENT_H_
