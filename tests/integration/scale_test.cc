// ompprof scale on a program whose scaling is known, and on runs that cannot be compared. The program computes by its
// threads' CPU clocks, so its work is known on a busy machine too. Waits are known on a machine that is not.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

using Words = std::vector<std::string>;

Words With(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// What each run has printed: CPU time by function.
std::vector<std::map<std::string, double>> TruthsOf(const std::string& printed) {
  std::vector<std::map<std::string, double>> truths(1);
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, kind, name, unit;
    double ns = 0;
    words >> word >> kind;
    if (word != "truth") continue;
    if (kind == "process") truths.emplace_back();
    if (kind == "function" && words >> name >> unit >> ns) truths.back()[name] = ns;
  }
  truths.pop_back();
  return truths;
}

double SumOf(const std::map<std::string, double>& truth) {
  double sum = 0;
  for (const auto& [name, ns] : truth) sum += ns;
  return sum;
}

double PartsOf(const nlohmann::json& times) {
  double sum = 0;
  for (const auto& part : times["parts"]) sum += part.get<double>();
  return sum;
}

const nlohmann::json* RegionOf(const nlohmann::json& scaling, const std::string& function) {
  for (const nlohmann::json& region : scaling["regions"]) {
    if (region["name"].get<std::string>().find(function) != std::string::npos) return &region;
  }
  return nullptr;
}

class ScaleKnown : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, ScaleKnown, ::testing::Values("scaling", "scaling_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(ScaleKnown, SaysWhereTheTimeOfMoreThreadsGoes) {
  const unsigned processors = std::thread::hardware_concurrency();
  if (processors < 2) GTEST_SKIP() << "this machine has one processor: no run with more threads is judged";
  Decide([&](Claims* claims) {
    const std::string folder = NewFolder();
    const Outcome outcome = RunCommand({OmpprofPath(), "scale", "-q", "--threads=1,2", "-F", "2000", "--format=json",
                                        "-o", folder + "/runs", "--", ProgramPath(GetParam())});
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    const nlohmann::json scaling = nlohmann::json::parse(outcome.out);
    const auto truths = TruthsOf(outcome.err);
    ASSERT_EQ(truths.size(), 2u) << outcome.err;
    const nlohmann::json& points = scaling["points"];
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(scaling["judged"], 2);
    for (const nlohmann::json& point : points) {
      const double whole = point["threads"].get<double>() * point["wall_ns"].get<double>();
      EXPECT_NEAR((point["work_ns"].get<double>() + PartsOf(point)) / whole, 1, 1e-6) << point.dump(1);
    }

    const double work = SumOf(truths[0]);
    const nlohmann::json& parts = points[1]["parts"];
    claims->Near("work", points[0]["work_ns"].get<double>() / work, 1, 0.03);
    claims->Near("inflation", parts["work_inflation_ns"].get<double>() / work, (SumOf(truths[1]) - work) / work, 0.03);
    const nlohmann::json* shared = RegionOf(scaling, "Shared");
    ASSERT_NE(shared, nullptr) << outcome.out;
    claims->Near("inflation of the region", (*shared)["inflation_ns"].get<double>() / work,
                 (truths[1].at("shared_work") - truths[0].at("shared_work")) / work, 0.04);
    EXPECT_EQ(scaling["serial"].value("name", ""), "serial_work") << outcome.out;
    EXPECT_EQ(scaling["serial"].value("file", ""), "scaling.cc");
    ASSERT_FALSE(scaling["functions"].empty());
    EXPECT_EQ(scaling["functions"][0]["name"], "shared_work");
    ASSERT_FALSE(scaling["lines"].empty());
    EXPECT_EQ(scaling["lines"][0]["name"], "shared_work");
    EXPECT_EQ(scaling["lines"][0]["file"], "scaling.cc");

    // Beside other programs, threads wait for those that have no processor.
    const double thread_ns = 2 * points[1]["wall_ns"].get<double>();
    if (ClaimsAreCoarse() || parts["ready_without_a_processor_ns"].get<double>() > 0.01 * thread_ns) return;
    const double uneven = truths[1].at("uneven_work") / 2;  // one thread has three quarters of it
    claims->Near("barriers", parts["at_barriers_ns"].get<double>() / thread_ns, uneven / thread_ns, 0.03);
    claims->Near("serial", parts["idle_between_regions_ns"].get<double>() / thread_ns,
                 truths[1].at("serial_work") / thread_ns, 0.03);
    claims->Near("locks", parts["waiting_for_locks_ns"].get<double>() / thread_ns,
                 truths[1].at("locked_work") / thread_ns, 0.03);
  });
}

