// The rules that turn a worker's stack into a path of the program as written, each with its known answer.
#include "profiler/analyze/builder/user_paths.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Strings;
using test::Team;

constexpr char kRegion[] = "main;main [omp parallel team.c:42]";

// Tree 1 belongs to the initial thread: main, where region context 1 was created. Tree 2 belongs to a worker.
class UserPathsTest : public ::testing::Test {
 protected:
  UserPathsTest() {
    main_ = team_.Frames(1, team_.Root(1), {"in_main"});
    team_.builder.AddContext(1, team_.At("main_fork"), 1, main_);
    worker_ = team_.Frames(2, team_.Root(2), {"~in_runtime"});
  }

  uint32_t Marker(uint32_t tree, uint32_t parent, uint32_t kind, const std::string& codeptr = "") {
    return team_.builder.AddNode(tree, parent, kind, codeptr.empty() ? 0 : team_.At(codeptr));
  }

  // The worker in region 1's implicit task, and then in `labels`.
  uint32_t InRegion(const Strings& labels, const std::string& codeptr = "main_fork") {
    return team_.Frames(2, Marker(2, worker_, NODE_IMPLICIT_TASK, codeptr), labels);
  }

  void Sample(uint32_t tree, uint32_t node, OmptState state, uint32_t splice, uint32_t region = 1) {
    team_.builder.AddSample({.tree = tree, .node = node, .state = state, .splice = splice, .region = region});
  }

  Team team_;
  uint32_t main_;
  uint32_t worker_;
};

