// Where threads run: masks that runtimes and launchers give them, the processors that samples find them on, and advice
// where threads are bound to too few.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// The processors that this test may use.
std::vector<int> Processors() {
  std::vector<int> numbers;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return numbers;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) numbers.push_back(i);
  }
  return numbers;
}

// "0-3,8" of {0, 1, 2, 3, 8}
std::string Ranges(const std::vector<int>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t first = i;
    while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1) ++i;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (i != first) text += "-" + std::to_string(numbers[i]);
  }
  return text;
}

// A build of tests/programs/flat.cc, and the variable that binds its two threads to the two places.
struct Build {
  const char* name;
  const char* program;
  const char* variable;
};
const Build kBuilds[] = {{"libomp", "flat", "OMP_PLACES"}, {"libgomp", "flat_gcc", "GOMP_CPU_AFFINITY"}};

// CPU time in milliseconds: thousands of samples.
const std::vector<std::string> kShort = {"1500"};

// For the first and the second thread.
std::string Places(const Build& build, int first, int second) {
  const std::string a = std::to_string(first);
  const std::string b = std::to_string(second);
  return build.name == std::string("libomp") ? "{" + a + "},{" + b + "}" : a + " " + b;
}

class Placement : public ::testing::TestWithParam<Build> {
 protected:
  // The OpenMP threads of a run, as `report --json` has them.
  std::vector<nlohmann::json> Threads(const Launch& launch) {
    const auto recorded = Record(launch);
    if (!recorded) return {};
    report_ = recorded->profile.report();
    std::vector<nlohmann::json> threads;
    for (const nlohmann::json& thread : report_["threads"]) {
      if (thread["kind"] == "initial" || thread["kind"] == "worker") threads.push_back(thread);
    }
    return threads;
  }

  nlohmann::json report_;
};
INSTANTIATE_TEST_SUITE_P(Builds, Placement, ::testing::ValuesIn(kBuilds),
                         [](const auto& info) { return info.param.name; });

TEST_P(Placement, UnboundThreadsMayUseAll) {
  const std::vector<int> mine = Processors();
  const std::vector<nlohmann::json> threads = Threads({GetParam().program, kShort});
  ASSERT_EQ(threads.size(), 2u);
  for (const nlohmann::json& thread : threads) {
    EXPECT_EQ(thread["may_use"], Ranges(mine));
    EXPECT_NE(thread["ran_on"], "");
  }
}

TEST_P(Placement, AProcessorForEachThread) {
  const std::vector<int> mine = Processors();
  if (mine.size() < 2) GTEST_SKIP() << "there is one processor";
  Launch launch{GetParam().program, kShort};
  launch.environment[GetParam().variable] = Places(GetParam(), mine[1], mine[0]);
  launch.environment["OMP_PROC_BIND"] = "true";
  const std::vector<nlohmann::json> threads = Threads(launch);
  ASSERT_EQ(threads.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const std::string processor = std::to_string(mine[1 - i]);
    EXPECT_EQ(threads[i]["may_use"], processor);
    // A thread runs elsewhere until the runtime binds it.
    EXPECT_LE(threads[i]["moves"], 2);
    if (i == 1) {
      EXPECT_EQ(threads[i]["ran_on"], processor);
    }
  }
  for (const nlohmann::json& advice : report_["advice"]) EXPECT_NE(advice["kind"], "bound-together");
  EXPECT_EQ(report_["machine"]["cpus"], mine.size())
      << "that libgomp binds the initial thread is not the process's mask";
}

// What the advice says is what the threads lack, as far as other programs leave the other processor free.
TEST_P(Placement, BothThreadsOnOneProcessor) {
  const std::vector<int> mine = Processors();
  if (mine.size() < 2) GTEST_SKIP() << "there is one processor";
  Launch launch{GetParam().program, kShort};
  launch.environment[GetParam().variable] = Places(GetParam(), mine[0], mine[0]);
  launch.environment["OMP_PROC_BIND"] = "true";
  const std::vector<nlohmann::json> threads = Threads(launch);
  ASSERT_EQ(threads.size(), 2u);
  double ready = 0;
  double lifetime = 0;
  for (const nlohmann::json& thread : threads) {
    EXPECT_EQ(thread["may_use"], std::to_string(mine[0]));
    ready += thread["ready_ns"].get<double>() + thread["wait_ns"].get<double>();
    lifetime += thread["lifetime_ns"].get<double>();
  }
  EXPECT_GT(ready, 0.4 * lifetime) << "two threads share a processor";
  std::string kinds;
  for (const nlohmann::json& advice : report_["advice"]) {
    kinds += advice["kind"].get<std::string>() + " ";
    if (advice["kind"] != "bound-together") continue;
    EXPECT_EQ(advice["about"], "measurement");
    const auto text = advice["text"].get<std::string>();
    EXPECT_NE(text.find(std::string(GetParam().variable) + "="), std::string::npos) << text;
    const auto evidence = advice["evidence"].get<std::string>();
    EXPECT_NE(evidence.find("2 threads may only use processor " + std::to_string(mine[0])), std::string::npos)
        << evidence;
    EXPECT_LT(advice["gain_ns"].get<double>(), 0.55 * report_["efficiency"]["duration_ns"].get<double>());
  }
  // Beside other programs, the other processor is not free.
  if (report_["disturbance"].get<std::string>().find("other programs") == std::string::npos) {
    EXPECT_NE(kinds.find("bound-together"), std::string::npos) << kinds << report_["disturbance"];
  }
}

TEST_P(Placement, TheProcessesMask) {
  const std::vector<int> mine = Processors();
  if (mine.size() < 2) GTEST_SKIP() << "there is one processor";
  const std::string last = std::to_string(mine.back());
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(mine.back(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::vector<nlohmann::json> threads = Threads({GetParam().program, kShort});
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  ASSERT_EQ(threads.size(), 2u);
  for (const nlohmann::json& thread : threads) {
    EXPECT_EQ(thread["may_use"], last);
    EXPECT_EQ(thread["ran_on"], last);
    EXPECT_EQ(thread["moves"], 0);
  }
}

}  // namespace
}  // namespace ompprof::testing
