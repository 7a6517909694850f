// Runs of several processes: a program of MPI and OpenMP under mpirun, and programs that a script starts. Each process
// has its own profile. The report puts ranks side by side and finds the planted imbalance; launchers and programs in
// turn are in no imbalance. A merged file reads like its separate files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>

#include "nlohmann/json.hpp"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

constexpr int kRanks = 4;
constexpr double kMs = 1e6;

std::string Contents(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

Outcome Ompprof(std::vector<std::string> words, const std::string& folder) {
  words.insert(words.begin(), OmpprofPath());
  return RunCommand(words, folder);
}

// The run's efficiency is the mean of its ranks' efficiencies, and time in MPI is useful in neither.
void AddOneEfficiency(const nlohmann::json& report, Claims* claims) {
  double mean = 0;
  for (const nlohmann::json& row : report["ranks"])
    mean += row["efficiency"].get<double>() / static_cast<double>(report["ranks"].size());
  claims->Near("the ranks' efficiency", report["efficiency"]["parallel"].get<double>(), mean, 0.03);
  EXPECT_GT(report["efficiency"]["mpi_ns"].get<double>(), 0);
  EXPECT_LT(mean, 0.95) << "ranks wait for each other in MPI";
}

// The longest over the mean, less one.
double Imbalance(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end()) * static_cast<double>(values.size()) /
             std::accumulate(values.begin(), values.end(), 0.0) -
         1;
}

std::vector<double> Values(const std::map<std::string, double>& values) {
  std::vector<double> found;
  for (const auto& [name, value] : values) found.push_back(value);
  return found;
}

// One run of mpirun for the tests of ranks.
class Ranks : public ::testing::Test {
 protected:
  static Outcome Run() {
    return RunCommand({"env", "OMP_NUM_THREADS=2", "mpirun", "--allow-run-as-root", "--oversubscribe", "-n",
                       std::to_string(kRanks), OmpprofPath(), "record", "-F", "8000", "-o", "hybrid.%r.ompprof", "--",
                       ProgramPath("hybrid"), "400"});
  }
  static void SetUpTestSuite() { outcome_ = new Outcome(Run()); }
  static void TearDownTestSuite() { delete outcome_; }

  void SetUp() override {
    ASSERT_TRUE(outcome_->Exited(0)) << outcome_->Describe();
    ASSERT_EQ(outcome_->profiles.size(), size_t{kRanks}) << outcome_->Describe();
    folder_ = outcome_->folder;
    files_.clear();
    for (int rank = 0; rank < kRanks; ++rank) files_.push_back("hybrid." + std::to_string(rank) + ".ompprof");
  }

  // `words` and the files of all ranks.
  Outcome OnAll(std::vector<std::string> words) const { return OnAll(std::move(words), folder_); }
  Outcome OnAll(std::vector<std::string> words, const std::string& folder) const {
    words.insert(words.end(), files_.begin(), files_.end());
    return Ompprof(words, folder);
  }

  static Outcome* outcome_;
  std::string folder_;
  std::vector<std::string> files_;
};

Outcome* Ranks::outcome_ = nullptr;

TEST_F(Ranks, ThePlantedImbalance) {
  bool first = true;
  Decide([&](Claims* claims) {
    const Outcome run = std::exchange(first, false) ? *outcome_ : Run();
    ASSERT_TRUE(run.Exited(0)) << run.Describe();
    const Truth truth = Truth::Parse(run.out);
    const Outcome printed = OnAll({"report", "--format=json"}, run.folder);
    ASSERT_TRUE(printed.Exited(0)) << printed.Describe();
    const nlohmann::json report = nlohmann::json::parse(printed.out);
    ASSERT_EQ(report["ranks"].size(), size_t{kRanks});
    for (int rank = 0; rank < kRanks; ++rank) {
      SCOPED_TRACE(rank);
      const nlohmann::json& row = report["ranks"][static_cast<size_t>(rank)];
      EXPECT_EQ(row["rank"], std::to_string(rank));
      EXPECT_EQ(row["threads"], 2);
      // Beyond the work there is the start: loading, MPI_Init's callers, the program's calibration.
      const std::string name = "rank" + std::to_string(rank);
      const double work = truth.functions.at(name), useful = row["useful_cpu_ns"], mpi = row["mpi_cpu_ns"];
      claims->AtLeast(name + "'s useful time", useful / work, 1, 0.05);
      claims->AtMost(name + "'s useful time without the start", (useful - 60 * kMs) / work, 1, 0.05);
      EXPECT_GT(mpi, 0);
      claims->AtMost(name + "'s useful time and MPI", (useful + mpi) / row["cpu_ns"].get<double>(), 1, 0.04);
    }
    // About 4 / 2.5 - 1. The ranks calibrate their work each for itself.
    claims->Near("the imbalance", report["rank_imbalance"]["useful"].get<double>(), Imbalance(Values(truth.functions)),
                 0.04);

    EXPECT_EQ(report["jobs"].size(), 1u);
    EXPECT_EQ(report["jobs"][0]["ranks"], kRanks);
    EXPECT_EQ(report["jobs"][0]["imbalance"], report["rank_imbalance"]);
    EXPECT_TRUE(report["launchers"].empty()) << report["launchers"];
    AddOneEfficiency(report, claims);
  });

  const Outcome text = OnAll({"report", "--full"});
  EXPECT_NE(text.out.find("Ranks (useful"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("max/mean - 1"), std::string::npos);
  // The ranks calibrate their work each for itself, so another rank than the last may have the most on a busy machine.
  const nlohmann::json ranks = nlohmann::json::parse(OnAll({"report", "--format=json"}).out)["ranks"];
  const auto most = std::max_element(
      ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a["useful_cpu_ns"] < b["useful_cpu_ns"]; });
  EXPECT_NE(text.out.find("%: rank " + (*most)["rank"].get<std::string>() + " has "), std::string::npos) << text.out;
}

