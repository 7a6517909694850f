// Each answer of libomp that the collector takes back, as values. classify_test.cc, MendLevels, has the frame markers.
#include "profiler/collect/quirks/libomp.h"
#include "proto/ompt_state.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace ompprof::collect::libomp {
namespace {

TEST(LibompQuirks, NearNull) {
  int value = 0;
  int* pointers[] = {nullptr, reinterpret_cast<int*>(0x220), reinterpret_cast<int*>(4095), &value};
  for (int*& pointer : pointers) ClearIfNearNull(&pointer);
  EXPECT_EQ(pointers[0], nullptr);
  EXPECT_EQ(pointers[1], nullptr);
  EXPECT_EQ(pointers[2], nullptr);
  EXPECT_EQ(pointers[3], &value);
}

TEST(LibompQuirks, ParallelDataOfExplicitTasks) {
  EXPECT_TRUE(HasParallelData(ompt_task_implicit));
  EXPECT_TRUE(HasParallelData(ompt_task_initial));
  EXPECT_FALSE(HasParallelData(ompt_task_explicit));
  EXPECT_FALSE(HasParallelData(ompt_task_explicit | static_cast<int>(ompt_task_untied)));
  EXPECT_FALSE(HasParallelData(ompt_task_target));
}

TEST(LibompQuirks, AWorkerWithoutARegionIsIdle) {
  EXPECT_EQ(StateWithoutRegion(OmptState::kWaitBarrierImplicitParallel), OmptState::kIdle);
  EXPECT_EQ(StateWithoutRegion(OmptState::kUndefined), OmptState::kIdle);
  EXPECT_EQ(StateWithoutRegion(OmptState::kOverhead), OmptState::kOverhead);
  EXPECT_EQ(StateWithoutRegion(OmptState::kWaitLock), OmptState::kWaitLock);
}

TEST(LibompQuirks, OverheadInUserCode) {
  EXPECT_EQ(StateInUserCode(OmptState::kOverhead, /*in_region=*/true), OmptState::kWorkParallel);
  EXPECT_EQ(StateInUserCode(OmptState::kOverhead, /*in_region=*/false), OmptState::kWorkSerial);
  EXPECT_EQ(StateInUserCode(OmptState::kWaitLock, /*in_region=*/true), OmptState::kWaitLock);
}

TEST(LibompQuirks, BarrierAtTheRegionsEnd) {
  constexpr uint64_t kRegion = 0x4000;
  constexpr uint64_t kLoop = 0x5000;
  // By OpenMP 5.1.
  EXPECT_TRUE(IsAtRegionsEnd(ompt_sync_region_barrier_implicit_parallel, 0, kLoop, kRegion));
  EXPECT_FALSE(IsAtRegionsEnd(ompt_sync_region_barrier_implicit_workshare, 1, 0, kRegion));
  EXPECT_FALSE(IsAtRegionsEnd(ompt_sync_region_barrier_explicit, 0, kRegion, kRegion));
  // By the address, where the kind is vague: libomp 8, libomp 14.
  for (const ompt_sync_region_t vague : {ompt_sync_region_barrier, ompt_sync_region_barrier_implicit}) {
    EXPECT_TRUE(IsAtRegionsEnd(vague, 0, kRegion, kRegion));
    EXPECT_TRUE(IsAtRegionsEnd(vague, 1, 0, kRegion));
    EXPECT_FALSE(IsAtRegionsEnd(vague, 0, 0, kRegion)) << "another thread took the address";
    EXPECT_FALSE(IsAtRegionsEnd(vague, 1, kLoop, kRegion));
  }
}

TEST(LibompQuirks, TeamOfALeague) {
  int code = 0;
  EXPECT_TRUE(IsTeamOfLeague(ompt_parallel_invoker_runtime | ompt_parallel_team, nullptr));
  EXPECT_FALSE(IsTeamOfLeague(ompt_parallel_invoker_runtime | ompt_parallel_league, nullptr)) << "the league itself";
  EXPECT_FALSE(IsTeamOfLeague(ompt_parallel_invoker_runtime | ompt_parallel_team, &code)) << "a region within";
}

TEST(LibompQuirks, SizeOfTheHelpersTeam) {
  constexpr char kNumber[] = "LIBOMP_NUM_HIDDEN_HELPER_THREADS";
  unsetenv(kNumber);
  EXPECT_TRUE(IsSizeOfHelpersTeam(8));
  EXPECT_FALSE(IsSizeOfHelpersTeam(9));
  setenv(kNumber, "3", 1);
  EXPECT_TRUE(IsSizeOfHelpersTeam(3));
  EXPECT_TRUE(IsSizeOfHelpersTeam(4));
  EXPECT_FALSE(IsSizeOfHelpersTeam(8));
  unsetenv(kNumber);
}

TEST(LibompQuirks, QuestionsBeyondTheLastTask) {
  EXPECT_TRUE(MustNotBeAskedForNumbers("LLVM OMP version: 5.0.20140926"));
  EXPECT_TRUE(MustNotBeAskedForNumbers("Intel(R) OMP version: 5.0.20140926"));
  EXPECT_FALSE(MustNotBeAskedForNumbers("libgomp_ompt 1.0"));
  EXPECT_FALSE(MustNotBeAskedForNumbers(""));
}

TEST(LibompQuirks, ArcherIsLlvms) {
  EXPECT_TRUE(HasArcher("LLVM OMP version: 5.0.20140926"));
  EXPECT_FALSE(HasArcher("libgomp_ompt 1.0"));
  EXPECT_FALSE(HasArcher(nullptr));
}

}  // namespace
}  // namespace ompprof::collect::libomp
