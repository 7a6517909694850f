// Waits for another thread that changes something shared, which takes it a few instructions. Callbacks use it.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_SPIN_H_
#define OMPPROF_PROFILER_COLLECT_BASE_SPIN_H_

#include <sched.h>
#include <stdint.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

class Spin {
 public:
  // False: the other thread does not come to an end. A signal handler of the program may have interrupted it there, and
  // jumped out. Then the caller takes its place: a program that works alone must not hang. A thread without a processor
  // comes back sooner, or its figures are wrong.
  bool Again() {
    if (++spins_ <= kSpins) return true;
    sched_yield();  // the other thread lost its processor
    const uint64_t now = MonotonicNs();
    if (until_ == 0) until_ = now + kPatienceNs;
    return now < until_;
  }

 private:
  static constexpr int kSpins = 200;
  static constexpr uint64_t kPatienceNs = 1000000000;

  int spins_ = 0;
  uint64_t until_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_SPIN_H_
