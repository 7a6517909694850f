// The common parts of the tests of whole walks: an engine with this thread's stack bounds, walks kept for comparison,
// and handlers that walk.
#ifndef OMPPROF_TESTS_UNIT_COLLECT_UNWIND_WALK_FIXTURE_H_
#define OMPPROF_TESTS_UNIT_COLLECT_UNWIND_WALK_FIXTURE_H_

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "profiler/collect/unwind/capture_context.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

struct Trace {
  static constexpr uint32_t kMax = 512;
  uint32_t count = 0;
  WalkEnd end = WalkEnd::kBroken;
  Frame frames[kMax];
};

inline StackBounds ThisStack() {
  pthread_attr_t attributes;
  void* low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return {reinterpret_cast<uintptr_t>(low), reinterpret_cast<uintptr_t>(low) + size};
}

// One thread's engine. Walk() is as async-signal-safe as the engine.
class Walker {
 public:
  explicit Walker(const Unwinder* engine, StackBounds bounds = ThisStack())
      : engine_(engine), state_(calloc(1, engine->state_bytes)) {
    engine_->init_thread(state_, bounds);
  }
  ~Walker() { free(state_); }
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;

  // Takes `step` frames at a time.
  // With `fuel`, the fuel is filled up each time that it is spent, to at most `left` units for frames and tables;
  // `fills` counts the times.
  void Walk(const ucontext_t* context, Trace* trace, uint32_t step = Trace::kMax, Fuel* fuel = nullptr,
            uint32_t left = 0, uint32_t* fills = nullptr) {
    Cursor cursor;
    engine_->start(state_, context, &cursor);
    cursor.fuel = fuel;
    trace->count = 0;
    do {
      const uint32_t scratch = Trace::kMax - trace->count;
      const WalkResult result =
          engine_->walk(state_, &cursor, trace->frames + trace->count, step < scratch ? step : scratch);
      trace->count += result.frames;
      trace->end = result.end;
      if (trace->end == WalkEnd::kNoFuel) {
        fuel->Fill();
        fuel->Spend(fuel->Affordable(Cut::kFrames) - left);
        ++*fills;
      }
    } while ((trace->end == WalkEnd::kLimit || trace->end == WalkEnd::kNoFuel) && trace->count < Trace::kMax);
  }

 private:
  const Unwinder* engine_;
  void* state_;
};

inline bool SameFrames(const Trace& a, const Trace& b) {
  if (a.count != b.count || a.end != b.end) return false;
  for (uint32_t i = 0; i < a.count; ++i) {
    if (a.frames[i].pc != b.frames[i].pc || a.frames[i].cfa != b.frames[i].cfa) return false;
  }
  return true;
}

// Whether `trace` ends in the frames of `outer` that lie above its first frame: the callers of the function that took
// `outer`.
inline bool EndsInCallersOf(const Trace& trace, const Trace& outer) {
  if (trace.count < outer.count || trace.end != WalkEnd::kRoot) return false;
  const uint32_t shift = trace.count - outer.count;
  for (uint32_t i = 1; i < outer.count; ++i) {
    if (trace.frames[shift + i].pc != outer.frames[i].pc || trace.frames[shift + i].cfa != outer.frames[i].cfa) {
      return false;
    }
  }
  return trace.frames[shift].cfa == outer.frames[0].cfa;
}

// The handlers' variables; each test sets them.
inline Walker* g_walker;
inline Trace g_outer;  // of the test's function
inline Trace g_trace;  // of the interrupted function

inline void TakeInHandler(int, siginfo_t*, void* context) {
  g_walker->Walk(static_cast<const ucontext_t*>(context), &g_trace);
}

inline void Install(int signal, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(signal, &action, nullptr);
}

__attribute__((noinline)) inline void TakeHere(void* walker) {
  ucontext_t context;
  CaptureContext(&context);
  static_cast<Walker*>(walker)->Walk(&context, &g_trace);
}

class WalkTest : public testing::Test {
 protected:
  void SetUp() override {
    g_walker = &cfi_;
    g_trace.count = 0;
  }

  Walker cfi_{CfiUnwinder()};
  Walker checked_{CfiUnwinder(), StackBounds{0, 0}};
};

// The test's own frames. Every test body begins with it, because its caller's frame must be the test's.
#define TAKE_OUTER()                        \
  do {                                      \
    ucontext_t context;                     \
    CaptureContext(&context);               \
    cfi_.Walk(&context, &g_outer);          \
    ASSERT_EQ(g_outer.end, WalkEnd::kRoot); \
  } while (false)

}  // namespace ompprof::collect

#endif  // OMPPROF_TESTS_UNIT_COLLECT_UNWIND_WALK_FIXTURE_H_
