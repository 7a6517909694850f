// Programs whose heap goes back to the system are advised to keep it (tests/programs/returned_memory.cc). The advice is
// followed: the variables that it names take the faults away, and as much CPU time as it says.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

Launch OfMode(const std::string& program, const std::string& mode) {
  Launch launch{program, {mode, mode == "mapped" ? "60" : "300"}};
  launch.frequency = 1000;
  launch.threads = 1;  // no waits: wall time and CPU time are saved alike
  return launch;
}

nlohmann::json MemoryAdvice(const Profile& profile) {
  for (const nlohmann::json& advice : profile.report().value("advice", nlohmann::json::array())) {
    if (advice.value("kind", "") == "returned-memory") return advice;
  }
  return nullptr;
}

double Faults(const Profile& profile) {
  double faults = 0;
  for (const nlohmann::json& thread : profile.report().at("threads")) faults += thread.value("minor_faults", 0.0);
  return faults;
}

// Sets the variables in the advice's text.
void Follow(const nlohmann::json& advice, Launch* launch) {
  std::istringstream words(advice.value("text", ""));
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (word.rfind("MALLOC_", 0) == 0 && equals != std::string::npos)
      launch->environment[word.substr(0, equals)] = word.substr(equals + 1);
  }
}

class ReturnedMemory : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Programs, ReturnedMemory,
                         ::testing::Combine(::testing::Values("returned_memory", "returned_memory_gcc"),
                                            ::testing::Values("trimmed", "mapped")),
                         [](const auto& info) {
                           return std::string(std::get<1>(info.param)) + "_" + std::get<0>(info.param);
                         });

TEST_P(ReturnedMemory, SavesWhatItSays) {
  const auto& [program, mode] = GetParam();
  Decide([&, program = program, mode = mode](Claims* claims) {
    Launch launch = OfMode(program, mode);
    const auto flawed = Record(launch);
    ASSERT_TRUE(flawed);
    const nlohmann::json advice = MemoryAdvice(flawed->profile);
    claims->Mostly("there is advice", !advice.is_null());
    if (advice.is_null()) return;
    EXPECT_NE(advice.value("where", "").find(std::string(mode) + "_step"), std::string::npos) << advice.dump(1);
    Follow(advice, &launch);
    EXPECT_GE(launch.environment.size(), 2u) << advice.dump(1);
    const auto mended = Record(launch);
    ASSERT_TRUE(mended);
    EXPECT_TRUE(MemoryAdvice(mended->profile).is_null()) << MemoryAdvice(mended->profile).dump(1);
    EXPECT_LT(Faults(mended->profile), Faults(flawed->profile) / 4);
    const double saved = flawed->truth.elapsed.at("steps") - mended->truth.elapsed.at("steps");
    claims->AtLeast("CPU time saved, of the gain that was said", saved / advice.value("gain_ns", 1.0), 0.8, 0.25);
  });
}

class Unflawed : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Programs, Unflawed,
                         ::testing::Combine(::testing::Values("returned_memory", "returned_memory_gcc"),
                                            ::testing::Values("kept", "once")),
                         [](const auto& info) {
                           return std::string(std::get<1>(info.param)) + "_" + std::get<0>(info.param);
                         });

TEST_P(Unflawed, GetsNoAdvice) {
  const auto& [program, mode] = GetParam();
  const auto recorded = Record(OfMode(program, mode));
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(MemoryAdvice(recorded->profile).is_null()) << MemoryAdvice(recorded->profile).dump(1);
}

}  // namespace
}  // namespace ompprof::testing
