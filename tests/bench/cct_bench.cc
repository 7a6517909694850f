// The structures on a sample's way: the calling-context tree, the ring to the writer, and the pass that tells the
// user's frames from the OpenMP runtime's.
//
//   scripts/bench structures         or: bazel run //tests/bench:cct_bench
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <vector>

#include "profiler/collect/cct/sample_ring.h"
#include "profiler/collect/cct/tree.h"
#include "profiler/collect/tasks/classify.h"
#include "proto/callpath_profile_fields.h"
#include "proto/ompt_state.h"

namespace ompprof::bench {
namespace {

using collect::MakeKey;
using collect::NodeKey;
using collect::Tree;

constexpr uint32_t kFrames = 32;

NodeKey FrameKey(uint64_t number) { return MakeKey(0x7f1200000000 + number * 37, fields::kNodeFrame); }

// A tree of `paths` paths of 32 frames. The paths part at random places.
class Paths {
 public:
  explicit Paths(uint32_t paths) {
    tree_->Init(1);
    std::mt19937 random(7);
    std::vector<uint32_t> numbers(kFrames);
    for (uint32_t i = 0; i < paths; ++i) {
      for (uint32_t at = random() % kFrames; at < kFrames; ++at) numbers[at] = random() % 200;
      uint32_t node = 0;
      for (const uint32_t number : numbers) {
        steps_.push_back({node, FrameKey(number)});
        node = tree_->Child(node, FrameKey(number));
      }
    }
  }
  ~Paths() { tree_->Destroy(); }
  Tree* tree() { return tree_.get(); }

  struct Step {
    uint32_t parent;
    NodeKey key;
  };
  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::unique_ptr<Tree> tree_ = std::make_unique<Tree>();
  std::vector<Step> steps_;
};

// Looks up existing nodes, along whole paths. The argument is the number of the tree's paths.
void ChildHit(benchmark::State& state) {
  Paths paths(static_cast<uint32_t>(state.range(0)));
  size_t at = 0;
  for (auto _ : state) {
    const Paths::Step& step = paths.steps()[at];
    benchmark::DoNotOptimize(paths.tree()->Child(step.parent, step.key));
    if (++at == paths.steps().size()) at = 0;
  }
  state.counters["nodes"] = paths.tree()->size();
}
BENCHMARK(ChildHit)->Arg(1)->Arg(100)->Arg(10000);

// Makes new nodes. The first touch of a page is the kernel's work and counts.
void ChildMiss(benchmark::State& state) {
  constexpr uint32_t kNodes = 100000;
  auto tree = std::make_unique<Tree>();
  tree->Init(1);
  uint32_t parent = 0;
  uint32_t made = kNodes;
  for (auto _ : state) {
    if (made == kNodes) {
      state.PauseTiming();
      tree->Destroy();
      parent = made = 0;
      state.ResumeTiming();
    }
    const uint32_t child = tree->Child(parent, FrameKey(made++));
    parent = made % kFrames == 0 ? 0 : child;
  }
  tree->Destroy();
}
BENCHMARK(ChildMiss)->Iterations(1000000);

void RingPush(benchmark::State& state) {
  std::vector<collect::Sample> slots(512);
  collect::SampleRing ring;
  ring.Init(slots.data(), 512);
  collect::Sample sample{};
  sample.weight = 1000000;
  sample.node = 17;
  sample.count = 1;
  sample.state = OmptState::kWorkParallel;
  for (auto _ : state) {
    if (!ring.Push(sample)) ring.Release(ring.head());
  }
}
BENCHMARK(RingPush);

// 32 frames: without OpenMP, and with the argument's number of task levels around them.
void Classify(benchmark::State& state) {
  const auto levels_wanted = static_cast<uint32_t>(state.range(0));
  std::vector<collect::Frame> frames;
  for (uintptr_t i = 0; i < kFrames; ++i) frames.push_back({0x401000 + i * 64, 0x7fff0000 + (i + 1) * 96, i != 0});
  std::vector<collect::TaskLevel> levels;
  for (uint32_t i = 0; i < levels_wanted; ++i) {
    // The tasks lie evenly over the stack, innermost first. The runtime calls each task, and each task calls the
    // runtime.
    const uintptr_t exit = frames[(i + 1) * kFrames / (levels_wanted + 1)].cfa - 16;
    const uintptr_t enter = i == 0 ? 0 : frames[i * kFrames / (levels_wanted + 1)].cfa + 80;
    levels.push_back({exit, enter, 0x20, 0x20, MakeKey(i + 1, fields::kNodeImplicitTask)});
  }
  const collect::StackParts stack{frames.data(), kFrames, nullptr, 0, false, false, 0x7fff0000};
  std::vector<NodeKey> keys(kFrames + 64);
  static collect::RuntimeCode runtime;
  runtime.Add(0x7f0000000000, 0x7f0000100000, collect::RuntimeCode::Calls::kItsOwn);
  uint32_t size = 0;
  for (auto _ : state) {
    size = collect::Classify(stack, levels.data(), levels_wanted, levels_wanted != 0, runtime, 1, keys.data(),
                             static_cast<uint32_t>(keys.size()));
    benchmark::ClobberMemory();
  }
  state.counters["keys"] = size;
}
BENCHMARK(Classify)->Arg(0)->Arg(1)->Arg(4);

}  // namespace
}  // namespace ompprof::bench

BENCHMARK_MAIN();
