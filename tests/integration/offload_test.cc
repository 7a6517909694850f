// LLVM's offloading runtime is a runtime: its frames, and the copies of data to and from the device, are no user
// frames. The code of target regions that it calls on the host is the user's.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

void AddRecording(Claims* claims) {
  // The code of the regions lies in a file that exists no longer, which is a warning.
  const Outcome outcome = RunProgram({"offload", {"800"}});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  const Truth truth = Truth::Parse(outcome.out);
  if (truth.counts.at("devices") == 0) {
    GTEST_SKIP() << "LLVM's offloading runtime (libomptarget) has no device here: its package is not installed, or has "
                    "no plugin for this processor.";
  }
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  double regions = 0, in_runtime = 0;
  for (const nlohmann::json& function : profile.report()["functions"]) {
    const std::string module = function.value("module", "");
    // The runtime registers the program's regions, with copies of its own, before it starts the tool.
    if (module.find("libomptarget") != std::string::npos || module.find("libffi") != std::string::npos ||
        function.value("name", "").find("memcpy") != std::string::npos) {
      in_runtime = std::max(in_runtime, function.value("total_cpu_ns", 0.0));
    }
    if (module.rfind("/tmp/", 0) == 0) regions += function.value("self_cpu_ns", 0.0);
  }
  claims->AtMost("percent of the CPU time in a function of the runtime", 100 * in_runtime / profile.CpuNs(), 0, 1);
  claims->Near("regions", 100 * regions / profile.CpuNs(), 100 * truth.elapsed.at("regions") / truth.process, 2);
  claims->Near("serial work", 100 * profile.FunctionSelfNs("serial_work") / profile.CpuNs(),
               100 * truth.functions.at("serial_work") / truth.process, 2);
  const double copies = truth.process - truth.elapsed.at("regions") - truth.functions.at("serial_work");
  claims->Near("copies", 100 * profile.FunctionSelfNs("<omp overhead>") / profile.CpuNs(), 100 * copies / truth.process,
               3);
}

TEST(Offload, FramesOfTheRuntimeAndOfTheRegions) { Decide(AddRecording); }

}  // namespace
}  // namespace ompprof::testing
