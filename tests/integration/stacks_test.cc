// Stacks that a sample must not touch freely: pages that cannot be read, and alternate signal stacks that have no room,
// serve coroutines, or are gone. The programs report the damage that they find. It must be the damage that they find
// without the profiler, and their work must be in the profile.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

// All lines of the output but the truth.
std::string Findings(const std::string& out) { return out.substr(0, out.find("truth ")); }

struct Case {
  std::string program;
  std::vector<std::string> arguments;
  int status;
  std::string engine = "cfi";
  bool handler_has_samples = true;  // its work is none if the program's handler is never called
};

Outcome RunHost(const Case& host, Load load) {
  Launch launch{host.program, host.arguments};
  launch.arguments.push_back("150");
  launch.load = load;
  launch.frequency = 10000;
  if (load != Load::kNone) launch.environment["OMPPROF_UNWIND"] = host.engine;
  return RunProgram(launch);
}

// Records once. The program's findings must be those of `plain`, its run without the profiler.
void AddRecording(const Case& host, const Outcome& plain, Claims* claims) {
  const Outcome profiled = RunHost(host, Load::kRecord);
  ASSERT_TRUE(profiled.Exited(host.status)) << profiled.Describe();
  EXPECT_EQ(Findings(profiled.out), Findings(plain.out));
  EXPECT_EQ(ForeignLines(profiled.err), plain.err);
  ASSERT_EQ(profiled.profiles.size(), 1u);
  const Profile profile(profiled.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  const Truth truth = Truth::Parse(profiled.out);
  const double work = truth.functions.at("host_work");
  claims->Near("work", profile.FunctionTotalNs("host_work") / work, 1, 0.1);
  EXPECT_EQ(profile.Lost(), 0);
  if (truth.functions.count("handler_work") == 0) return;
  const double in_handler = truth.functions.at("handler_work");
  if (in_handler == 0) return;
  if (host.handler_has_samples) {
    claims->Near("work in the program's handler", profile.FunctionTotalNs("handler_work") / in_handler, 1, 0.1);
    return;
  }
  // No sample fits on the stack beside the handler's frame. That time has a row of its own, and the report says why.
  EXPECT_EQ(profile.FunctionTotalNs("handler_work"), 0);
  claims->Near("handlers that cannot be sampled", profile.FunctionTotalNs("<not sampled: signal handler>") / in_handler,
               1, 0.1);
  const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
  EXPECT_NE(notes.find("signal handlers on alternate stacks of less than"), std::string::npos) << notes;
}

class Stacks : public ::testing::TestWithParam<Case> {};

TEST_P(Stacks, AreLeftAsTheyAre) {
  const Case& host = GetParam();
  const Outcome plain = RunHost(host, Load::kNone);
  ASSERT_TRUE(plain.Exited(host.status)) << "without the profiler: " << plain.Describe();
  Decide([&](Claims* claims) { AddRecording(host, plain, claims); });
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const std::string compiler : {"", "_gcc"}) {
    for (const char* mode : {"carved", "carved_without_cfi", "barrier", "barrier_by_number"})
      cases.push_back({"stack_pages" + compiler, {mode}, 7});
    for (const char* mode : {"carved", "barrier"}) cases.push_back({"stack_pages" + compiler, {mode}, 7, "fp"});
    // The sizes are MINSIGSTKSZ, AT_MINSIGSTKSZ of many machines, a little more, the old SIGSTKSZ, and a size with
    // room.
    for (const int size : {2048, 3632, 4096, 8192, 65536}) {
      for (const char* mode : {"small", "autodisarm"})
        cases.push_back({"signal_stacks" + compiler, {mode, std::to_string(size)}, 9, "cfi", size > 16384});
    }
    for (const char* mode : {"coroutines", "freed", "tiny"}) {
      for (const char* how : {"0", "1"}) cases.push_back({"signal_stacks" + compiler, {mode, how}, 9});
    }
  }
  return cases;
}

std::string NameOf(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.program;
  for (const std::string& argument : info.param.arguments) name += "_" + argument;
  return name + "_" + info.param.engine;
}

INSTANTIATE_TEST_SUITE_P(Programs, Stacks, ::testing::ValuesIn(Cases()), NameOf);

}  // namespace
}  // namespace ompprof::testing