// Programs of which the machine decides by how much they are slowed down. Needs two processors that no other program
// uses.
class RealReasons : public ::testing::TestWithParam<const char*> {
 protected:
  // The program's truth with one thread and with two, and what scale says. False: skipped by a sentence.
  bool Run(const std::string& mode, const char* rounds) {
    constexpr int kAttempts = 10;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const Outcome outcome = RunCommand({OmpprofPath(), "scale", "-q", "--threads=1,2", "-F", "2000", "--format=json",
                                          "-o", NewFolder() + "/runs", "--", ProgramPath(GetParam()), mode, rounds});
      EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
      scaling_ = nlohmann::json::parse(outcome.out);
      truths_ = TruthsOf(outcome.err);
      const std::string verdict = scaling_["sentences"][0];
      if (scaling_["judged"] == 2 && verdict.find("other programs took processors") == std::string::npos) return true;
    }
    return false;
  }
  double Inflation(const std::string& function) const { return truths_[1].at(function) / truths_[0].at(function) - 1; }
  double InflationSaid() const {
    return scaling_["points"][1]["parts"]["work_inflation_ns"].get<double>() /
           scaling_["points"][1]["work_ns"].get<double>();
  }
  // The work's growth is told, and the function and the line that `code` is on.
  void ExpectGrowth(const std::string& mode, const char* rounds, const std::string& function, const std::string& code) {
    if (!Run(mode, rounds)) GTEST_SKIP() << "other programs took processors in each of ten attempts";
    if (Inflation(function) < 0.15)
      GTEST_SKIP() << "on this machine, two threads take " << 1 + Inflation(function) << " times the CPU time of one";
    EXPECT_NEAR(InflationSaid(), Inflation(function), 0.05 + 0.05 * Inflation(function)) << scaling_.dump(1);
    ASSERT_FALSE(scaling_["lines"].empty()) << scaling_.dump(1);
    EXPECT_EQ(scaling_["functions"][0]["name"], function);
    EXPECT_EQ(scaling_["lines"][0]["name"], function);
    EXPECT_NEAR(scaling_["lines"][0]["line"].get<int>(), LineOf(code), 1) << "some of it is the loop's";
  }

  nlohmann::json scaling_;
  std::vector<std::map<std::string, double>> truths_;

 private:
  static int LineOf(const std::string& code) {
    std::ifstream source(ProgramPath("scaling_flaws.cc"));
    int number = 0;
    for (std::string line; std::getline(source, line);) {
      ++number;
      if (line.find(code) != std::string::npos) return number;
    }
    ADD_FAILURE() << code;
    return 0;
  }
};
INSTANTIATE_TEST_SUITE_P(Runtimes, RealReasons, ::testing::Values("scaling_flaws", "scaling_flaws_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(RealReasons, ALineThatThreadsShareIsNamed) {
  ExpectGrowth("false-sharing", "30", "count_events", "__atomic_fetch_add");
}

TEST_P(RealReasons, LinesOfTheirOwnAreNot) {
  if (!Run("padded", "30")) GTEST_SKIP() << "other programs took processors in each of ten attempts";
  EXPECT_NEAR(InflationSaid(), Inflation("count_events"), 0.05) << scaling_.dump(1);
}

TEST_P(RealReasons, AVectorOperationThatWaitsForMemoryIsNamed) { ExpectGrowth("triad", "60", "triad", "a[i] = b[i]"); }

TEST_P(RealReasons, TinyRegionsAreNamed) {
  if (!Run("tiny-regions", "60")) GTEST_SKIP() << "other programs took processors in each of ten attempts";
  EXPECT_NE(scaling_["sentences"][0].get<std::string>().find("It gets no faster with more than 1 thread"),
            std::string::npos)
      << scaling_.dump(1);
  EXPECT_EQ(scaling_["enough_threads"], 1);
  ASSERT_FALSE(scaling_["regions"].empty());
  EXPECT_NE(scaling_["regions"][0]["name"].get<std::string>().find("TinyRegions"), std::string::npos);
  EXPECT_EQ(scaling_["regions"][0]["best_threads"], 1);
}

class ScaleRuns : public ::testing::Test {
 protected:
  // Records a run into `name` of the folder.
  void Record(const std::string& name, const std::string& program, int threads, const Words& arguments,
              const Words& options = {}) {
    Launch launch{program, arguments};
    launch.threads = threads;
    launch.folder = folder_;
    launch.record_options = With({"-o", name}, options);
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  }

  Outcome Scale(const Words& words) { return RunCommand(With({OmpprofPath(), "scale"}, words), folder_); }

  std::string folder_ = NewFolder();
};

TEST_F(ScaleRuns, ReadsRunsThatExistAndPrintsEachFormat) {
  Record("one.ompprof", "scaling", 1, {"10", "60"});
  Record("two.ompprof", "scaling", 2, {"10", "60"});
  Record("again.ompprof", "scaling", 2, {"10", "60"});
  const Outcome text = Scale({"one.ompprof", "two.ompprof", "again.ompprof"});
  ASSERT_TRUE(text.Exited(0)) << text.Describe();
  for (const char* part : {"scaling 10 60\n", "\nSpeed (", "\nAccount (", "\nParallel regions with 2 threads"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in " << text.out;
  EXPECT_EQ(text.err, "");
  const Outcome csv = Scale({"--format=csv", folder_});
  ASSERT_TRUE(csv.Exited(0)) << csv.Describe();
  EXPECT_EQ(csv.out.substr(0, 44), "threads,processors,runs,wall_ns,speedup,work");
  EXPECT_NE(csv.out.find("\r\n1,"), std::string::npos) << csv.out;
  EXPECT_NE(csv.out.find("\r\n2,"), std::string::npos) << csv.out;
  const Outcome json = Scale({"--format=json", folder_});
  ASSERT_TRUE(json.Exited(0)) << json.Describe();
  EXPECT_EQ(nlohmann::json::parse(json.out)["points"][1]["runs"], 2);
}

TEST_F(ScaleRuns, ANumberOfThreadsMayBeAnArgument) {
  Record("one.ompprof", "scaling", 1, {"10", "20", "1"});
  Record("two.ompprof", "scaling", 2, {"10", "20", "2"});
  EXPECT_TRUE(Scale({"one.ompprof", "two.ompprof"}).Exited(0));
  Record("equal.ompprof", "scaling", 2, {"10", "20", "1"});
  EXPECT_TRUE(Scale({"one.ompprof", "equal.ompprof"}).Exited(0)) << "an argument is 1, by chance";
}

TEST_F(ScaleRuns, OthersAreRefused) {
  Record("one.ompprof", "scaling", 1, {"10", "60"});
  Record("longer.ompprof", "scaling", 2, {"10", "70"});
  Record("gcc.ompprof", "scaling_gcc", 2, {"10", "60"});
  Record("unknown.ompprof", "scaling", 2, {"10", "60"}, {"--waits=off"});
  const Outcome longer = Scale({"one.ompprof", "longer.ompprof"});
  EXPECT_TRUE(longer.Exited(2)) << longer.Describe();
  EXPECT_NE(longer.err.find("longer.ompprof has other arguments than one.ompprof"), std::string::npos) << longer.err;
  EXPECT_EQ(longer.out, "");
  const Outcome gcc = Scale({"one.ompprof", "gcc.ompprof"});
  EXPECT_TRUE(gcc.Exited(2)) << gcc.Describe();
  EXPECT_NE(gcc.err.find("gcc.ompprof is of another program than one.ompprof"), std::string::npos) << gcc.err;
  const Outcome unknown = Scale({"unknown.ompprof"});
  EXPECT_TRUE(unknown.Exited(1)) << unknown.Describe();
  EXPECT_NE(unknown.err.find("left out, because waits were not recorded (--waits=off)"), std::string::npos)
      << unknown.err;
  const Outcome alone = Scale({"one.ompprof"});
  EXPECT_TRUE(alone.Exited(0)) << alone.Describe();
  EXPECT_NE(alone.out.find("All runs had 1 thread"), std::string::npos) << alone.out;
}

TEST_F(ScaleRuns, ARunThatFailsEndsIt) {
  const std::string script = "test $OMP_NUM_THREADS = 1 || exit 7; exec " + ProgramPath("scaling") + " 10 60";
  const Outcome outcome = Scale({"--threads=1,2,3", "-o", "runs", "--", "/bin/sh", "-c", script});
  EXPECT_TRUE(outcome.Exited(7)) << outcome.Describe();
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("run 2 of 3, with OMP_NUM_THREADS=2, has ended with exit status 7"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("run 3 of 3"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/runs/threads-1-run-1.ompprof"));
  const Outcome killed = Scale({"-q", "--threads=1", "-o", "killed", "--", "/bin/sh", "-c", "kill -9 $$"});
  EXPECT_TRUE(killed.Exited(128 + 9)) << killed.Describe();
  const Outcome missing = Scale({"-q", "--threads=1", "-o", "missing", "--", "/nonexistent/program"});
  EXPECT_TRUE(missing.Exited(127)) << missing.Describe();
}

TEST_F(ScaleRuns, AFolderWithProfilesIsRefused) {
  Record("one.ompprof", "scaling", 1, {"10", "20"});
  const Outcome outcome = Scale({"--threads=1", "-o", ".", "--", ProgramPath("scaling")});
  EXPECT_TRUE(outcome.Exited(2)) << outcome.Describe();
  EXPECT_NE(outcome.err.find(": has profiles already"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace ompprof::testing
