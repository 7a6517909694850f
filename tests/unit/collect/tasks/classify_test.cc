// Every corner of frame classification, on stacks written by hand. Frames are 0x100 bytes each: frame k (leaf first) of
// a stack that starts at 0x1000 occupies [0x1000 + 0x100 k, 0x1100 + 0x100 k). The runtime's code is [0x9000, 0xa000),
// libgomp's under a shim [0xb000, 0xc000), libomptarget's [0xd000, 0xe000).
#include "profiler/collect/tasks/classify.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiler/collect/quirks/libomp.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {
namespace {

constexpr uintptr_t kSp = 0x1000;
using Calls = RuntimeCode::Calls;
const RuntimeCode kRuntime{
    {{0x9000, 0xa000, Calls::kItsOwn}, {0xb000, 0xc000, Calls::kTasks}, {0xd000, 0xe000, Calls::kOffloaded}}, {3}};
constexpr int kRuntimeFp = 0x20;
constexpr int kApplicationFp = 0x21;
constexpr int kRuntimeCfa = 0x10;
constexpr int kApplicationCfa = 0x11;
const NodeKey kRegion = MakeKey(0x500, fields::kNodeImplicitTask);
const NodeKey kInnerRegion = MakeKey(0x600, fields::kNodeImplicitTask);
const NodeKey kTask = MakeKey(0x700, fields::kNodeExplicitTask);

// The frame pointer inside frame `k`, and its canonical frame address.
uintptr_t Fp(int k) { return kSp + 0x100 * k + 0xf0; }
uintptr_t Cfa(int k) { return kSp + 0x100 * k + 0x100; }

// A stack given root first: 'u' for user code (pc 0x4000 + position), 'p' for the program's, which is in an object, 'r'
// for the runtime's (0x9000 + position), 'g' for libgomp's, 'o' for libomptarget's.
class Stack {
 public:
  explicit Stack(const std::string& root_first) {
    const int size = static_cast<int>(root_first.size());
    for (int k = 0; k < size; ++k) {
      const char code = root_first[size - 1 - k];
      frames_.push_back({(code == 'r'   ? 0x9000u
                          : code == 'g' ? 0xb000u
                          : code == 'o' ? 0xd000u
                          : code == 'p' ? reinterpret_cast<uintptr_t>(&kRuntime)
                                        : 0x4000u) +
                             k,
                         Cfa(k), k != 0});
    }
    parts_ = {frames_.data(), static_cast<uint32_t>(size), nullptr, 0, false, false, kSp};
  }
  StackParts& parts() { return parts_; }