// A report without its notes, which name the files of the report.
std::string WithoutNotes(const std::string& out) {
  nlohmann::json report = nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
  if (report.is_object()) {
    report.erase("notes");
    return report.dump();
  }
  std::istringstream lines(out);
  std::string line, rest;
  while (std::getline(lines, line)) {
    if (line.rfind("  note ", 0) != 0) rest += line + "\n";
  }
  return rest;
}

TEST_F(Ranks, MergedIsTheSameReport) {
  const Outcome merged = OnAll({"merge", "-o", "all.ompprof"});
  ASSERT_TRUE(merged.Exited(0)) << merged.Describe();
  EXPECT_EQ(merged.err, "");
  for (const std::vector<std::string>& report : {std::vector<std::string>{"report", "--format=json"},
                                                 {"report", "--ranks"},
                                                 {"report", "--tree"},
                                                 {"report", "--threads"},
                                                 {"export", "--format=folded"}}) {
    SCOPED_TRACE(report[1]);
    std::vector<std::string> of_merged = report;
    of_merged.push_back("all.ompprof");
    const Outcome one = Ompprof(of_merged, folder_);
    const Outcome list = OnAll(report);
    EXPECT_TRUE(one.Exited(0)) << one.Describe();
    EXPECT_EQ(WithoutNotes(one.out), WithoutNotes(list.out));
    EXPECT_EQ(one.err, list.err);
  }
  const Outcome info = Ompprof({"info", "--format=json", "all.ompprof"}, folder_);
  ASSERT_TRUE(info.Exited(0)) << info.Describe();
  const nlohmann::json processes = nlohmann::json::parse(info.out)["processes"];
  ASSERT_EQ(processes.size(), size_t{kRanks});
  uint64_t bytes = 8;
  for (int rank = 0; rank < kRanks; ++rank) {
    const nlohmann::json& process = processes[static_cast<size_t>(rank)];
    EXPECT_EQ(process["rank"], std::to_string(rank));
    EXPECT_EQ(process["file"], "all.ompprof");
    EXPECT_NE(process["program"].get<std::string>().find("/tests/programs/hybrid"), std::string::npos);
    EXPECT_EQ(process["complete"], true);
    EXPECT_EQ(process["damage"], "");
    EXPECT_EQ(process["records"]["header"]["count"], 1);
    EXPECT_GT(process["modules"].size(), 3u);
    EXPECT_EQ(process["modules"][0]["build_id"].get<std::string>().size() % 2, 0u);
    EXPECT_NE(process["runtimes"][0]["version"].get<std::string>().find("LLVM"), std::string::npos);
    bytes += process["bytes"].get<uint64_t>();
  }
  EXPECT_EQ(bytes, Contents(folder_ + "/all.ompprof").size());
}

// The merge says what is wrong with one of many files, and merges the others.
TEST_F(Ranks, AFileThatIsCutAndOneThatIsNone) {
  std::ofstream(folder_ + "/cut.ompprof", std::ios::binary)
      << Contents(folder_ + "/hybrid.0.ompprof").substr(0, Contents(folder_ + "/hybrid.0.ompprof").size() - 5);
  std::ofstream(folder_ + "/text.ompprof") << "nothing\n";
  const Outcome merged =
      Ompprof({"merge", "-o", "some.ompprof", "text.ompprof", "hybrid.1.ompprof", "cut.ompprof"}, folder_);
  EXPECT_TRUE(merged.Exited(1)) << merged.Describe();
  EXPECT_EQ(WarningLines(merged.err), 2) << merged.err;
  EXPECT_NE(merged.err.find("ompprof: text.ompprof: is not an ompprof profile"), std::string::npos);
  EXPECT_NE(merged.err.find("ompprof: cut.ompprof: is cut short"), std::string::npos);
  const Outcome info = Ompprof({"info", "some.ompprof"}, folder_);
  EXPECT_TRUE(info.Exited(0)) << info.Describe();
  EXPECT_NE(info.out.find("some.ompprof (rank 1, process "), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("no end in the file"), std::string::npos) << info.out;
}

