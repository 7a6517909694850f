// What a walk costs, by engine and depth, inside a signal handler: where the profiler does it.
//
//   bazel run -c opt //tests/bench:unwind_bench
//
// `hot` repeats the walk; `cold` writes 24 MB between walks, so that stack, rules and code come from memory, as they
// do for a sample taken every millisecond. ns_per_frame is the figure to compare; glibc's backtrace and libunwind's
// unw_backtrace walk a few frames more or less (the handler's own), which their own count corrects for.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

#include "profiler/collect/unwind/unwinder.h"

namespace {

using ompprof::collect::Cursor;
using ompprof::collect::Frame;
using ompprof::collect::StackBounds;
using ompprof::collect::Unwinder;

constexpr int kMaxFrames = 512;
constexpr size_t kColdBytes = 24 << 20;

using Walk = int (*)(void* state, const ucontext_t* context);

const Unwinder* g_engine;
int (*g_unw_backtrace)(void**, int);

int WalkEngine(void* state, const ucontext_t* context) {
  static Frame frames[kMaxFrames];
  Cursor cursor;
  g_engine->start(state, context, &cursor);
  return static_cast<int>(g_engine->walk(state, &cursor, frames, kMaxFrames).frames);
}

int WalkUnwBacktrace(void*, const ucontext_t*) {
  static void* frames[kMaxFrames];
  return g_unw_backtrace(frames, kMaxFrames);
}

int WalkGlibc(void*, const ucontext_t*) {
  static void* frames[kMaxFrames];
  return backtrace(frames, kMaxFrames);
}

// The benchmark that the handler is to run.
struct Job {
  benchmark::State* state;
  Walk walk;
  void* thread_state;
  bool cold;
};
Job g_job;

uint64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

void Sweep() {
  static std::vector<char> memory(kColdBytes);
  for (size_t i = 0; i < kColdBytes; i += 64) ++memory[i];
  benchmark::ClobberMemory();
}

void Handle(int, siginfo_t*, void* context_pointer) {
  const auto* context = static_cast<const ucontext_t*>(context_pointer);
  benchmark::State& state = *g_job.state;
  int frames = g_job.walk(g_job.thread_state, context);  // the first fills caches and loads what is loaded lazily
  double per_walk;
  if (g_job.cold) {
    std::vector<uint64_t> times;
    for (auto _ : state) {
      Sweep();
      const uint64_t begin = Now();
      frames = g_job.walk(g_job.thread_state, context);
      times.push_back(Now() - begin);
      state.SetIterationTime(static_cast<double>(times.back()) * 1e-9);
    }
    // The median: one interruption by another process outweighs a hundred walks.
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    per_walk = static_cast<double>(times[times.size() / 2]);
  } else {
    const uint64_t begin = Now();
    for (auto _ : state) frames = g_job.walk(g_job.thread_state, context);
    per_walk = static_cast<double>(Now() - begin) / static_cast<double>(state.iterations());
  }
  state.counters["frames"] = frames;
  state.counters["ns_per_frame"] = per_walk / frames;
}

// A stack of distinct functions with frames of distinct sizes, so that each has a rule of its own.
template <int N>
__attribute__((noinline)) int Descend(volatile int* sink) {
  volatile char frame[8 + N % 13 * 16];
  frame[0] = static_cast<char>(N);
  if constexpr (N == 0) {
    raise(SIGUSR1);
  } else {
    *sink += Descend<N - 1>(sink);
  }
  return frame[0];
}

template <int kDepth>
void Measure(benchmark::State& state, Walk walk, const Unwinder* engine, bool cold) {
  void* thread_state = nullptr;
  if (engine != nullptr) {
    g_engine = engine;
    thread_state = calloc(1, engine->state_bytes);
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* low;
    size_t size;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    const auto begin = reinterpret_cast<uintptr_t>(low);
    engine->init_thread(thread_state, StackBounds{begin, begin + size});
  }
  g_job = {&state, walk, thread_state, cold};
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  volatile int sink = 0;
  Descend<kDepth>(&sink);
  free(thread_state);
}

template <int kDepth>
void Register(const char* name, Walk walk, const Unwinder* engine) {
  for (const bool cold : {false, true}) {
    const std::string full = std::string(name) + "/" + std::to_string(kDepth) + (cold ? "/cold" : "/hot");
    auto* bench = benchmark::RegisterBenchmark(
        full.c_str(), [=](benchmark::State& state) { Measure<kDepth>(state, walk, engine, cold); });
    if (cold) bench->UseManualTime()->Iterations(300);
  }
}

void RegisterDepths(const char* name, Walk walk, const Unwinder* engine) {
  Register<8>(name, walk, engine);
  Register<32>(name, walk, engine);
  Register<128>(name, walk, engine);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  RegisterDepths("cfi", WalkEngine, ompprof::collect::CfiUnwinder());
  RegisterDepths("fp", WalkEngine, ompprof::collect::FramePointerUnwinder());
  char error[256];
  if (const Unwinder* libunwind = ompprof::collect::LibunwindUnwinder(error, sizeof(error))) {
    RegisterDepths("libunwind_step", WalkEngine, libunwind);
    void* handle = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    *reinterpret_cast<void**>(&g_unw_backtrace) = dlsym(handle, "unw_backtrace");
    RegisterDepths("libunwind_backtrace", WalkUnwBacktrace, nullptr);
  }
  RegisterDepths("glibc_backtrace", WalkGlibc, nullptr);
  benchmark::RunSpecifiedBenchmarks();
}
