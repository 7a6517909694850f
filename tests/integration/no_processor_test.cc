// The blame for a thread that has no processor goes to <no processor>, and not to the code that the thread would
// execute: as much as the program itself measures. Code that sleeps is to blame itself.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

double BlameNs(const Profile& profile, const std::string& function, const char* field) {
  double ns = 0;
  for (const nlohmann::json& one : profile.report().at("functions"))
    ns += one.value("name", "") == function ? one.value(field, 0.0) : 0;
  return ns;
}

struct Waits {
  const char* name;
  const char* policy;
};

class NoProcessor : public ::testing::TestWithParam<std::tuple<const char*, Waits>> {};
INSTANTIATE_TEST_SUITE_P(Programs, NoProcessor,
                         ::testing::Combine(::testing::Values("no_processor", "no_processor_gcc"),
                                            ::testing::Values(Waits{"asleep", "passive"}, Waits{"spinning", "active"})),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param).name;
                         });

TEST_P(NoProcessor, IsToBlame) {
  const auto& [program, waits] = GetParam();
  Launch launch{program, {"3"}};
  launch.frequency = 1000;
  launch.environment["OMP_WAIT_POLICY"] = waits.policy;
  launch.environment["KMP_BLOCKTIME"] = waits.policy == std::string("active") ? "infinite" : "0";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& one, Claims* claims) {
    const std::map<std::string, double>& truth = one.truth.elapsed;
    const double all = truth.at("alone_work") + truth.at("asleep_work") + truth.at("crowded_work");
    const auto add = [&](const std::string& what, double seen, double due) {
      claims->Near("percent of the waiting for " + what, 100 * seen / all, 100 * due / all, 3);
    };
    add("a processor", BlameNs(one.profile, "<no processor>", "blame_ns"), truth.at("no_processor"));
    for (const char* function : {"alone_work", "crowded_work"})
      add(function, BlameNs(one.profile, function, "total_blame_ns"), truth.at(function));
  });
}

}  // namespace
}  // namespace ompprof::testing
