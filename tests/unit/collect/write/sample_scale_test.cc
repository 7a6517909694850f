// Samples share the CPU time of their thread, or of all threads with few samples.
#include "profiler/collect/write/rounds/sample_scale.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kMs = 1000000;

class SampleScaleTest : public testing::Test {
 protected:
  void SetUp() override {
    session.unwinder = FramePointerUnwinder();
    session.source = &kOnCpuTimer;
  }
  void TearDown() override { ForgetAllThreads(); }

  // A thread that has used this much CPU time, and has ended if `ended`.
  ThreadState* Thread(uint32_t id, uint64_t cpu_ms, bool ended) {
    ThreadState* thread = AllocateThread();
    thread->identity.id = id;
    thread->sampler.instants.counts_from.store(1);
    thread->sampler.instants.counts_until.store(1 + cpu_ms * kMs);
    if (ended) EndThread(thread);
    PublishThread(thread);
    return thread;
  }

  static void Work(ThreadState* thread, uint64_t cpu_ms) { thread->sampler.instants.counts_until += cpu_ms * kMs; }

  static void Push(ThreadState* thread, int samples, uint32_t node) {
    for (int i = 0; i < samples; ++i) {
      Sample sample{};
      sample.weight = 5 * kMs;
      sample.count = 1;
      sample.node = node;
      ASSERT_TRUE(thread->paths.ring.Push(sample));
      thread->paths.last_sample = sample;
    }
  }

  // A round of the writer. Adds up what each thread's samples stand for.
  void Round(bool last) {
    scale_->BeginRound(last);
    for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
      const auto lifecycle = thread->lifecycle.load();
      if (lifecycle == ThreadState::kDrained) continue;
      const bool ends = last || lifecycle == ThreadState::kEnded;
      SampleRing& ring = thread->paths.ring;
      const uint64_t head = ring.head();
      scale_->BeginThread(thread, head, ends);
      for (uint64_t position = ring.tail(); position != head; ++position) {
        const Sample& sample = ring.at(position);
        const uint64_t scaled = scale_->Scaled(sample.weight);
        ns_[thread->identity.id] += scaled;
        SampleRow row{};
        row.weight = scaled;
        row.node = sample.node;
        row.state = OmptState::kWorkSerial;
        row.samples = 1;
        scale_->Remember(*thread, row, 0);
      }
      ring.Release(head);
      scale_->EndThread(thread, ends);
      ns_[thread->identity.id] += thread->sampler.tail_weight;
      thread->sampler.tail_weight = 0;
      if (lifecycle == ThreadState::kEnded) thread->lifecycle.store(ThreadState::kDrained);
    }
    if (!last) return;
    for (SampleScale::Place place; scale_->TakeRest(&place);) {
      EXPECT_EQ(place.row.samples, 0u);
      ns_[place.thread] += place.row.weight;
      ++rest_[place.row.node];
    }
  }

  uint64_t Sum() const {
    uint64_t sum = 0;
    for (const auto& [thread, ns] : ns_) sum += ns;
    return sum;
  }

  std::unique_ptr<SampleScale> scale_ = std::make_unique<SampleScale>();
  std::map<uint32_t, uint64_t> ns_;  // by thread
  std::map<uint32_t, int> rest_;     // by node: the parts that were left
};

TEST_F(SampleScaleTest, SamplesShareTheirThreadsTime) {
  ThreadState* thread = Thread(1, 300, false);
  Push(thread, 50, 7);
  Round(false);
  EXPECT_NEAR(static_cast<double>(ns_[1]), 300 * kMs, 50);
  Work(thread, 100);
  Push(thread, 30, 7);
  Round(true);
  EXPECT_EQ(Sum(), 400 * kMs);
  EXPECT_TRUE(rest_.empty());
}

// Threads that sleep nearly always have ended before the last round. Their time may not go to a thread that happens to
// live still.
TEST_F(SampleScaleTest, WhatSleepersLeaveGoesToTheirPlaces) {
  ThreadState* busy = Thread(1, 300, false);
  Push(busy, 50, 7);
  Push(Thread(2, 100, true), 2, 8);
  Push(Thread(3, 100, true), 1, 9);
  Thread(4, 100, true);
  Round(false);
  EXPECT_EQ(ns_[2] + ns_[3], 30 * kMs);
  Push(busy, 10, 7);
  Work(busy, 50);
  Round(true);
  EXPECT_NEAR(static_cast<double>(ns_[1]), 350 * kMs, 50);
  EXPECT_NEAR(static_cast<double>(ns_[2]), 200 * kMs, 50);
  EXPECT_NEAR(static_cast<double>(ns_[3]), 100 * kMs, 50);
  EXPECT_EQ(Sum(), 650 * kMs);
  EXPECT_EQ(rest_, (std::map<uint32_t, int>{{8, 2}, {9, 1}}));
}

// Each thread has few samples at first.
TEST_F(SampleScaleTest, AThreadWithManySamplesLaterHasItsOwn) {
  ThreadState* busy = Thread(1, 50, false);
  Push(busy, 10, 7);
  Push(Thread(2, 400, true), 1, 8);
  Round(false);
  EXPECT_GT(ns_[1], 50 * kMs) << "both share";
  Push(busy, 60, 7);
  Work(busy, 300);
  Round(true);
  EXPECT_NEAR(static_cast<double>(ns_[1]), 350 * kMs, 50);
  EXPECT_EQ(Sum(), 750 * kMs);
  EXPECT_EQ(rest_, (std::map<uint32_t, int>{{8, 1}}));
}

// Its samples got more than its own time, and it never works again: it cannot pay.
TEST_F(SampleScaleTest, AThreadThatOwesDoesNotMakeTimeOfNothing) {
  ThreadState* sleeper = Thread(1, 50, false);
  Push(sleeper, 31, 7);
  Thread(2, 400, true);
  Round(false);
  EXPECT_GT(ns_[1], 50 * kMs) << "both share";
  Push(sleeper, 1, 7);
  Round(false);
  Push(Thread(3, 100, true), 1, 8);
  Round(true);
  EXPECT_EQ(Sum(), 550 * kMs);
}

// The pool has spent what a thread lent, on samples of another thread that then has its own, too.
TEST_F(SampleScaleTest, AThreadGetsBackNoMoreThanThereIs) {
  ThreadState* lender = Thread(1, 400, false);
  ThreadState* borrower = Thread(2, 50, false);
  Push(borrower, 31, 7);
  Round(false);
  Push(borrower, 20, 7);
  Push(lender, 40, 8);
  Work(lender, 100);
  Round(false);
  Work(borrower, 30);
  Push(borrower, 5, 7);
  Round(true);
  EXPECT_EQ(Sum(), 580 * kMs);
}

TEST_F(SampleScaleTest, WithoutAnySampleOfSleepersTheirTimeGoesSomewhere) {
  ThreadState* busy = Thread(1, 300, false);
  Push(busy, 50, 7);
  Thread(2, 100, true);
  Round(false);
  Round(true);
  EXPECT_EQ(ns_[1], 400 * kMs);
}

}  // namespace
}  // namespace ompprof::collect
