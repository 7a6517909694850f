// The cost of a walk, by engine and depth, inside a signal handler: where the profiler walks.
//
//   bazel run -c opt //tests/bench:unwind_bench
//
// `hot` repeats the walk. `cold` writes 24 MB between walks, so that stack, rules and code come from memory, as for a
// sample taken every millisecond. Compare ns_per_frame. glibc's backtrace and libunwind's unw_backtrace walk a few
// frames more or less (the handler's own); each count is its own.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <stdlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "profiler/collect/unwind/unwinder.h"
#include "tests/bench/deep_stack.h"

namespace {

using ompprof::bench::NowNs;
using ompprof::collect::Cursor;
using ompprof::collect::Frame;
using ompprof::collect::Unwinder;

constexpr int kMaxFrames = 512;

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

void WalkInHandler(benchmark::State& state, Walk walk, void* thread_state, const ucontext_t* context, bool cold) {
  int frames = walk(thread_state, context);  // the first fills caches and loads what is loaded lazily
  double per_walk;
  if (cold) {
    std::vector<uint64_t> times;
    for (auto _ : state) {
      ompprof::bench::EvictCaches();
      const uint64_t begin = NowNs();
      frames = walk(thread_state, context);
      times.push_back(NowNs() - begin);
      state.SetIterationTime(static_cast<double>(times.back()) * 1e-9);
    }
    // The median: one interruption by another process outweighs a hundred walks.
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    per_walk = static_cast<double>(times[times.size() / 2]);
  } else {
    const uint64_t begin = ompprof::bench::CpuNs();
    for (auto _ : state) frames = walk(thread_state, context);
    per_walk = static_cast<double>(ompprof::bench::CpuNs() - begin) / static_cast<double>(state.iterations());
  }
  state.counters["frames"] = frames;
  state.counters["ns_per_frame"] = per_walk / frames;
}

void Measure(benchmark::State& state, int descents, Walk walk, const Unwinder* engine, bool cold) {
  ompprof::bench::OnNewThread([&] {
    void* thread_state = nullptr;
    if (engine != nullptr) {
      g_engine = engine;
      thread_state = calloc(1, engine->state_bytes);
      engine->init_thread(thread_state, ompprof::bench::BoundsOfThisThread());
    }
    ompprof::bench::InHandlerAt(descents,
                                [&](ucontext_t* context) { WalkInHandler(state, walk, thread_state, context, cold); });
    free(thread_state);
  });
}

void RegisterDepths(const char* name, Walk walk, const Unwinder* engine) {
  constexpr struct {
    const char* frames;
    int descents;
  } kDepths[] = {{"8", 1}, {"32", 25}, {"128", 121}};
  for (const auto& depth : kDepths) {
    for (const bool cold : {false, true}) {
      const std::string full = std::string(name) + "/" + depth.frames + (cold ? "/cold" : "/hot");
      auto* bench = benchmark::RegisterBenchmark(
          full.c_str(), [=](benchmark::State& state) { Measure(state, depth.descents, walk, engine, cold); });
      if (cold) bench->UseManualTime()->Iterations(300);
    }
  }
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
