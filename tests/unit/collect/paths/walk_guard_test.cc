// No walk sees an object that is being unloaded, and no unloading waits for a stuck walk forever. Forked children must
// not inherit another thread's unloading.
#include "profiler/collect/paths/walk_guard.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr uint64_t kPatienceNs = 60ull * 1000000000;

TEST(WalkGuard, NoWalkWhileUnloading) {
  WalkGuard guard;
  EXPECT_TRUE(guard.EnterWalk());
  guard.LeaveWalk();
  guard.BeginUnload(kPatienceNs);
  EXPECT_FALSE(guard.EnterWalk());
  guard.BeginUnload(kPatienceNs);  // from a destructor
  guard.EndUnload();
  EXPECT_FALSE(guard.EnterWalk()) << "the outer one is still at it";
  guard.EndUnload();
  EXPECT_TRUE(guard.EnterWalk());
  guard.LeaveWalk();
}

TEST(WalkGuard, AStuckWalkDoesNotHangTheProgram) {
  WalkGuard guard;
  ASSERT_TRUE(guard.EnterWalk());
  guard.BeginUnload(1000000);
  guard.EndUnload();
}

// A forked child does not have another thread's unloading. It has the forking thread's own.
TEST(WalkGuard, AForkedChildHasTheForkingThreadsUnloadsOnly) {
  WalkGuard guard;
  std::atomic<int> stage{0};
  std::thread other([&] {
    guard.BeginUnload(kPatienceNs);
    stage = 1;
    while (stage != 2) std::this_thread::yield();
    guard.EndUnload();
  });
  while (stage != 1) std::this_thread::yield();
  const auto in_child = [&](auto look) {
    const pid_t child = fork();
    if (child == 0) {
      guard.ForgetOtherThreads();
      _exit(look() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
  };
  EXPECT_TRUE(in_child([&] { return guard.EnterWalk(); }));
  guard.BeginUnload(kPatienceNs);
  EXPECT_TRUE(in_child([&] {
    if (guard.EnterWalk()) return false;
    guard.EndUnload();
    return guard.EnterWalk();
  }));
  guard.EndUnload();
  stage = 2;
  other.join();
  EXPECT_TRUE(guard.EnterWalk());
}

TEST(WalkGuard, AThreadsUnloadsEndWithIt) {
  WalkGuard guard;
  std::thread([&] {
    guard.BeginUnload(kPatienceNs);
    guard.BeginUnload(kPatienceNs);
    guard.EndUnloadsOfThisThread();
  }).join();
  EXPECT_TRUE(guard.EnterWalk());
}

// "Loaded" is true while walkers may look. A walk must never see it false.
TEST(WalkGuard, AWalkNeverSeesAnObjectGone) {
  WalkGuard guard;
  std::atomic<bool> loaded{true};
  std::atomic<bool> done{false};
  std::atomic<uint64_t> walks{0};
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> walkers;
  for (int i = 0; i < 4; ++i) {
    walkers.emplace_back([&] {
      while (!done.load()) {
        if (!guard.EnterWalk()) continue;
        for (int look = 0; look < 20; ++look) wrong += !loaded.load(std::memory_order_relaxed);
        ++walks;
        guard.LeaveWalk();
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    guard.BeginUnload(kPatienceNs);
    loaded.store(false, std::memory_order_relaxed);
    loaded.store(true, std::memory_order_relaxed);
    guard.EndUnload();
    // Each unloading is followed by a walk, so the two really alternate.
    const uint64_t before = walks.load();
    while (walks.load() == before) std::this_thread::yield();
  }
  done.store(true);
  for (std::thread& walker : walkers) walker.join();
  EXPECT_EQ(wrong.load(), 0u);
  EXPECT_GT(walks.load(), 0u);
}

}  // namespace
}  // namespace ompprof::collect