 private:
  std::vector<Frame> frames_;
  StackParts parts_;
};

// The path as text, root first: U and R for user and runtime frames, P, I and T for the markers of the region, the
// inner region and the task, / for the root, # for broken, ~ for cut.
std::string PathOf(Stack stack, const std::vector<TaskLevel>& levels, bool runtime_base) {
  NodeKey keys[256];
  const uint32_t size = Classify(stack.parts(), levels.data(), static_cast<uint32_t>(levels.size()), runtime_base,
                                 kRuntime, 7, keys, 256);
  std::string text;
  for (uint32_t i = 0; i < size; ++i) {
    const uint8_t kind = KeyKind(keys[i]);
    switch (kind & 15) {
      case fields::kNodeRoot:
        text += KeyValue(keys[i]) == 7 ? '/' : '?';
        break;
      case fields::kNodeFrame:
        text += (kind & fields::kNodeRuntime) != 0 ? 'R' : 'U';
        break;
      case fields::kNodeImplicitTask:
        text += keys[i] == kRegion ? 'P' : keys[i] == kInnerRegion ? 'I' : '?';
        break;
      case fields::kNodeExplicitTask:
        text += keys[i] == kTask ? 'T' : '?';
        break;
      case fields::kNodeBroken:
        text += '#';
        break;
      case fields::kNodeCut:
        text += '~';
        break;
      default:
        text += '?';
    }
  }
  return text;
}

TaskLevel Level(NodeKey marker, uintptr_t exit, int exit_flags, uintptr_t enter, int enter_flags) {
  return {exit, enter, exit_flags, enter_flags, marker};
}
const TaskLevel kInitial = {0, 0, 0, 0, 0};

std::vector<TaskLevel> Mended(std::vector<TaskLevel> levels) {
  libomp::MendLevels(levels.data(), static_cast<uint32_t>(levels.size()));
  return levels;
}

TEST(Classify, WithoutOmptEverythingIsTheUsers) { EXPECT_EQ(PathOf(Stack("uuu"), {}, false), "/UUU"); }

TEST(Classify, RuntimeCodeIsTheRuntimesWithoutAnyMarker) {
  EXPECT_EQ(PathOf(Stack("uurr"), {kInitial}, false), "/UURR");
  EXPECT_EQ(PathOf(Stack("uuru"), {kInitial}, false), "/UURR") << "what the runtime calls (libc's futex) is its own";
}

// A runtime calls the program's code for a reduction at a barrier. That code is the user's, with its callees. Code of
// other objects that the runtime calls is not, and neither are calls without a user's frame around them.
TEST(Classify, CodeThatTheRuntimeCallsBack) {
  const auto program = reinterpret_cast<uintptr_t>(&kInitial),
             libc = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "getpid"));
  std::vector<TaskLevel> levels = {kInitial};
  const auto path = [&](const std::string& root_first, bool runtime_base) {
    std::vector<Frame> frames;
    for (size_t k = 0; k < root_first.size(); ++k) {
      const char code = root_first[root_first.size() - 1 - k];
      frames.push_back({code == 'p' ? program : code == 'c' ? libc : 0x9000 + k, Cfa(static_cast<int>(k)), k != 0});
    }
    const StackParts parts{frames.data(), static_cast<uint32_t>(frames.size()), nullptr, 0, false, false, kSp};
    NodeKey keys[32];
    const uint32_t size =
        Classify(parts, levels.data(), static_cast<uint32_t>(levels.size()), runtime_base, kRuntime, 7, keys, 32);
    std::string text;
    for (uint32_t i = 1; i < size; ++i) {
      text += keys[i] == kRegion                               ? 'P'
              : keys[i] == kInnerRegion                        ? 'I'
              : (KeyKind(keys[i]) & fields::kNodeRuntime) != 0 ? 'R'
                                                               : 'U';
    }
    return text;
  };
  EXPECT_EQ(path("prp", false), "URU");
  EXPECT_EQ(path("prrpcpr", false), "URRUUUR");
  EXPECT_EQ(path("prc", false), "URR");
  EXPECT_EQ(path("crp", true), "RRR") << "a worker that is in no task";
  EXPECT_EQ(path("crc", false), "URR") << "the runtime's destructor, called by exit";
  // The implicit task of a teams construct has no exit frame. Its marker comes before its code.
  levels = {Level(kInnerRegion, Fp(1), kRuntimeFp, 0, 0), Level(kRegion, 0, 0, Fp(2), kRuntimeFp),
            Level(0, 0, 0, Fp(4), kRuntimeFp)};
  EXPECT_EQ(path("prprrp", false), "URPURRIU");
}

TEST(Classify, WhatGompCallsWithoutAMarkerIsTheUsers) {
  // A construct that the shim does not know: libgomp calls the program, and no exit frame says so.
  EXPECT_EQ(PathOf(Stack("ugu"), {kInitial}, false), "/URU");
  EXPECT_EQ(PathOf(Stack("uug"), {kInitial}, false), "/UUR");
}

// Of many tasks within each other, only the innermost are known. The region's own exit frame is not known either.
TEST(Classify, UnknownTasksOfGompAreWithinTheRegion) {
  // main, the fork call, two unknown tasks, and the known task.
  const std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, 0, 0), Level(kRegion, 0, 0, 0, 0),
                                         Level(0, 0, 0, 0, 0)};
  EXPECT_EQ(PathOf(Stack("pgpgpgp"), levels, false), "/URPURURTU");
}