nlohmann::json JsonOf(const std::string& file, const std::string& folder) {
  const Outcome printed = Ompprof({"report", "--format=json", file}, folder);
  EXPECT_TRUE(printed.Exited(0)) << printed.Describe();
  return nlohmann::json::parse(printed.out, nullptr, /*allow_exceptions=*/false);
}

TEST(Processes, ALauncherIsNoRank) {
  Decide([](Claims* claims) {
    const Outcome run =
        RunCommand({"env", "OMP_NUM_THREADS=2", OmpprofPath(), "record", "-F", "8000", "-o", "all.ompprof", "--",
                    "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", ProgramPath("hybrid"), "400"});
    ASSERT_TRUE(run.Exited(0)) << run.Describe();
    ASSERT_EQ(run.profiles.size(), 3u) << run.Describe();
    const nlohmann::json report = JsonOf("all.ompprof", run.folder);
    ASSERT_EQ(report["ranks"].size(), 2u) << report["ranks"];
    for (const nlohmann::json& row : report["ranks"]) {
      EXPECT_EQ(row["program"], "hybrid");
      EXPECT_EQ(row["job"], 1);
      EXPECT_EQ(row["threads"], 2);
    }
    ASSERT_EQ(report["launchers"].size(), 1u);
    EXPECT_NE(report["launchers"][0]["program"], "hybrid");
    // About 2 / 1.5 - 1. With mpirun as a third rank, it is 1.
    claims->Near("the imbalance", report["rank_imbalance"]["useful"].get<double>(),
                 Imbalance(Values(Truth::Parse(run.out).functions)), 0.05);
    EXPECT_NEAR(report["rank_imbalance"]["cpu"].get<double>(),
                Imbalance({report["ranks"][0]["cpu_ns"].get<double>(), report["ranks"][1]["cpu_ns"].get<double>()}),
                1e-6);
    AddOneEfficiency(report, claims);
    const std::string text = Ompprof({"report", "--full", "all.ompprof"}, run.folder).out;
    EXPECT_NE(text.find("  1 other, not counted in the table: "), std::string::npos) << text;
    EXPECT_EQ(text.find("no OMPT"), std::string::npos) << "the launcher has no OpenMP:\n" << text;
    EXPECT_NE(text.find("\n  in MPI  "), std::string::npos) << text;
  });
}

TEST(Processes, ProgramsOfAScriptHaveNoImbalance) {
  const std::string folder = NewFolder();
  std::ofstream(folder + "/script") << "#!/bin/sh\nset -e\n"
                                    << ProgramPath("flat") << " 100\n"
                                    << ProgramPath("two_functions") << " 30 30\n"
                                    << ProgramPath("flat") << " 300\n";
  std::filesystem::permissions(folder + "/script", std::filesystem::perms::owner_all);
  const Outcome run =
      RunCommand({"env", "OMP_NUM_THREADS=2", OmpprofPath(), "record", "-o", "all.ompprof", "--", "./script"}, folder);
  ASSERT_TRUE(run.Exited(0)) << run.Describe();
  const nlohmann::json report = JsonOf("all.ompprof", folder);
  std::vector<std::string> programs;
  for (const nlohmann::json& row : report["ranks"]) {
    programs.push_back(row["program"]);
    EXPECT_EQ(row["job"], programs.size());
  }
  EXPECT_EQ(programs, (std::vector<std::string>{"flat", "two_functions", "flat"}));
  EXPECT_EQ(report["launchers"].size(), 1u) << report["launchers"];
  for (const auto& [figure, imbalance] : report["rank_imbalance"].items()) EXPECT_EQ(imbalance, 0) << figure;
  const std::string text = Ompprof({"report", "--full", "all.ompprof"}, folder).out;
  EXPECT_NE(text.find("  1 other, not counted in the table: "), std::string::npos) << text;
  EXPECT_EQ(text.find("no OMPT"), std::string::npos) << "the launcher has no OpenMP:\n" << text;
  EXPECT_EQ(text.find("max/mean - 1"), std::string::npos) << text;
  EXPECT_EQ(text.find("Imbalance across"), std::string::npos) << text;
}

}  // namespace
}  // namespace ompprof::testing
