// Devices of LLVM's offloading runtime (libomptarget 19). Each of its devices here is the host's processor, and
// executes a kernel on the thread that launches it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/integration/expect.h"
#include "tests/integration/pprof_stacks.h"

namespace ompprof::testing {
namespace {

Launch OnOmptarget(const std::string& program, const std::vector<std::string>& arguments) {
  Launch launch{program, arguments};
  launch.load = Load::kRecord;
  launch.environment["LD_LIBRARY_PATH"] = OffloadFolder() + "/lib";
  return launch;
}

// 20 rounds of 10 ms in each of two constructs.
Launch Devices() { return OnOmptarget("devices_offload", {"20", "10"}); }

// The sum of `member` over the objects of the array whose `name` begins with `value`.
double Sum(const nlohmann::json& array, const char* name, const std::string& value, const char* member) {
  double sum = 0;
  for (const nlohmann::json& each : array) {
    if (each.value(name, "").rfind(value, 0) == 0) sum += each.value(member, 0.0);
  }
  return sum;
}

TEST(Omptarget, LaunchesCopiesAndTimes) {
  const auto recorded = Record(Devices());
  ASSERT_TRUE(recorded);
  const Truth& truth = recorded->truth;
  ASSERT_EQ(truth.counts.at("devices"), 4);
  const double rounds = truth.counts.at("rounds"), mapped = truth.counts.at("mapped");
  const nlohmann::json devices = recorded->profile.report().value("devices", nlohmann::json::array());
  ASSERT_EQ(devices.size(), 4u) << devices.dump(1);
  const nlohmann::json& device = devices[0];
  EXPECT_TRUE(device.value("type", "") == "generic-64bit" || device.value("type", "").empty()) << device.dump(1);
  for (const char* construct : {"both_ways [omp target devices.cc:21]", "kept_there [omp target devices.cc:36]"})
    EXPECT_EQ(Sum(device["kernels"], "function", construct, "launches"), rounds) << device["kernels"].dump(1);
  const double kernels = Sum(device["kernels"], "function", "", "time_ns");
  EXPECT_EQ(device.value("busy_ns", 0.0), kernels);
  EXPECT_GE(kernels, truth.elapsed.at("kernels"));
  EXPECT_LE(kernels, Sum(device["operations"], "work", "target", "time_ns"));
  // The array, and the results.
  EXPECT_EQ(Sum(device["copies"], "direction", "to_device", "bytes"), (rounds + 1) * mapped);
  EXPECT_EQ(Sum(device["copies"], "direction", "from_device", "bytes"), rounds * mapped + 2 * rounds * 8);
  for (size_t other = 1; other < devices.size(); ++other) EXPECT_EQ(devices[other].value("busy_ns", 1.0), 0);
}

// A kernel's code is the program's, below its construct, and the copies are <omp target>. Each construct has its line,
// which clang's optimizer takes from the call.
TEST(Omptarget, PathsAndStates) {
  Launch launch = Devices();
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Profile& profile = each.profile;
    double kernels = 0;
    for (const nlohmann::json& function : profile.report()["functions"]) {
      const std::string name = function.value("name", "");
      if (name == "kernel_work") kernels += function.value("self_cpu_ns", 0.0);
      if (name.find("[omp target") != std::string::npos) {
        EXPECT_NE(name.find("devices.cc:"), std::string::npos) << name;
      }
    }
    // The runtime registers the program's regions before it starts the tool. That takes as long as files are read.
    double in_runtime = 0;
    for (const Profile::Stack& stack : profile.stacks()) {
      const auto any = [&](const char* begin) {
        return std::any_of(stack.frames.begin(), stack.frames.end(),
                           [&](const Profile::Frame& frame) { return frame.function.rfind(begin, 0) == 0; });
      };
      if ((any("libomptarget.so") || any("__tgt_")) && !any("__tgt_register_lib")) in_runtime += stack.ns;
    }
    EXPECT_GT(profile.FunctionSelfNs("<omp target>"), 0);
    const double all = profile.CpuNs();
    claims->AtMost("percent of the CPU time in the runtime", 100 * in_runtime / all, 0, 1);
    claims->AtMost("percent of the CPU time that is overhead", 100 * profile.FunctionSelfNs("<omp overhead>") / all, 0,
                   1);
    claims->Mostly("kernels are sampled for no more than their time",
                   kernels <= 1.02 * each.truth.elapsed.at("kernels"));
    // What remains is the calibration, copies of 42 MB, and the runtime's start.
    claims->Mostly("kernels are most of the CPU time", kernels >= 0.85 * all);
  });
}

// The launches of `mode` come back to these functions.
void ExpectLaunches(const std::string& mode, int rounds, const std::vector<std::string>& functions) {
  const auto recorded = Record(OnOmptarget("device_paths_offload", {mode, std::to_string(rounds)}));
  ASSERT_TRUE(recorded);
  const Stacks kernels = StacksOf(recorded->outcome.profiles[0], "kernel");
  double all = 0;
  for (const std::string& function : functions) {
    const double found = Under(kernels, function);
    EXPECT_GE(found, recorded->truth.elapsed.at(function)) << function << "\n" << Describe(kernels);
    all += found;
  }
  EXPECT_EQ(all, Under(kernels, "main")) << Describe(kernels);
}

TEST(Omptarget, TwoPathsToOneConstruct) { ExpectLaunches("paths", 10, {"short_kernels", "long_kernels"}); }
TEST(Omptarget, ThreadsOfARegion) { ExpectLaunches("threads", 40, {"team_of_launches"}); }
TEST(Omptarget, NestedRegions) { ExpectLaunches("nested", 10, {"first_outer", "second_outer"}); }
TEST(Omptarget, TasksWithNowait) { ExpectLaunches("nowait", 20, {"short_tasks", "long_tasks"}); }

// Debian's package of the runtime alone has no libomp.so, by which libomptarget finds OMPT.
TEST(Omptarget, WithoutTheFile) {
  if (RuntimeFolder(19).empty()) GTEST_SKIP() << "libomp 19 is not under .deps/: scripts/setup could not download it.";
  Launch launch = Devices();
  launch.arguments = {"5", "2"};
  launch.environment["LD_LIBRARY_PATH"] = RuntimeFolder(19);
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_FALSE(recorded->profile.report().contains("devices"));
  const Outcome text = RunCommand({OmpprofPath(), "report", "--devices", recorded->outcome.profiles[0]});
  EXPECT_NE(text.out.find("target regions are not seen"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("put a link of this name to the program's libomp.so.5"), std::string::npos) << text.out;
}

// A program that has the file gets no such note.
TEST(Omptarget, WithTheFile) {
  Launch launch = Devices();
  launch.arguments = {"5", "2"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const Outcome text = RunCommand({OmpprofPath(), "report", "--full", recorded->outcome.profiles[0]});
  EXPECT_EQ(text.out.find("are not seen"), std::string::npos) << text.out;
}

}  // namespace
}  // namespace ompprof::testing