// Likewise, and the unknown tasks have left no frame of the program, or all of their frames are cut.
TEST(Classify, ACutWithinTheRegionIsBehindItsMarker) {
  std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, 0, 0), Level(kRegion, 0, 0, 0, 0),
                                   Level(0, 0, 0, 0, 0)};
  const auto path = [&](const std::string& root_first) {
    Stack root(root_first), leaf("gp");
    std::vector<Frame> frames(root.parts().leaf, root.parts().leaf + root.parts().leaf_size);
    for (size_t k = 0; k < frames.size(); ++k) frames[k].cfa = Cfa(static_cast<int>(k) + 9);
    leaf.parts().root = frames.data();
    leaf.parts().root_size = static_cast<uint32_t>(frames.size());
    leaf.parts().cut = true;
    return PathOf(leaf, levels, false);
  };
  EXPECT_EQ(path("pggg"), "/URRRP~RTU");
  EXPECT_EQ(path("pp"), "/UU~RPTU") << "the region may be in the part that was cut";
  levels[1] = Level(kRegion, Fp(10), kRuntimeFp, 0, 0);
  EXPECT_EQ(path("pggg"), "/URRRP~RTU");
  levels[1] = Level(kRegion, Fp(5), kRuntimeFp, 0, 0);
  EXPECT_EQ(path("pggg"), "/URRR~PRTU") << "the exit frame is in the part that was cut";
}

TEST(Classify, AStackThatIsTooDeepIsCutAndNotBroken) {
  Stack stack("uu");
  stack.parts().broken = true;
  EXPECT_EQ(PathOf(stack, {}, false), "/#UU");
  stack.parts().starved = true;
  EXPECT_EQ(PathOf(stack, {}, false), "/~UU");
}

// The program's code for a device: offload_test and omptarget_test.
TEST(Classify, WhatAnOffloadingRuntimeCallsIsItsOwn) {
  EXPECT_EQ(PathOf(Stack("uoou"), {kInitial}, false), "/URRR") << "a copy of data to the device";
  EXPECT_EQ(PathOf(Stack("uor"), {kInitial}, false), "/URR");
}

TEST(Classify, PrimaryInItsRegion) {
  // main, fork call, invoke, outlined, body. invoke (frame 2) is the exit frame, fork call (frame 3) the enter frame of
  // the initial task.
  const std::vector<TaskLevel> levels = {Level(kRegion, Fp(2), kRuntimeFp, 0, 0), Level(0, 0, 0, Fp(3), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, TaskAtTheEndOfTheRegion) {
  // main, fork call, barrier (the implicit task's frames have gone), invoke task, task. The region is still around the
  // task.
  const std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, 0, 0), Level(kRegion, 0, 0, 0, 0),
                                         Level(0, 0, 0, Fp(3), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("urrru"), levels, false), "/URRRPTU");
  // The region is created and not started: nothing belongs to it.
  EXPECT_EQ(PathOf(Stack("urrr"), {Level(kRegion, 0, 0, 0, 0), Level(0, 0, 0, Fp(2), kRuntimeFp)}, false), "/URRR");
  // A worker: the code around its implicit task is on another stack.
  EXPECT_EQ(PathOf(Stack("rru"), {Level(kTask, Fp(1), kRuntimeFp, 0, 0), Level(kRegion, 0, 0, 0, 0)}, true), "/RRTU");
}

