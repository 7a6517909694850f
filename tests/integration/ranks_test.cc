// A program of MPI and OpenMP under mpirun. Each rank has its own profile. The report puts the ranks side by side and
// finds the planted imbalance. A merged file reads like its separate files.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "nlohmann/json.hpp"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

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

// One run for all tests of this file.
class Ranks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    outcome_ = new Outcome(RunCommand({"env", "OMP_NUM_THREADS=2", "mpirun", "--allow-run-as-root", "--oversubscribe",
                                       "-n", std::to_string(kRanks), OmpprofPath(), "record", "-F", "1000", "-o",
                                       "hybrid.%r.ompprof", "--", ProgramPath("hybrid"), "200"}));
  }
  static void TearDownTestSuite() { delete outcome_; }

  void SetUp() override {
    ASSERT_TRUE(outcome_->Exited(0)) << outcome_->Describe();
    ASSERT_EQ(outcome_->profiles.size(), size_t{kRanks}) << outcome_->Describe();
    folder_ = outcome_->folder;
    files_.clear();
    for (int rank = 0; rank < kRanks; ++rank) files_.push_back("hybrid." + std::to_string(rank) + ".ompprof");
  }

  // `words` and the files of all ranks.
  Outcome OnAll(std::vector<std::string> words) const {
    words.insert(words.end(), files_.begin(), files_.end());
    return Ompprof(words, folder_);
  }

  static Outcome* outcome_;
  std::string folder_;
  std::vector<std::string> files_;
};

Outcome* Ranks::outcome_ = nullptr;

TEST_F(Ranks, ThePlantedImbalance) {
  const Truth truth = Truth::Parse(outcome_->out);
  const Outcome printed = OnAll({"report", "--format=json"});
  ASSERT_TRUE(printed.Exited(0)) << printed.Describe();
  const nlohmann::json report = nlohmann::json::parse(printed.out);
  ASSERT_EQ(report["ranks"].size(), size_t{kRanks});
  for (int rank = 0; rank < kRanks; ++rank) {
    SCOPED_TRACE(rank);
    const nlohmann::json& row = report["ranks"][static_cast<size_t>(rank)];
    EXPECT_EQ(row["rank"], std::to_string(rank));
    EXPECT_EQ(row["threads"], 2);
    // Beyond the work there is the start: loading, MPI_Init's callers, the program's calibration.
    const double work = truth.functions.at("rank" + std::to_string(rank));
    EXPECT_GT(row["useful_cpu_ns"].get<double>(), 0.93 * work);
    EXPECT_LT(row["useful_cpu_ns"].get<double>(), 1.05 * work + 80 * kMs);
    EXPECT_GT(row["mpi_cpu_ns"].get<double>(), 0);
    EXPECT_LE(row["useful_cpu_ns"].get<double>() + row["mpi_cpu_ns"].get<double>(), 1.05 * row["cpu_ns"].get<double>());
  }
  // 4 / 2.5 - 1, less the time that all ranks have alike.
  EXPECT_GT(report["rank_imbalance"]["useful"].get<double>(), 0.40);
  EXPECT_LT(report["rank_imbalance"]["useful"].get<double>(), 0.65);

  const Outcome text = OnAll({"report"});
  EXPECT_NE(text.out.find("Ranks (useful"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("max/mean - 1"), std::string::npos);
  EXPECT_NE(text.out.find("%: rank 3 has "), std::string::npos);
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

}  // namespace
}  // namespace ompprof::testing
