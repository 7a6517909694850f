// Deep stacks keep their leaf part and their root part, whatever lies between. The engine is a fake that "unwinds" a
// stack of a given depth. The stack lies in real memory, so that the check of return addresses has something to read.
#include "profiler/collect/paths/stack_walk.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr uint32_t kDepth = 64;  // --max-depth: 48 at the leaf, 16 at the root

struct FakeStack {
  std::vector<uintptr_t> words;  // two words a frame: the second is the return address
  uint32_t frames = 0;
  uint32_t walked = 0;
  uint32_t broken_at = 0;  // 0: the walk reaches the root
} fake;

// Frame k of a stack of n frames ends at word 2 (k + 1). Program counters count from the root, so that the root part is
// equal for all depths.
uintptr_t PcOf(uint32_t frame) { return 0x10000 + (fake.frames - frame); }

void Resize(uint32_t frames) {
  // Grows at the leaf end: the root stays where it is in memory.
  static constexpr uint32_t kMaxFrames = 100000;
  fake.words.resize(2 * kMaxFrames + 2);
  fake.frames = frames;
  for (uint32_t k = 0; k < frames; ++k) fake.words[2 * (kMaxFrames - frames + k) + 1] = PcOf(k + 1);
}

uintptr_t CfaOf(uint32_t frame) {
  return reinterpret_cast<uintptr_t>(fake.words.data() + 2 * (100000 - fake.frames + frame + 1));
}

void Start(void*, const ucontext_t* context, Cursor* cursor) {
  *cursor = {{PcOf(0), CfaOf(0) - 16, 0, false}, context, 0};
}

// As in the engines: frames that the fuel does not pay for are not walked.
WalkResult Walk(void*, Cursor* cursor, Frame* frames, uint32_t max) {
  uint32_t written = 0;
  WalkEnd end = WalkEnd::kLimit;
  while (written < max && end == WalkEnd::kLimit) {
    // A walk that continues another learns the other's place from the stack pointer.
    const auto frame = static_cast<uint32_t>((cursor->at.sp - CfaOf(0)) / 16 + 1);
    if (frame == fake.frames) {
      end = WalkEnd::kRoot;
    } else if (fake.broken_at != 0 && frame == fake.broken_at) {
      end = WalkEnd::kBroken;
    } else if (!cursor->fuel->Take(Cut::kFrames, 1)) {
      end = WalkEnd::kNoFuel;
    } else {
      frames[written++] = {PcOf(frame), CfaOf(frame), frame != 0};
      *cursor = {{PcOf(frame + 1), CfaOf(frame), 0, true}, cursor->start, cursor->frames_done + 1, cursor->fuel};
      ++fake.walked;
    }
  }
  return {written, end};
}

const Unwinder kFake = {"fake", 1, nullptr, Start, Walk};

class StackWalkTest : public testing::Test {
 protected:
  StackWalkTest() : memory_(PathBufferBytes(kDepth)) {
    InitPathBuffer(&thread_->paths.buffer, memory_.data(), kDepth);
    fake.broken_at = 0;
  }
  StackParts WalkDepth(uint32_t frames) {
    Resize(frames);
    fake.walked = 0;
    thread_->sampler.limits.fuel.Fill();
    return WalkStack(thread_.get(), &kFake, &context_, reinterpret_cast<uintptr_t>(&context_));
  }
  // Leaf and root parts are the stack's youngest and oldest frames.
  void ExpectEnds(const StackParts& parts) {
    for (uint32_t i = 0; i < parts.leaf_size; ++i) ASSERT_EQ(parts.leaf[i].pc, PcOf(i));
    for (uint32_t i = 0; i < parts.root_size; ++i) ASSERT_EQ(parts.root[i].pc, PcOf(fake.frames - parts.root_size + i));
  }
  std::vector<char> memory_;
  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  ucontext_t context_{};
};

TEST_F(StackWalkTest, AShallowStackIsWhole) {
  const StackParts parts = WalkDepth(20);
  EXPECT_EQ(parts.leaf_size, 20u);
  EXPECT_EQ(parts.root_size, 0u);
  EXPECT_FALSE(parts.cut);
  EXPECT_FALSE(parts.broken);
  ExpectEnds(parts);
}

TEST_F(StackWalkTest, ADeepStackKeepsLeafAndRoot) {
  for (const uint32_t depth : {65u, 79u, 80u, 81u, 200u, 1000u, 5000u}) {
    thread_->paths.buffer.known_root_size = 0;
    const StackParts parts = WalkDepth(depth);
    EXPECT_TRUE(parts.cut) << depth;
    EXPECT_FALSE(parts.broken) << depth;
    EXPECT_EQ(parts.leaf_size, 48u);
    EXPECT_EQ(parts.root_size, 16u);
    ExpectEnds(parts);
  }
}