TEST(Classify, EnterFrameOfTheUsersFlag) {
  // The enter frame is main's own frame (frame 4). It stays the user's, and younger frames are the runtime's.
  const std::vector<TaskLevel> levels = {Level(kRegion, Fp(2), kRuntimeFp, 0, 0),
                                         Level(0, 0, 0, Fp(4), kApplicationFp)};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, CanonicalFrameAddresses) {
  const std::vector<TaskLevel> levels = {Level(kRegion, Cfa(2), kRuntimeCfa, 0, 0),
                                         Level(0, 0, 0, Cfa(4), kApplicationCfa)};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, ExitFrameOfTheTasksOwnFlag) {
  const std::vector<TaskLevel> levels = {Level(kRegion, Fp(1), kApplicationFp, 0, 0), kInitial};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, RuntimeFramesYoungerThanTheExitFrameStayTheRuntimes) {
  // The exit frame is the fork call's (frame 3). The trampoline below it is the runtime's code, too.
  const std::vector<TaskLevel> levels = {Level(kRegion, Fp(3), kRuntimeFp, 0, 0), kInitial};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, RuntimesFrameThatTheWalkLeftOut) {
  // Generated code (frame 1: no object holds it) has no unwinding tables, so the frame of the runtime that the marker
  // names is missing between frames 2 and 1. The marker lies inside frame 1.
  const std::vector<TaskLevel> levels = {Level(kRegion, Fp(1), kRuntimeFp, 0, 0), Level(0, 0, 0, Fp(3), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, TheWalkWentOnAtTheTasksCaller) {
  // main and the runtime's fork call; the exit frame is in the gap; a frame without tables. The enter frame is the fork
  // call's.
  std::vector<Frame> leaf = {{0x4000, kSp, false}};
  std::vector<Frame> root = {{0x9001, Cfa(4), true}, {0x4002, Cfa(5), true}};
  StackParts parts{leaf.data(), 1, root.data(), 2, true, false, kSp};
  parts.resumed = true;
  const TaskLevel levels[] = {Level(kRegion, Fp(2), kRuntimeFp, 0, 0), Level(0, 0, 0, Fp(4), kRuntimeFp)};
  NodeKey keys[16];
  const uint32_t size = Classify(parts, levels, 2, false, kRuntime, 7, keys, 16);
  ASSERT_EQ(size, 6u);
  EXPECT_EQ(KeyKind(keys[1]) & fields::kNodeRuntime, 0) << "main";
  EXPECT_NE(KeyKind(keys[2]) & fields::kNodeRuntime, 0);
  EXPECT_EQ(keys[3], kRegion);
  EXPECT_EQ(KeyKind(keys[4]) & 15, fields::kNodeCut);
  EXPECT_EQ(KeyKind(keys[5]) & (15 | fields::kNodeRuntime), fields::kNodeFrame);
}

TEST(Classify, WorkerBeginsInTheRuntime) {
  // clone, start_thread, launch, invoke, outlined, body. The first two are libc's code.
  const std::vector<TaskLevel> levels = {Level(kRegion, Fp(2), kRuntimeFp, 0, 0)};
  EXPECT_EQ(PathOf(Stack("uurruu"), levels, true), "/RRRRPUU");
}

TEST(Classify, WorkerWaitingAtTheBarrier) {
  // Both frames of the implicit task are NULL: the task is over.
  EXPECT_EQ(PathOf(Stack("uurrr"), {Level(kRegion, 0, 0, 0, 0)}, true), "/RRRRR");
}

TEST(Classify, WorkerWithoutAnyTask) { EXPECT_EQ(PathOf(Stack("uur"), {}, true), "/RRR"); }

TEST(Classify, ExitFrameBelowTheTopIsSkipped) {
  // The exit frame is set, but the runtime has not called user code yet.
  EXPECT_EQ(PathOf(Stack("uurr"), {Level(kRegion, kSp - 0x80, kRuntimeFp, 0, 0)}, true), "/RRRR");
}

TEST(Classify, TaskNotStartedIsSkipped) {
  const std::vector<TaskLevel> levels = {Level(kTask, 0, 0, 0, 0), Level(kRegion, Fp(2), kRuntimeFp, 0, 0), kInitial};
  EXPECT_EQ(PathOf(Stack("urruu"), levels, false), "/URRPUU");
}

TEST(Classify, ExplicitTaskInsideABarrier) {
  // Worker base (8 7), launch (6), invoke (5), outlined (4), which called the barrier (3), which executes a task:
  // invoke (2), task entry (1), body (0).
  const std::vector<TaskLevel> levels = {Level(kTask, Fp(2), kRuntimeFp, 0, 0),
                                         Level(kRegion, Fp(5), kRuntimeFp, Fp(3), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("uurrurruu"), levels, true), "/RRRRPURRTUU");
}

TEST(Classify, TaskOfAWorkerWhoseImplicitTaskIsOver) {
  // At the region's end the implicit task has no frames. The explicit task runs from the barrier.
  const std::vector<TaskLevel> levels = {Level(kTask, Fp(2), kRuntimeFp, 0, 0), Level(kRegion, 0, 0, 0, 0)};
  EXPECT_EQ(PathOf(Stack("uurruu"), levels, true), "/RRRRTUU");
}

TEST(Classify, NestedRegionsOnOneStack) {
  // worker base (9 8), launch (7), invoke (6), outer outlined (5), fork (4), invoke (3), inner outlined (2), user (1),
  // runtime leaf (0).
  const std::vector<TaskLevel> levels = {Level(kInnerRegion, Fp(3), kRuntimeFp, 0, 0),
                                         Level(kRegion, Fp(6), kRuntimeFp, Fp(4), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("uurrurruur"), levels, true), "/RRRRPURRIUUR");
}

TEST(Classify, MergedTaskPutsNoMarker) {
  const std::vector<TaskLevel> levels = {Level(0, Fp(2), kRuntimeFp, 0, 0),
                                         Level(kRegion, Fp(5), kRuntimeFp, Fp(3), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("uurrurruu"), levels, true), "/RRRRPURRUU");
}

TEST(Classify, ExitFrameEqualToTheEnterFrameElidesNothing) {
  // The inner task's exit frame is the outer task's enter frame, both the user's own: nothing lies between them.
  const std::vector<TaskLevel> levels = {Level(kInnerRegion, Fp(1), kApplicationFp, 0, 0),
                                         Level(kRegion, Fp(3), kRuntimeFp, Fp(2), kApplicationFp)};
  EXPECT_EQ(PathOf(Stack("uruuu"), levels, false), "/URPUIUU");
}

// A task with dependences on LLVM's runtime begins with the frame of the call that created it.
TEST(Classify, BodyLeftByAJump) {
  // main, fork call, invoke, the barrier to which the region's body has jumped, the task.
  const std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, 0, 0),
                                         Level(kRegion, Fp(3), kRuntimeFp, Fp(2), kRuntimeFp),
                                         Level(0, 0, 0, Fp(4), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("urrrru"), levels, false), "/URRRPRTU");
  // The body of a region has jumped to the fork call of an inner region.
  const std::vector<TaskLevel> nested = {Level(kInnerRegion, Fp(1), kRuntimeFp, 0, 0),
                                         Level(kRegion, Fp(3), kRuntimeFp, Fp(2), kRuntimeFp),
                                         Level(0, 0, 0, Fp(4), kRuntimeFp)};
  EXPECT_EQ(PathOf(Stack("urrrru"), nested, false), "/URRRPRIU");
}

