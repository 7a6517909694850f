// Three thousand tasks within tasks: more than a sample can ask the runtime for, and a stack of ten thousand frames and
// more. The innermost task's time is its own, and is below main and below the region.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

class TaskChain : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, TaskChain, ::testing::Values("task_chain", "task_chain_gcc"),
                         [](const auto& info) { return std::string(info.param); });

// The stack's root: main, then the region, and only then what was cut.
bool HasWholeRoot(const Profile::Stack& stack) {
  if (stack.frames.front().function != "main") return false;
  for (const Profile::Frame& frame : stack.frames) {
    if (frame.function.rfind("chain_region [omp parallel", 0) == 0) return true;
    if (frame.function == "<frames cut>") return false;
  }
  return false;
}

TEST_P(TaskChain, TheInnermostTaskIsBelowItsRegion) {
  const auto recorded = Record({GetParam(), {"2000"}});
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const double work = each.truth.Work();
    double whole = 0, stopped = 0;
    for (const Profile::Stack& stack : each.profile.stacks()) {
      if (stack.frames.back().function == "innermost_work" && HasWholeRoot(stack)) whole += stack.ns;
      if (stack.frames.front().function == "<unwind stopped>") stopped += stack.ns;
    }
    claims->Near("the innermost task's own time", each.profile.FunctionSelfNs("innermost_work") / work, 1, 0.05);
    // The first samples do not reach the stack's root.
    claims->AtLeast("below main and the region", whole / work, 1, 0.1);
    claims->AtMost("stacks without unwinding tables", stopped / work, 0, 0.01);
  });
  // It ends, and the report does not say otherwise.
  const std::string notes = recorded->profile.report().value("notes", nlohmann::json::array()).dump();
  EXPECT_NE(notes.find("too many tasks lay within each other ("), std::string::npos) << notes;
}

}  // namespace
}  // namespace ompprof::testing