TEST_F(StackWalkTest, TheRootIsNotWalkedToTwice) {
  WalkDepth(5000);
  EXPECT_EQ(fake.walked, 5000u);
  const StackParts parts = WalkDepth(6000);
  EXPECT_EQ(fake.walked, kDepth) << "the return addresses still stand";
  EXPECT_EQ(parts.root_size, 15u) << "the youngest known frame may have moved on in its function";
  ExpectEnds(parts);
}

// A thread's first sample may come before the thread has called its real work. Those few frames stay in their place all
// its life. They are not the root of a deep stack, which has the task's outermost frames.
TEST_F(StackWalkTest, AFewFramesAreNoKnownRoot) {
  WalkDepth(3);
  const StackParts parts = WalkDepth(5000);
  EXPECT_EQ(fake.walked, 5000u);
  EXPECT_EQ(parts.root_size, 16u);
  ExpectEnds(parts);
}

TEST_F(StackWalkTest, AStackThatIsNearlyTooDeepHasAKnownRoot) {
  WalkDepth(60);
  const StackParts parts = WalkDepth(5000);
  EXPECT_EQ(fake.walked, kDepth);
  EXPECT_EQ(parts.root_size, 15u);
  ExpectEnds(parts);
}

TEST_F(StackWalkTest, AKnownRootThatIsGoneIsNotUsed) {
  WalkDepth(5000);
  Resize(5000);
  fake.words[2 * (100000 - 3) + 1] = 0x77777;  // one return address near the root has changed
  fake.walked = 0;
  thread_->sampler.limits.fuel.Fill();
  WalkStack(thread_.get(), &kFake, &context_, reinterpret_cast<uintptr_t>(&context_));
  EXPECT_EQ(fake.walked, 5000u);
}

TEST_F(StackWalkTest, ABrokenDeepStackSaysSo) {
  fake.broken_at = 500;
  const StackParts parts = WalkDepth(5000);
  EXPECT_TRUE(parts.cut);
  EXPECT_TRUE(parts.broken);
  EXPECT_FALSE(parts.starved);
}

// A sample's fuel is some thousand frames. The root is shown as not reached, and the next sample's walk continues where
// this walk stopped.
TEST_F(StackWalkTest, NoWalkIsEndlessAndTheNextOneGoesOn) {
  uint32_t walks = 0;
  StackParts parts;
  do {
    parts = WalkDepth(90000);
    ASSERT_LE(fake.walked, Fuel::kSample);
    ASSERT_TRUE(!parts.broken || fake.walked > Fuel::kSample / 2);
    ASSERT_TRUE(parts.cut);
    ASSERT_EQ(parts.leaf_size, 48u);
    ASSERT_EQ(parts.broken, thread_->sampler.limits.fuel.Has(Cut::kFrames))
        << "a stack whose root was not reached says so";
    ASSERT_EQ(parts.starved, parts.broken);
    ASSERT_LT(++walks, 20u) << "no progress";
  } while (parts.broken);
  EXPECT_GE(walks, 90000 / Fuel::kSample);
  EXPECT_EQ(parts.root_size, 16u);
  ExpectEnds(parts);
  EXPECT_FALSE(WalkDepth(90000).broken);
  EXPECT_EQ(fake.walked, kDepth) << "the root is known now";
}

TEST_F(StackWalkTest, AWalkGoesOnOnlyWhereTheStackIsAsItWas) {
  ASSERT_TRUE(WalkDepth(90000).broken);
  // The thread has returned past that place, and called another function.
  const StackParts parts = WalkDepth(5000);
  EXPECT_FALSE(parts.broken);
  EXPECT_EQ(fake.walked, 5000u);
  ExpectEnds(parts);
  // Another function stands at the same place.
  ASSERT_TRUE((thread_->paths.buffer.known_root_size = 0, WalkDepth(90000)).broken);
  const uint32_t first = fake.walked;
  Resize(90000);
  *reinterpret_cast<uintptr_t*>(thread_->paths.buffer.half_way.at.sp - 8) = 0x77777;
  fake.walked = 0;
  thread_->sampler.limits.fuel.Fill();
  EXPECT_TRUE(WalkStack(thread_.get(), &kFake, &context_, reinterpret_cast<uintptr_t>(&context_)).broken);
  EXPECT_NEAR(fake.walked, first, 200) << "from the leaf again";
}

}  // namespace
}  // namespace ompprof::collect
