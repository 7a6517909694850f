// The cost of a sample in its program: the whole handler, beside its peers.
//
//   scripts/bench handler            or: bazel run //tests/bench:handler_bench
//
//   WHAT/FRAMES/hot|cold   the handler's own time on a stack of so many frames, all of it the thread's own
//     ompprof_cfi, _fp       ours, from the signal's arrival to its return: weighing, unwinding, classifying, the tree,
//                            the ring, and the timer's next instant.
//     take_sample_cfi        TakeSample alone
//     unwind_cfi             its walk alone
//     libunwind_backtrace, glibc_backtrace   a peer's walk alone: no tree, no record. They begin in the handler, so
//                            they walk two frames more.
//     empty                  an empty handler's own time: a call
//   ompprof_cfi/PATH/...   paths that differ from sample to sample: `leaf` in the last frame, `leaf_middle` in a
//                            middle frame too, so that the half above it is looked up again; `new` in the root, so
//                            that every frame's node is made
//   ompprof_cfi/timeline/32   with --timeline, which keeps each sample's time
//   ompprof_cfi/REGION/... inside a real parallel region, the OpenMP runtime being asked for state and tasks
//   signal_empty, signal_ompprof   with the signal's delivery and return by the kernel: what a sample costs altogether
//
// `hot` repeats the sample. `cold` writes 24 MB between samples: the sample then finds nothing in the caches, as a
// sample does that is taken every millisecond or more seldom.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "profiler/collect/base/tick_clock.h"
#include "profiler/collect/paths/stack_walk.h"
#include "profiler/collect/thread/session.h"
#include "tests/bench/deep_stack.h"
#include "tests/bench/parallel_region.h"
#include "tests/bench/sampled_thread.h"

namespace ompprof::bench {
namespace {

using collect::Frame;
using collect::Unwinder;

constexpr int kMaxFrames = 512;
constexpr int kColdSamples = 200;
constexpr int kNewPaths = 4096;

int (*g_unw_backtrace)(void**, int);

// Times `sample`, the benchmark's body.
template <typename Sample>
void Time(benchmark::State& state, bool cold, Sample sample) {
  for (int i = 0; i < 64; ++i) sample();  // fills caches and loads what is loaded lazily
  if (!cold) {
    for (auto _ : state) sample();
    return;
  }
  std::vector<uint64_t> times;
  for (auto _ : state) {
    EvictCaches();
    const uint64_t begin = NowNs();
    sample();
    times.push_back(NowNs() - begin);
    state.SetIterationTime(static_cast<double>(times.back()) * 1e-9);
  }
  // The median: one interruption by another process outweighs a hundred samples.
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  state.counters["median_ns"] = static_cast<double>(times[times.size() / 2]);
}

// The differences between consecutive samples.
enum class Path { kSame, kLeaf, kLeafMiddle, kNew };

// Moves the interrupted instruction, and a middle frame's return address, among the nops behind them.
class MovingStack {
 public:
  MovingStack(Path path, ucontext_t* context, const Frame* frames, size_t count)
      : path_(path), pc_(&context->uc_mcontext.gregs[REG_RIP]), first_pc_(*pc_) {
    // The callers of the interrupted function are functions with room behind their calls.
    const size_t middle = count / 2;
    slot_ = reinterpret_cast<uintptr_t*>(frames[middle - 1].cfa) - 1;
    first_return_ = *slot_;
  }
  ~MovingStack() {
    *pc_ = first_pc_;
    *slot_ = first_return_;
  }
  void Next() {
    ++step_;
    if (path_ == Path::kNew) collect::session.epoch.store(step_, std::memory_order_relaxed);
    if (path_ == Path::kLeaf || path_ == Path::kLeafMiddle) *pc_ = first_pc_ + step_ * 5 % 32;
    if (path_ == Path::kLeafMiddle) *slot_ = first_return_ + step_ % 4;
  }

