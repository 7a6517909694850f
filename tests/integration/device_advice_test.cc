// Programs with a known flaw in their use of a device get the fitting advice. The mended program saves what the advice
// says, and gets no such advice. On the reference device (runtime_shim/device), with slow copies.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

Launch Flaws(const std::string& mode, const char* which) {
  Launch launch{"device_flaws_gcc", {mode, which, "600"}};
  launch.load = Load::kRecord;
  launch.preload_also = ReferenceDevicePath();
  launch.environment["OMP_NUM_THREADS"] = "1";
  launch.environment["GOMP_REFERENCE_COPY_RATE"] = "200";  // 8 MiB in 42 ms
  return launch;
}

const char* const kKinds[] = {"transfers", "nowait-launches", "idle-device", "keep-data", "short-kernels"};

// The advice on devices.
nlohmann::json DeviceAdvice(const Recorded& recorded) {
  nlohmann::json found = nlohmann::json::array();
  for (const nlohmann::json& advice : recorded.profile.report().value("advice", nlohmann::json::array())) {
    const std::string kind = advice.value("kind", "");
    if (std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds)) found.push_back(advice);
  }
  return found;
}

struct Flaw {
  const char* mode;
  const char* advice;
  const char* where;
};

class DeviceFlaws : public ::testing::TestWithParam<Flaw> {};
INSTANTIATE_TEST_SUITE_P(Flaws, DeviceFlaws,
                         ::testing::Values(Flaw{"transfers", "transfers", "launch_mapped [omp target "},
                                           Flaw{"alternate", "nowait-launches", "launch [omp target "},
                                           Flaw{"idle-device", "idle-device", "the host's work"}),
                         [](const auto& info) {
                           std::string name = info.param.mode;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(DeviceFlaws, AreNamed) {
  const Flaw& flaw = GetParam();
  Decide([&](Claims* claims) {
    const auto flawed = Record(Flaws(flaw.mode, "flawed"));
    const auto mended = Record(Flaws(flaw.mode, "mended"));
    ASSERT_TRUE(flawed && mended);
    const nlohmann::json advice = DeviceAdvice(*flawed);
    const bool fits = advice.size() == 1 && advice[0]["kind"] == flaw.advice;
    claims->Mostly("the only advice is the one that fits", fits);
    for (const char* kind : kKinds) {
      const nlohmann::json left = DeviceAdvice(*mended);
      const bool none = std::none_of(left.begin(), left.end(), [kind](const auto& one) { return one["kind"] == kind; });
      claims->Mostly(std::string("mended, without the advice ") + kind, none);
    }
    if (!fits) return;
    EXPECT_EQ(advice[0].value("where", "").rfind(flaw.where, 0), 0u) << advice.dump(1);
    EXPECT_FALSE(advice[0].value("evidence", "").empty());
  });
}

// Kernels wait for processors that other programs use, and copies do not: the times need a quiet machine.
TEST_P(DeviceFlaws, SaveWhatTheAdviceSays) {
  const Flaw& flaw = GetParam();
  Decide([&](Claims* claims) {
    const auto flawed = Record(Flaws(flaw.mode, "flawed"));
    const auto mended = Record(Flaws(flaw.mode, "mended"));
    ASSERT_TRUE(flawed && mended);
    const nlohmann::json advice = DeviceAdvice(*flawed);
    ASSERT_EQ(advice.size(), 1u) << advice.dump(1);
    const double saved = flawed->truth.elapsed.at(flaw.mode) - mended->truth.elapsed.at(flaw.mode);
    claims->Near("the gain, of the time saved", advice[0].value("gain_ns", 0.0) / saved, 1, 0.125);
  });
}

// Commands whose questions are of parallel regions say so.
TEST(WithoutDeviceFlaws, PredictionsAreOfRegions) {
  const auto recorded = Record(Flaws("control", "flawed"));
  ASSERT_TRUE(recorded);
  const std::string& file = recorded->outcome.profiles[0];
  const Outcome target = RunCommand({OmpprofPath(), "whatif", "--balance", "launch", file});
  EXPECT_TRUE(target.Exited(2)) << target.Describe();
  EXPECT_NE(target.err.find("'launch' means a target construct"), std::string::npos) << target.err;
  const Outcome none = RunCommand({OmpprofPath(), "whatif", "--balance", "nowhere", file});
  EXPECT_NE(none.err.find("the profile has no parallel regions"), std::string::npos) << none.err;
  const Outcome threads = RunCommand({OmpprofPath(), "whatif", "--threads=4", "--processors=4", file});
  EXPECT_NE(threads.out.find("waits for devices take as long as now"), std::string::npos) << threads.Describe();
}

// On a busy machine, the measuring of the processor before takes as long as a part of the waits.
TEST(WithoutDeviceFlaws, ThereIsNoAdvice) {
  Decide([](Claims* claims) {
    const auto recorded = Record(Flaws("control", "flawed"));
    ASSERT_TRUE(recorded);
    claims->Mostly("there is no advice", DeviceAdvice(*recorded).empty());
  });
}

}  // namespace
}  // namespace ompprof::testing
