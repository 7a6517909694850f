// The collector at work in one thread, without its signals, its writer and its file. Benchmarks call its handler
// themselves. They need the state that StartSession and AttachThisThread would have made.
#ifndef OMPPROF_TESTS_BENCH_SAMPLED_THREAD_H_
#define OMPPROF_TESTS_BENCH_SAMPLED_THREAD_H_

#include <signal.h>
#include <ucontext.h>

#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::bench {

// The calling thread is sampled as long as this object lives. All objects that live at a time have the same unwinder.
class SampledThread {
 public:
  SampledThread(const collect::Unwinder* unwinder, const collect::Source* source);
  ~SampledThread();
  SampledThread(const SampledThread&) = delete;
  SampledThread& operator=(const SampledThread&) = delete;

  collect::ThreadState* state() const { return state_; }

  // Tells what the OpenMP runtime's thread_begin tells, for threads that were not sampled at that time.
  void AnnounceToOmpt(bool worker);

  // The thread's instant has come.
  void BeDue() const;

  // A signal for one period, as the source sends it.
  siginfo_t Signal() const;

  // The collector's own handler, from the signal's arrival to its return.
  static void (*Handler())(int, siginfo_t*, void*);

  // One sample of `context` through TakeSample, without the handler around it.
  void Take(const ucontext_t* context) const;

  // The writer's work of each second: takes the samples.
  void Drain() const { state_->paths.ring.Release(state_->paths.ring.head()); }

 private:
  collect::ThreadState* state_;
  const collect::Unwinder* unwinder_;
};

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_SAMPLED_THREAD_H_