 private:
  const Path path_;
  greg_t* const pc_;
  const greg_t first_pc_;
  uintptr_t* slot_;
  uintptr_t first_return_;
  uint32_t step_ = 0;
};

size_t WalkFrames(const SampledThread& thread, const Unwinder* unwinder, const ucontext_t* context, Frame* frames) {
  collect::Cursor cursor;
  unwinder->start(thread.state()->paths.unwind_state, context, &cursor);
  return unwinder->walk(thread.state()->paths.unwind_state, &cursor, frames, kMaxFrames).frames;
}

void MeasureHandler(benchmark::State& state, const SampledThread& thread, const Unwinder* unwinder, ucontext_t* context,
                    Path path, bool cold) {
  static Frame frames[kMaxFrames];
  const size_t count = WalkFrames(thread, unwinder, context, frames);
  state.counters["frames"] = static_cast<double>(count);
  const auto handler = SampledThread::Handler();
  siginfo_t signal = thread.Signal();
  MovingStack moving(path, context, frames, count);
  const uint64_t lost = thread.state()->paths.lost[fields::kLostTreeFull].samples.load();
  Time(state, cold, [&] {
    if (path != Path::kSame) moving.Next();
    thread.BeDue();
    handler(SIGPROF, &signal, context);
    thread.Drain();
  });
  if (thread.state()->paths.lost[fields::kLostTreeFull].samples.load() != lost) state.SkipWithError("the tree is full");
}

benchmark::internal::Benchmark* Register(const std::string& name, bool cold,
                                         std::function<void(benchmark::State&)> body) {
  auto* bench = benchmark::RegisterBenchmark((name + (cold ? "/cold" : "/hot")).c_str(), std::move(body));
  if (cold) bench->UseManualTime()->Iterations(kColdSamples);
  return bench;
}

// A body that runs in a handler, over a stack of `frames` frames in a new thread. `unwinder` samples the thread.
using Body = std::function<void(benchmark::State&, const SampledThread&, ucontext_t*, bool cold)>;

void InSampledThread(benchmark::State& state, const Unwinder* unwinder, const collect::Source* source, int descents,
                     bool cold, const Body& body) {
  OnNewThread([&] {
    const SampledThread thread(unwinder, source);
    InHandlerAt(descents, [&](ucontext_t* context) { body(state, thread, context, cold); });
  });
}

constexpr struct {
  const char* name;
  int descents;
} kDepths[] = {{"8", 1}, {"32", 25}, {"128", 121}};

void RegisterDepths(const std::string& what, const Unwinder* unwinder, const collect::Source* source,
                    const Body& body) {
  for (const auto& depth : kDepths) {
    for (const bool cold : {false, true}) {
      Register(what + "/" + depth.name, cold,
               [=](benchmark::State& state) { InSampledThread(state, unwinder, source, depth.descents, cold, body); });
    }
  }
}

void RegisterWhole() {
  const auto whole_by = [](const Unwinder* unwinder) -> Body {
    return [=](benchmark::State& state, const SampledThread& thread, ucontext_t* context, bool cold) {
      MeasureHandler(state, thread, unwinder, context, Path::kSame, cold);
    };
  };
  RegisterDepths("ompprof_cfi", collect::CfiUnwinder(), &collect::kOnCpuTimer, whole_by(collect::CfiUnwinder()));
  RegisterDepths("ompprof_fp", collect::FramePointerUnwinder(), &collect::kOnCpuTimer,
                 whole_by(collect::FramePointerUnwinder()));
}

void RegisterParts() {
  const Unwinder* cfi = collect::CfiUnwinder();
  RegisterDepths("take_sample_cfi", cfi, &collect::kOnCpuTimer,
                 [](benchmark::State& state, const SampledThread& thread, ucontext_t* context, bool cold) {
                   Time(state, cold, [&] {
                     thread.Take(context);
                     thread.Drain();
                   });
                 });
  RegisterDepths("unwind_cfi", cfi, &collect::kOnCpuTimer,
                 [cfi](benchmark::State& state, const SampledThread& thread, ucontext_t* context, bool cold) {
                   static Frame frames[kMaxFrames];
                   size_t count = 0;
                   Time(state, cold, [&] { count = WalkFrames(thread, cfi, context, frames); });
                   state.counters["frames"] = static_cast<double>(count);
                 });
}

void RegisterPeers() {
  static void* frames[kMaxFrames];
  const Unwinder* cfi = collect::CfiUnwinder();
  const auto peer = [](auto walk) -> Body {
    return [=](benchmark::State& state, const SampledThread&, ucontext_t* context, bool cold) {
      int count = 0;
      Time(state, cold, [&] { count = walk(context); });
      state.counters["frames"] = count;
    };
  };
  if (void* library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL)) {
    *reinterpret_cast<void**>(&g_unw_backtrace) = dlsym(library, "unw_backtrace");
  }
  if (g_unw_backtrace != nullptr) {
    RegisterDepths("libunwind_backtrace", cfi, &collect::kOnCpuTimer,
                   peer([](ucontext_t*) { return g_unw_backtrace(frames, kMaxFrames); }));
  }
  RegisterDepths("glibc_backtrace", cfi, &collect::kOnCpuTimer,
                 peer([](ucontext_t*) { return backtrace(frames, kMaxFrames); }));
  RegisterDepths("empty", cfi, &collect::kOnCpuTimer, peer([](ucontext_t* context) {
                   benchmark::DoNotOptimize(context);
                   return 0;
                 }));
}

void RegisterPaths() {
  constexpr struct {
    const char* name;
    Path path;
  } kPaths[] = {{"leaf", Path::kLeaf}, {"leaf_middle", Path::kLeafMiddle}, {"new", Path::kNew}};
  for (const auto& varied : kPaths) {
    for (const bool cold : {false, true}) {
      const std::string name = std::string("ompprof_cfi/") + varied.name + "/32";
      auto* bench = Register(name, cold, [=](benchmark::State& state) {
        InSampledThread(state, collect::CfiUnwinder(), &collect::kOnCpuTimer, 25, cold,
                        [&](benchmark::State&, const SampledThread& thread, ucontext_t* context, bool) {
                          MeasureHandler(state, thread, collect::CfiUnwinder(), context, varied.path, cold);
                        });
      });
      if (varied.path == Path::kNew && !cold) bench->Iterations(kNewPaths);
    }
  }
}

// Compare with ompprof_cfi/32. The clock is fitted as in the writer.
void RegisterTimeline() {
  const uint64_t wait_ns = collect::FitTickClock();
  if (wait_ns != 0) usleep(static_cast<useconds_t>(wait_ns / 1000));
  collect::FitTickClock();
  for (const bool cold : {false, true}) {
    Register("ompprof_cfi/timeline/32", cold, [=](benchmark::State& state) {
      collect::session.config.timeline = true;
      InSampledThread(state, collect::CfiUnwinder(), &collect::kOnCpuTimer, 25, cold,
                      [&](benchmark::State&, const SampledThread& thread, ucontext_t* context, bool) {
                        MeasureHandler(state, thread, collect::CfiUnwinder(), context, Path::kSame, cold);
                      });
      collect::session.config.timeline = false;
    });
  }
}

void RegisterRegions() {
  const Unwinder* cfi = collect::CfiUnwinder();
  for (const bool worker : {false, true}) {
    for (const bool cold : {false, true}) {
      const std::string name = std::string("ompprof_cfi/") + (worker ? "worker" : "primary") + "/32";
      Register(name, cold, [=](benchmark::State& state) {
        const SampledThread primary(cfi, &collect::kOnCpuTimer);
        InRegion(worker, [&] {
          const auto measure = [&](const SampledThread& thread) {
            InHandlerAt(worker ? 22 : 12,
                        [&](ucontext_t* context) { MeasureHandler(state, thread, cfi, context, Path::kSame, cold); });
          };
          if (!worker) {
            measure(primary);
            return;
          }
          SampledThread thread(cfi, &collect::kOnCpuTimer);
          thread.AnnounceToOmpt(true);
          measure(thread);
        });
      });
    }
  }
}

void RegisterSignals() {
  for (const bool ours : {false, true}) {
    Register(ours ? "signal_ompprof/32" : "signal_empty/32", false, [=](benchmark::State& state) {
      OnNewThread([&] {
        const SampledThread thread(collect::CfiUnwinder(), &collect::kOnCpuTimer);
        struct sigaction action = {};
        action.sa_sigaction = ours ? SampledThread::Handler() : [](int, siginfo_t*, void*) {};
        action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        sigfillset(&action.sa_mask);
        sigaction(SIGPROF, &action, nullptr);
        siginfo_t signal = thread.Signal();
        AtDepth(25, [&] {
          Time(state, false, [&] {
            // A thread may send itself a signal of a kind that only the kernel sends to others: a timer's.
            thread.BeDue();
            syscall(SYS_rt_tgsigqueueinfo, getpid(), thread.state()->identity.tid, SIGPROF, &signal);
            thread.Drain();
          });
        });
      });
    });
  }
}

}  // namespace
}  // namespace ompprof::bench

int main(int argc, char** argv) {
  using namespace ompprof::bench;
  benchmark::Initialize(&argc, argv);
  RegisterWhole();
  RegisterParts();
  RegisterPeers();
  RegisterPaths();
  RegisterTimeline();
  RegisterRegions();
  RegisterSignals();
  benchmark::RunSpecifiedBenchmarks();
  // libomp 14 fails an assertion of its own when its threads end together with the process.
  fflush(nullptr);
  _exit(0);
}
