// Scales the weights of samples to the CPU time that they stand for, or to the wall time where the source weighs by it.
// For sources whose weights are right on average (Source::scales). Writer thread only.
//
// A thread's samples of a round, of about a second, share the CPU time that the thread used meanwhile. So weights
// within a round are equal, which has the least variance, and sums are exact. Some threads have
// few samples, because they live shortly or sleep nearly always. Such a thread may use CPU time for many rounds before
// its first sample, which then stands for more than itself. So the samples of all such threads share the CPU time of
// all of them: a function of many of them gets its part. A thread that has more samples later gets back what is its
// own, or pays with its later CPU time for what its samples got. Neither is more than there is, so that all samples
// together never stand for more than the CPU time. What is left at the end of the profile goes to the places of their
// last samples.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLE_SCALE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLE_SCALE_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/encoding/sample_batch.h"

namespace ompprof::collect {

class SampleScale {
 public:
  // A round begins. `last`: no data follows.
  void BeginRound(bool last);

  // Prepares for the samples of `thread` up to `head`. `ends`: they are its last.
  void BeginThread(ThreadState* thread, uint64_t head, bool ends);

  // The weight in the file for a sample of this weight.
  uint64_t Scaled(uint64_t weight);

  // A sample of the present thread is in the file as `row`. `time_us`: since the profile's start; 0: not in the
  // timeline.
  void Remember(const ThreadState& thread, const SampleRow& row, uint64_t time_us);

  // The thread's samples are in the file. What is left of its CPU time goes to its last place (`ends`), or to the next
  // round.
  void EndThread(ThreadState* thread, bool ends);

  // The place of a sample of a thread with few samples. The thread may have ended.
  struct Place {
    SampleRow row;
    uint32_t tree;
    uint32_t thread;
    uint64_t time_us;
  };

  // Takes the next part of the CPU time that is left after the last round. False: there is no more.
  bool TakeRest(Place* place);

 private:
  // A thread that shares no more gets back a part of what it lent. Negative: it pays.
  void PayBack(ThreadState* thread, int64_t ns);

  static constexpr uint32_t kPlaces = 64;
  void Forget(uint32_t thread);

  // Threads with few samples.
  struct Pool {
    int64_t due_ns = 0;  // their CPU time that is in no sample, also of earlier rounds
    uint64_t weight = 0;
  } pool_;
  double pool_scale_ = 1;
  Place places_[kPlaces];  // of its last samples
  uint32_t remembered_ = 0;
  uint32_t oldest_ = 0;  // the next to be replaced, once all are in use

  // Of the present thread.
  double scale_ = 1;
  double rest_ = 0;  // of the last weight, below a nanosecond
  uint64_t given_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLE_SCALE_H_