TEST_F(UserPathsTest, WorkerIsJoinedToItsRegion) {
  Sample(2, InRegion({"in_region", "in_compute"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute"});
  EXPECT_EQ(team_.view.unspliced_weight, 0u);
}

TEST_F(UserPathsTest, MachineViewIsTheStackAsItWas) {
  Sample(2, InRegion({"in_region", "in_compute"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(ViewKind::kMachine), Strings{"runtime;main.omp_outlined;compute"});
}

TEST_F(UserPathsTest, InitialThreadHasTheSamePathWithoutASplice) {
  const uint32_t fork = team_.Frames(1, main_, {"~in_runtime"});
  const uint32_t task = Marker(1, fork, NODE_IMPLICIT_TASK, "main_fork");
  Sample(1, team_.Frames(1, task, {"in_region", "in_compute"}), OmptState::kWorkParallel, 0);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute"});
}

TEST_F(UserPathsTest, RegionsCodeptrStandsInForAMarkerWithout) {
  Sample(2, InRegion({"in_region"}, ""), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{kRegion});
}

TEST_F(UserPathsTest, WaitingAtTheEndOfTheRegion) {
  Sample(2, worker_, OmptState::kWaitBarrierImplicit, 1);  // no implicit task on the stack
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp barrier: implicit>"});
}

TEST_F(UserPathsTest, StackNotTaken) {
  Sample(2, 0, OmptState::kWaitBarrierImplicit, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp barrier: implicit>"});
}

TEST_F(UserPathsTest, CreatingThreadWaitsAtTheEndInTheRegion) {
  Sample(1, team_.Frames(1, main_, {"~in_runtime"}), OmptState::kWaitBarrierImplicitParallel, 0);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp barrier: implicit>"});
}

TEST_F(UserPathsTest, BarrierInTheBody) {
  Sample(2, InRegion({"in_region", "~in_runtime"}), OmptState::kWaitBarrierExplicit, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp barrier: explicit>"});
}

TEST_F(UserPathsTest, NestedRegionsAreJoinedRecursively) {
  // The worker of region 1 created region 2, in its body.
  const uint32_t creator = InRegion({"in_region"});
  team_.builder.AddContext(2, team_.At("nested_fork"), 2, creator, 1, 1);
  const uint32_t inner = team_.Frames(3, team_.Root(3), {"~in_runtime"});
  const uint32_t task = team_.builder.AddNode(3, inner, NODE_IMPLICIT_TASK, team_.At("nested_fork"));
  Sample(3, team_.Frames(3, task, {"in_nested", "in_leaf"}), OmptState::kWorkParallel, 2, 2);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";main [omp parallel team.c:44];leaf"});
}

TEST_F(UserPathsTest, InnerImplicitTaskOnTheSameStackAddsNothing) {
  const uint32_t body = InRegion({"in_region", "~in_runtime"});
  const uint32_t task = Marker(2, body, NODE_IMPLICIT_TASK, "nested_fork");
  Sample(2, team_.Frames(2, task, {"in_nested", "in_leaf"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";main [omp parallel team.c:44];leaf"});
}

TEST_F(UserPathsTest, ExplicitTaskIsShownAtItsSite) {
  // The thread runs the task while it waits deep in another function of the region.
  const uint32_t waiting = InRegion({"in_region", "in_compute", "~in_runtime"});
  const uint32_t task = Marker(2, waiting, NODE_EXPLICIT_TASK, "task_create");
  Sample(2, team_.Frames(2, task, {"in_task", "in_leaf"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";main [omp task team.c:45];leaf"});
}

TEST_F(UserPathsTest, ExplicitTaskFromTheBarrierAtTheEnd) {
  // The stack has no implicit task, only the explicit one.
  const uint32_t task = Marker(2, worker_, NODE_EXPLICIT_TASK, "task_create");
  Sample(2, team_.Frames(2, task, {"in_task", "in_leaf"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";main [omp task team.c:45];leaf"});
}

TEST_F(UserPathsTest, TasksOfOneSiteHaveOnePathWhoeverRanThem) {
  const uint32_t fork = team_.Frames(1, main_, {"~in_runtime"});
  const uint32_t body = team_.Frames(1, Marker(1, fork, NODE_IMPLICIT_TASK, "main_fork"), {"in_region", "~in_runtime"});
  Sample(1, team_.Frames(1, Marker(1, body, NODE_EXPLICIT_TASK, "task_create"), {"in_task", "in_leaf"}),
         OmptState::kWorkParallel, 0);
  Sample(2, team_.Frames(2, Marker(2, worker_, NODE_EXPLICIT_TASK, "task_create"), {"in_task", "in_leaf"}),
         OmptState::kWorkParallel, 1);
  const Strings paths = team_.Paths();
  ASSERT_EQ(paths.size(), 1u);  // added up: the samples are of one thread in this profile
  EXPECT_EQ(team_.view.samples[0].cost.samples, 2u);
}

TEST_F(UserPathsTest, TaskOfUnknownCreationStaysWhereItRan) {
  const uint32_t waiting = InRegion({"in_region", "in_compute", "~in_runtime"});
  Sample(2, team_.Frames(2, Marker(2, waiting, NODE_EXPLICIT_TASK), {"in_task", "in_leaf"}), OmptState::kWorkParallel,
         1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute;main [omp task team.c:45];leaf"});
}

TEST_F(UserPathsTest, TaskRunAtOnceStaysWhereItWasCreatedAndSaysSo) {
  const uint32_t creating = InRegion({"in_region", "in_compute", "~in_runtime"});
  Sample(2, team_.Frames(2, Marker(2, creating, NODE_UNDEFERRED_TASK, "task_create"), {"in_task", "in_leaf"}),
         OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute;main [omp task (run at once) team.c:45];leaf"});
}

TEST_F(UserPathsTest, TaskRunAtOnceOfUnknownCreationIsNamedByItsBody) {
  const uint32_t creating = InRegion({"in_region", "in_compute", "~in_runtime"});
  Sample(2, team_.Frames(2, Marker(2, creating, NODE_UNDEFERRED_TASK), {"in_gcc", "in_leaf"}), OmptState::kWorkParallel,
         1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute;solve [omp task (run at once) team.c:202];leaf"});
}

TEST_F(UserPathsTest, TaskContextIsTheCreatorsPath) {
  const uint32_t creator = InRegion({"in_region", "in_compute", "helper_create"});
  const uint32_t task = team_.builder.AddNode(2, worker_, NODE_TASK_CONTEXT, uint64_t{2} << 32 | creator);
  Sample(2, team_.Frames(2, task, {"in_task", "in_leaf"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute;helper;main [omp task team.c:45];leaf"});
}

// The collector gives such a sample its region as a splice even on the thread that created the region.
TEST_F(UserPathsTest, TaskOfAWorkerRunByTheThreadThatCreatedTheRegion) {
  const uint32_t creator = InRegion({"in_region", "helper_create"});
  const uint32_t fork = team_.Frames(1, main_, {"~in_runtime"});
  const uint32_t task = team_.builder.AddNode(1, fork, NODE_TASK_CONTEXT, uint64_t{2} << 32 | creator);
  Sample(1, team_.Frames(1, task, {"in_task", "in_leaf"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";helper;main [omp task team.c:45];leaf"});
  EXPECT_EQ(team_.view.unspliced_weight, 0u);
}

TEST_F(UserPathsTest, TaskOfAnInnerRegionWhoseCreatorsStackBeginsInTheOuterOne) {
  // The worker of region 1 is the primary of region 2, and creates the task there. A worker of region 2 runs the task.
  const uint32_t outer = InRegion({"in_region", "in_compute"});
  team_.builder.AddContext(2, team_.At("helper_create"), 2, outer, 1, 1);
  const uint32_t inner = Marker(2, team_.Frames(2, outer, {"~in_runtime"}), NODE_IMPLICIT_TASK, "helper_create");
  const uint32_t creator = team_.Frames(2, inner, {"in_compute"});
  const uint32_t base = team_.Frames(3, team_.Root(3), {"~in_runtime"});
  const uint32_t task = team_.builder.AddNode(3, base, NODE_TASK_CONTEXT, uint64_t{2} << 32 | creator);
  Sample(3, team_.Frames(3, task, {"in_leaf"}), OmptState::kWorkParallel, 2, 2);
  const Strings paths = team_.Paths();
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(paths[0].rfind(std::string(kRegion) + ";compute;", 0), 0u) << paths[0];
  EXPECT_EQ(paths[0].find(kRegion, 1), std::string::npos) << "the outer region's path is there once: " << paths[0];
}

TEST_F(UserPathsTest, StartUpCodeIsNotShownAboveTheProgram) {
  team_.builder.AddModule(9, "/no/such/libc.so.6", 0x900000, 0x1000);
  const uint32_t start = team_.builder.AddNode(4, team_.Root(4), NODE_FRAME, 0x900100);
  const uint32_t main = team_.Frames(4, start, {"in_main"});
  Sample(4, team_.builder.AddNode(4, main, NODE_FRAME, 0x900200), OmptState::kWorkSerial, 0,
         0);  // libc called by the program stays
  Sample(4, start, OmptState::kWorkSerial, 0, 0);
  EXPECT_EQ(team_.Paths(), (Strings{"<start-up>", "main;libc.so.6+0x200"}));
  EXPECT_EQ(team_.Paths(ViewKind::kMachine), (Strings{"libc.so.6+0x100", "libc.so.6+0x100;main;libc.so.6+0x200"}));
}

TEST_F(UserPathsTest, FunctionThatIsNotOutlinedFollowsAMadeUpConstruct) {
  Sample(2, InRegion({"in_compute"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute"});
}

TEST_F(UserPathsTest, UnresolvedRegion) {
  team_.builder.AddUnresolvedContext(5, team_.At("main_fork"));
  Sample(2, InRegion({"in_region", "in_compute"}), OmptState::kWorkParallel, 5, 5);
  EXPECT_EQ(team_.Paths(), Strings{"<region path unknown>;main [omp parallel team.c:42];compute"});
  EXPECT_EQ(team_.view.unspliced_weight, 1000u);
}

TEST_F(UserPathsTest, RegionThatIsNowhereDefined) {
  Sample(2, InRegion({"in_region"}), OmptState::kWorkParallel, 99, 99);
  Sample(2, worker_, OmptState::kWaitBarrierImplicitParallel, 98, 98);
  EXPECT_EQ(team_.Paths(), (Strings{"<region path unknown>;<function unknown> [omp parallel];<omp barrier: implicit>",
                                    "<region path unknown>;main [omp parallel team.c:42]"}));
  EXPECT_EQ(team_.view.unspliced_weight, 2000u);
}

TEST_F(UserPathsTest, ContextsInACircle) {
  const uint32_t body = InRegion({"in_region"});
  team_.builder.AddContext(7, team_.At("main_fork"), 2, body, 8);
  team_.builder.AddContext(8, team_.At("main_fork"), 2, body, 7);
  Sample(2, body, OmptState::kWorkParallel, 7, 7);
  team_.Paths();
  EXPECT_EQ(team_.view.unspliced_weight, 1000u);
}

TEST_F(UserPathsTest, IdleIsNowhere) {
  Sample(2, worker_, OmptState::kIdle, 0, 0);
  Sample(2, InRegion({"in_region"}), OmptState::kIdle, 1, 1);
  for (const std::string& path : team_.Paths()) EXPECT_EQ(path, "<omp idle>");
}

TEST_F(UserPathsTest, RuntimeAtWorkIsOverhead) {
  Sample(2, InRegion({"in_region", "~in_runtime"}), OmptState::kWorkParallel, 1);
  Sample(2, worker_, OmptState::kUndefined, 0, 0);
  EXPECT_EQ(team_.Paths(), (Strings{"<omp overhead>", std::string(kRegion) + ";<omp overhead>"}));
}

TEST_F(UserPathsTest, RoutineThatTheProgramCallsIsAFunction) {
  Sample(2, InRegion({"in_region", "~in_routine", "~in_runtime"}), OmptState::kWorkParallel, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";omp_set_lock"});
  EXPECT_EQ(team_.view.regions.at(0).work_weight, 0u) << "a lock without a wait is synchronization";
  // The C library, which libgomp calls.
  Sample(2, InRegion({"in_region", "~in_routine", "in_leaf"}), OmptState::kWorkParallel, 1);
  // No routine: the program has called another function of the runtime. No call: the thread begins here.
  Sample(2, InRegion({"in_region", "~in_runtime", "~in_routine"}), OmptState::kWorkParallel, 1);
  Sample(1, team_.Frames(1, team_.Root(1), {"~in_routine"}), OmptState::kWorkSerial, 0, 0);
  EXPECT_EQ(team_.Paths(),
            (Strings{"<omp overhead>", std::string(kRegion) + ";<omp overhead>", std::string(kRegion) + ";omp_set_lock",
                     std::string(kRegion) + ";omp_set_lock;leaf"}));
}

TEST_F(UserPathsTest, WaitingInARoutineIsWaiting) {
  Sample(2, InRegion({"in_region", "~in_routine", "~in_runtime"}), OmptState::kWaitLock, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp lock>"});
}

TEST_F(UserPathsTest, OverheadStateInUserCodeIsUserCode) {
  Sample(2, InRegion({"in_region", "in_compute"}), OmptState::kOverhead, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute"});
}

// A stack as when the runtime calls a reduction's combiner.
TEST_F(UserPathsTest, ReductionStateInUserCodeIsUserCode) {
  Sample(2, InRegion({"in_region", "in_compute"}), OmptState::kWorkReduction, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";compute"});
}

TEST_F(UserPathsTest, WaitsByState) {
  const std::pair<OmptState, const char*> waits[] = {
      {OmptState::kWorkReduction, "<omp reduction>"},
      {OmptState::kWaitBarrier, "<omp barrier: implicit>"},
      {OmptState::kWaitBarrierImplicitWorkshare, "<omp barrier: implicit>"},
      {OmptState::kWaitBarrierImplementation, "<omp barrier: implicit>"},
      {OmptState::kWaitBarrierTeams, "<omp barrier: implicit>"},
      {OmptState::kWaitBarrierExplicit, "<omp barrier: explicit>"},
      {OmptState::kWaitTaskwait, "<omp taskwait>"},
      {OmptState::kWaitTaskgroup, "<omp taskgroup>"},
      {OmptState::kWaitMutex, "<omp lock>"},
      {OmptState::kWaitLock, "<omp lock>"},
      {OmptState::kWaitCritical, "<omp critical>"},
      {OmptState::kWaitAtomic, "<omp atomic>"},
      {OmptState::kWaitOrdered, "<omp ordered>"},
      {OmptState::kWaitTarget, "<omp target>"},
      {OmptState::kWaitTargetUpdate, "<omp target>"},
      {OmptState::kOverhead, "<omp overhead>"},
  };
  const uint32_t node = InRegion({"in_region", "~in_runtime"});
  for (const auto& [state, frame] : waits) {
    Team fresh;
    const uint32_t root = fresh.Frames(1, fresh.Root(1), {"in_main", "~in_runtime"});
    fresh.builder.AddSample({.node = root, .state = state});
    EXPECT_EQ(fresh.Paths(), Strings{std::string("main;") + frame}) << frame;
  }
  Sample(2, node, OmptState::kWaitLock, 1);
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp lock>"});
}

// The call from the program into the runtime is the construct's.
TEST_F(UserPathsTest, AWaitForADeviceIsInItsTargetConstruct) {
  Team team;
  const uint32_t caller = team.builder.AddNode(1, team.Root(1), NODE_FRAME | NODE_RETURN_ADDRESS, team.At("main_fork"));
  const uint32_t runtime = team.Frames(1, caller, {"~in_runtime"});
  for (const uint32_t node : {runtime, caller}) team.builder.AddSample({.node = node, .state = OmptState::kWaitTarget});
  const Strings paths = team.Paths();
  ASSERT_EQ(paths.size(), 1u) << paths[1];
  EXPECT_EQ(paths[0], "main;main [omp target team.c:42];<omp target>");
}

TEST_F(UserPathsTest, ThreadUnknownToTheRuntime) {
  Sample(1, team_.Frames(1, main_, {"in_leaf"}), OmptState::kNone, 0, 0);
  Sample(2, 0, OmptState::kNone, 0, 0);
  EXPECT_EQ(team_.Paths(), (Strings{"<no stack>", "main;leaf"}));
}

TEST_F(UserPathsTest, CutAndBrokenStacksSaySo) {
  const uint32_t cut = team_.builder.AddNode(1, main_, NODE_CUT);
  Sample(1, team_.Frames(1, cut, {"in_leaf"}), OmptState::kWorkSerial, 0, 0);
  const uint32_t broken = team_.builder.AddNode(3, 0, NODE_BROKEN);
  Sample(3, team_.Frames(3, broken, {"in_compute"}), OmptState::kWorkSerial, 0, 0);
  EXPECT_EQ(team_.Paths(), (Strings{"<unwind stopped>;compute", "main;<frames cut>;leaf"}));
}

}  // namespace
}  // namespace ompprof::analyze