TEST(MendLevels, EnterFrameOnTheCreatorsStack) {
  // Two frames of the runtime, the region's body, the barrier at its end, the task.
  const Stack stack("rrurrru");
  for (const uintptr_t elsewhere : {uintptr_t{0x7fff0000}, uintptr_t{0x10}}) {
    SCOPED_TRACE(elsewhere);
    const std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, elsewhere, kRuntimeFp),
                                           Level(kRegion, Fp(5), kRuntimeFp, Fp(3), kRuntimeFp)};
    EXPECT_EQ(PathOf(stack, Mended(levels), true), "/RRPURRRTU");
  }
}

TEST(MendLevels, EnterFrameOnTheCreatorsStackAroundAnotherTask) {
  // The same stack with another task in the task. The first task's enter frame has not been renewed.
  const Stack stack("rrurrrurru");
  for (const uintptr_t elsewhere : {uintptr_t{0x7fff0000}, uintptr_t{0x10}}) {
    SCOPED_TRACE(elsewhere);
    const std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, 0, 0),
                                           Level(kTask, Fp(4), kRuntimeFp, elsewhere, kRuntimeFp),
                                           Level(kRegion, Fp(8), kRuntimeFp, Fp(6), kRuntimeFp)};
    EXPECT_EQ(PathOf(stack, Mended(levels), true), "/RRPURRRTURRTU");
  }
}

TEST(MendLevels, ExecutedByItsCreator) {
  // main, fork call, invoke, body, barrier and invoke, task. The barrier is where the call was that created the task.
  const Stack stack("urrurru");
  const std::vector<TaskLevel> levels = {Level(kTask, Fp(1), kRuntimeFp, Fp(2), kRuntimeFp),
                                         Level(kRegion, Fp(4), kRuntimeFp, Fp(2), kRuntimeFp),
                                         Level(0, 0, 0, Fp(5), kRuntimeFp)};
  EXPECT_EQ(PathOf(stack, Mended(levels), false), "/URRPURRTU");
}

TEST(Classify, EnterFrameOnTheCreatorsStackWithinTheTask) {
  // main, fork call, invoke, the barrier at the region's end, the task, and its callee.
  const Stack stack("prrrrpp");
  // In the runtime's frame that calls the task, too.
  for (const uintptr_t enter : {Fp(0), Fp(1), Fp(2) - 0x40}) {
    const std::vector<TaskLevel> levels = {Level(kTask, Fp(2), kRuntimeFp, enter, kRuntimeFp),
                                           Level(kRegion, 0, 0, 0, 0), Level(0, 0, 0, Fp(5), kRuntimeFp)};
    EXPECT_EQ(PathOf(stack, Mended(levels), false), "/URRRRPTUU") << enter - kSp;
  }
}

// A region that is serialized within a teams construct. LLVM's runtime writes the region's exit frame into the task
// around it.
TEST(MendLevels, ExitFrameInTheTaskAround) {
  // Three frames of the runtime, the body of teams, fork call, invoke, the region's body. The outer body has lost its
  // own exit frame, which says that the body is the user's.
  const Stack stack("rrrurru");
  const std::vector<TaskLevel> levels = {Level(kInnerRegion, 0, 0, 0, 0),
                                         Level(kRegion, Fp(1), kRuntimeFp, Fp(3), kRuntimeFp)};
  EXPECT_EQ(PathOf(stack, Mended(levels), true), "/RRRRRRIU");
  EXPECT_EQ(PathOf(stack, levels, true), "/RRRRRRR") << "as the runtime has them";
}

TEST(MendLevels, LeavesTheRestAlone) {
  const std::vector<TaskLevel> levels = {Level(kInnerRegion, Fp(1), kApplicationFp, 0, 0),
                                         Level(kRegion, Fp(3), kRuntimeFp, Fp(2), kApplicationFp),
                                         Level(kTask, Cfa(3), kApplicationCfa, Cfa(3), kApplicationCfa), kInitial};
  const std::vector<TaskLevel> mended = Mended(levels);
  for (size_t i = 0; i < levels.size(); ++i) {
    EXPECT_EQ(mended[i].exit_frame, levels[i].exit_frame);
    EXPECT_EQ(mended[i].enter_frame, levels[i].enter_frame);
  }
}

TEST(Classify, BrokenStackCountsAsTheUsers) {
  Stack stack("uu");
  stack.parts().broken = true;
  EXPECT_EQ(PathOf(stack, {}, true), "/#UU");
}

TEST(Classify, MarkersInsideACutHold) {
  // Root part: clone, launch. Cut: the invoke frame and many user frames. Leaf part: two user frames.
  std::vector<Frame> leaf = {{0x4000, 0x1100, false}, {0x4001, 0x1200, true}};
  std::vector<Frame> root = {{0x9001, 0x9000, true}, {0x4002, 0x9100, true}};
  const StackParts parts{leaf.data(), 2, root.data(), 2, true, false, kSp};
  const TaskLevel level = Level(kRegion, 0x8000, kRuntimeFp, 0, 0);
  NodeKey keys[16];
  const uint32_t size = Classify(parts, &level, 1, true, kRuntime, 7, keys, 16);
  ASSERT_EQ(size, 7u);
  EXPECT_EQ(KeyKind(keys[1]) & fields::kNodeRuntime, fields::kNodeRuntime);
  EXPECT_EQ(KeyKind(keys[2]) & fields::kNodeRuntime, fields::kNodeRuntime);
  EXPECT_EQ(KeyKind(keys[3]), fields::kNodeCut);
  EXPECT_EQ(keys[4], kRegion);
  EXPECT_EQ(KeyKind(keys[5]) & fields::kNodeRuntime, 0);
  EXPECT_EQ(KeyKind(keys[6]) & fields::kNodeRuntime, 0);
}

TEST(Classify, NeverWritesPastTheLimit) {
  NodeKey keys[5] = {0, 0, 0, 0, 0xdead};
  Stack stack("uuuuuuuu");
  EXPECT_EQ(Classify(stack.parts(), nullptr, 0, false, kRuntime, 7, keys, 4), 4u);
  EXPECT_EQ(keys[4], 0xdeadu);
}

}  // namespace
}  // namespace ompprof::collect
