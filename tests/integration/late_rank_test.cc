// A program of MPI and OpenMP with a planted late rank, by clang and by gcc. Its four ranks are recorded under mpirun
// and merged. `report --ranks` names the late rank first, with its region, and by how much it is late. Time in MPI is a
// state of its own, without the work of the program's operation that MPI calls.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "profiler/model/profile_reader.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

constexpr int kRanks = 4;
constexpr int kLate = 2;

std::string BytesOf(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

class LateRank : public ::testing::TestWithParam<const char*> {
 protected:
  // One run of each program serves all tests, as long as it decides their claims. At this rate, chance moves a rank's
  // share by 2 % (one standard deviation). Ranks that wait spin in MPI: if they yielded their processors over and over,
  // much of their CPU time would be the kernel's switches of threads, which have no samples (profiler/docs/limits.md).
  void SetUp() override {
    static std::map<std::string, Outcome> runs;
    const auto [entry, added] = runs.try_emplace(GetParam());
    if (added) entry->second = Run();
    Take(entry->second);
  }

  static Outcome Run() {
    return RunCommand({"env",
                       "OMP_NUM_THREADS=2",
                       "OMP_WAIT_POLICY=passive",
                       "mpirun",
                       "--allow-run-as-root",
                       "--oversubscribe",
                       "--mca",
                       "mpi_yield_when_idle",
                       "0",
                       "-n",
                       std::to_string(kRanks),
                       OmpprofPath(),
                       "record",
                       "--timeline",
                       "-F",
                       "10000",
                       "-o",
                       "run.%r.ompprof",
                       "--",
                       ProgramPath(GetParam()),
                       std::to_string(kLate),
                       ClaimsAreCoarse() ? "400" : "600"});
  }

  // What follows is about `run`.
  void Take(const Outcome& run) {
    ASSERT_TRUE(run.Exited(0)) << run.Describe();
    ASSERT_EQ(run.profiles.size(), size_t{kRanks}) << run.Describe();
    folder_ = run.folder;
    truth_ = Truth::Parse(run.out);
    std::vector<std::string> merge = {"merge", "--force", "-o", "all.ompprof"};
    merge.insert(merge.end(), run.profiles.begin(), run.profiles.end());
    ASSERT_TRUE(Ompprof(merge).Exited(0));
  }

  // Decides claims about the run that all tests share and, until they are decided, about more runs.
  void ExpectClaims(const std::function<void(Claims*)>& add) {
    bool first = true;
    Decide([&](Claims* claims) {
      if (!std::exchange(first, false)) Take(Run());
      if (!HasFailure()) add(claims);
    });
  }

  Outcome Ompprof(std::vector<std::string> words) const {
    words.insert(words.begin(), OmpprofPath());
    return RunCommand(words, folder_);
  }

  nlohmann::json Report(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"report", "--format=json", "all.ompprof"});
    const Outcome printed = Ompprof(options);
    EXPECT_TRUE(printed.Exited(0)) << printed.Describe();
    return nlohmann::json::parse(printed.out, nullptr, /*allow_exceptions=*/false);
  }

  // What the ranks measured of their work, by rank.
  std::vector<double> Of(const std::map<std::string, double>& times, const std::string& work) const {
    std::vector<double> of_ranks;
    for (int rank = 0; rank < kRanks; ++rank) of_ranks.push_back(times.at(work + "." + std::to_string(rank)));
    return of_ranks;
  }

  static double Sum(const std::vector<double>& times) {
    double sum = 0;
    for (const double time : times) sum += time;
    return sum;
  }

  std::string folder_;
  Truth truth_;
};

nlohmann::json RegionOf(const nlohmann::json& report, const std::string& function) {
  for (const nlohmann::json& region : report["rank_regions"]) {
    if (region["name"].get<std::string>().rfind(function + " [omp parallel", 0) == 0) return region;
  }
  return {};
}

void ExpectOthersInMpi(const nlohmann::json& report, const nlohmann::json& region) {
  double others = 0;
  double most = 0;
  for (const nlohmann::json& rank : report["ranks"]) {
    if (rank["rank"] == region["late_rank"]) continue;
    others += rank["mpi_cpu_ns"].get<double>();
    most = std::max(most, rank["mpi_cpu_ns"].get<double>());
    if (rank["rank"] == region["most_mpi_rank"]) {
      EXPECT_EQ(rank["mpi_cpu_ns"], region["most_mpi_cpu_ns"]);
    }
  }
  EXPECT_EQ(region["others_mpi_cpu_ns"].get<double>(), others);
  EXPECT_EQ(region["most_mpi_cpu_ns"].get<double>(), most);
}

TEST_P(LateRank, IsNamedFirstWithItsRegion) {
  ExpectClaims([&](Claims* claims) {
    const nlohmann::json report = Report();
    ASSERT_EQ(report["ranks"].size(), size_t{kRanks});
    ASSERT_GE(report["rank_regions"].size(), 2u);
    const nlohmann::json& first = report["rank_regions"][0];
    EXPECT_EQ(first, RegionOf(report, "late_round")) << report["rank_regions"];
    EXPECT_EQ(first["late_rank"], std::to_string(kLate));
    const std::vector<double> late = Of(truth_.functions, "late");
    const double mean = Sum(late) / kRanks;
    claims->Near("the imbalance", first["imbalance"].get<double>(), late[kLate] / mean - 1, 0.04);
    claims->Near("the lateness", first["late_by_cpu_ns"].get<double>() / (late[kLate] - mean), 1, 0.04);
    claims->Near("the mean", first["mean_useful_cpu_ns"].get<double>() / mean, 1, 0.04);
    const std::vector<double> even = Of(truth_.functions, "even");
    const double even_imbalance = *std::max_element(even.begin(), even.end()) / (Sum(even) / kRanks) - 1;
    claims->Near("the even region's imbalance", RegionOf(report, "even_round")["imbalance"].get<double>(),
                 even_imbalance, 0.04);
    ExpectOthersInMpi(report, first);
    for (const nlohmann::json& rank : report["ranks"])
      claims->AtMost("threads' imbalance", rank["thread_imbalance"].get<double>(), 0, 0.4);
  });

  std::istringstream text(Ompprof({"report", "--ranks", "all.ompprof"}).out);
  std::string line;
  while (std::getline(text, line) && line.rfind("Regions and their late ranks", 0) != 0) continue;
  ASSERT_TRUE(std::getline(text, line)) << "the headings";
  ASSERT_TRUE(std::getline(text, line));
  EXPECT_EQ(line.rfind("  rank 2 ", 0), 0u) << line;
  EXPECT_NE(line.find("late_round"), std::string::npos) << line;
}

TEST_P(LateRank, MpiIsAStateWithoutTheProgramsOperation) {
  ExpectClaims([&](Claims* claims) {
    const Profile profile(folder_ + "/all.ompprof");
    ASSERT_EQ(profile.error(), "");
    const double all = profile.CpuNs();
    claims->Near("MPI", profile.StateNs("mpi") / all, Sum(Of(truth_.states, "mpi")) / all, 0.02);
    EXPECT_EQ(profile.StateNs("library_wait"), 0);
    const double add_up = Sum(Of(truth_.functions, "add_up"));
    claims->Near("the operation", profile.PathNs({"main", "reduce", "<mpi MPI_Allreduce>", "add_up"}) / all,
                 add_up / all, 0.015);
    for (const char* internal : {"MPI_", "PMPI_", "opal_", "ompi_", "mca_"})
      EXPECT_TRUE(profile.FramesStartingWith(internal).empty()) << internal;
    double named = 0;
    for (const auto& [frame, ns] : profile.FramesStartingWith("<mpi MPI_")) named += ns;
    EXPECT_GT(named, 0.8 * profile.StateNs("mpi")) << "MPI's threads and stripped functions are <mpi library>";

    const Outcome machine = Ompprof({"export", "--format=folded", "--view=machine", "all.ompprof"});
    EXPECT_NE(machine.out.find("MPI_Allreduce;"), std::string::npos);
    EXPECT_EQ(machine.out.find("<mpi "), std::string::npos);
  });
}

// The ranks as one process, by any number of workers.
TEST_P(LateRank, IsNamedFirstInTheUnifiedJob) {
  const auto unify = [&](const std::string& workers, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"mpirun",          "--allow-run-as-root",
                                      "--oversubscribe", "-n",
                                      workers,           OmpprofPath(),
                                      "merge",           "--unify",
                                      "--jobs=1",        "-o",
                                      "job.ompprof"};
    for (int rank = 0; rank < kRanks; ++rank) words.push_back("run." + std::to_string(rank) + ".ompprof");
    words.insert(words.end(), more.begin(), more.end());
    return RunCommand(words, folder_);
  };
  std::string first_bytes;
  for (const char* workers : {"2", "1", "3", "7"}) {
    const Outcome unified = unify(workers, {});
    ASSERT_TRUE(unified.Exited(0)) << unified.Describe();
    const std::string bytes = BytesOf(folder_ + "/job.ompprof");
    if (first_bytes.empty()) first_bytes = bytes;
    EXPECT_TRUE(bytes == first_bytes) << workers << " workers wrote other bytes";
  }
  // The merged file has the same processes once more.
  const Outcome twice = unify("3", {"all.ompprof"});
  EXPECT_NE(twice.err.find(" is also in run.2.ompprof; ompprof counts the process once\n"), std::string::npos)
      << twice.Describe();
  EXPECT_TRUE(BytesOf(folder_ + "/job.ompprof") == first_bytes);
  const nlohmann::json merged = Report();
  const Outcome printed = Ompprof({"report", "--format=json", "job.ompprof"});
  ASSERT_TRUE(printed.Exited(0)) << printed.Describe();
  const nlohmann::json job = nlohmann::json::parse(printed.out);
  EXPECT_EQ(job["sampled_cpu_ns"], merged["sampled_cpu_ns"]);
  EXPECT_EQ(job["duration_ns"], merged["duration_ns"]);
  ASSERT_EQ(job["ranks"].size(), size_t{kRanks});
  for (size_t rank = 0; rank < kRanks; ++rank) {
    for (const char* figure : {"rank", "process", "threads", "cpu_ns", "useful_cpu_ns", "mpi_cpu_ns", "wait_ns"})
      EXPECT_EQ(job["ranks"][rank][figure], merged["ranks"][rank][figure]) << figure << " of rank " << rank;
  }
  const nlohmann::json& first = job["rank_regions"].at(0);
  for (const char* figure : {"name", "late_rank", "late_useful_cpu_ns", "mean_useful_cpu_ns", "others_mpi_cpu_ns"})
    EXPECT_EQ(first[figure], merged["rank_regions"][0][figure]) << figure;
  EXPECT_EQ(first["late_rank"], std::to_string(kLate));
}

// The columns of each rank's time, added up, are its figures. At the end of a round the late rank works, and the others
// are in MPI.
TEST_P(LateRank, HasWhatEachRankDidWhenInTheUnifiedJob) {
  ExpectClaims([&](Claims* claims) {
    std::vector<std::string> merge = {"merge", "--unify", "-o", "times.ompprof"};
    for (int rank = 0; rank < kRanks; ++rank) merge.push_back("run." + std::to_string(rank) + ".ompprof");
    ASSERT_TRUE(Ompprof(merge).Exited(0));
    const model::ReadResult read = model::ReadProfile(folder_ + "/times.ompprof");
    ASSERT_TRUE(read.status.ok()) << read.status.sentence();
    const Unified& unified = read.profile.header.unified();
    ASSERT_GT(unified.columns(), 50u);
    EXPECT_FALSE(unified.from_own_start());
    const MemberBatch& ranks = read.profile.members.at(0);
    ASSERT_EQ(ranks.work_time_size(), kRanks);
    const auto sum = [&](int rank, const std::string& shares) {
      double all = 0;
      for (const char share : shares) all += static_cast<uint8_t>(share);
      return all / 255 * static_cast<double>(unified.column_ns()) * ranks.threads(rank);
    };
    for (int rank = 0; rank < kRanks; ++rank) {
      const double whole = static_cast<double>(ranks.cpu_ns(rank));
      claims->Near("work", sum(rank, ranks.work_time(rank)) / whole, static_cast<double>(ranks.useful(rank)) / whole,
                   0.04);
      claims->Near("MPI", sum(rank, ranks.mpi_time(rank)) / whole, static_cast<double>(ranks.mpi(rank)) / whole, 0.04);
      EXPECT_EQ(ranks.work_time(rank).size(), unified.columns());
    }
    const auto share = [](const std::string& shares, uint32_t column) { return static_cast<uint8_t>(shares[column]); };
    int others_in_mpi = 0;  // columns in which another rank is more in MPI than the late rank
    int late_in_mpi = 0;
    for (uint32_t column = 0; column < unified.columns(); ++column) {
      for (int rank = 0; rank < kRanks; ++rank) {
        if (rank == kLate) continue;
        if (share(ranks.mpi_time(rank), column) > share(ranks.mpi_time(kLate), column)) ++others_in_mpi;
        if (share(ranks.mpi_time(rank), column) < share(ranks.mpi_time(kLate), column)) ++late_in_mpi;
      }
    }
    claims->Mostly("the late rank is less in MPI", others_in_mpi > 2 * late_in_mpi);
  });
}

TEST_P(LateRank, AWorkerThatDiesEndsTheUnification) {
  const Outcome outcome = RunCommand({"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", "sh", "-c",
                                      "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then exit 3; fi; exec " + OmpprofPath() +
                                          " merge --unify -o lost.ompprof run.0.ompprof run.1.ompprof"},
                                     folder_);
  EXPECT_FALSE(outcome.Exited(0));
  EXPECT_NE(access((folder_ + "/lost.ompprof").c_str(), F_OK), 0) << outcome.Describe();
}

TEST_P(LateRank, OneRankAlone) {
  const nlohmann::json report = Report({"--rank=2"});
  ASSERT_EQ(report["ranks"].size(), 1u);
  EXPECT_EQ(report["ranks"][0]["rank"], "2");
  EXPECT_TRUE(report["rank_regions"].empty());
  ExpectClaims([&](Claims* claims) {
    const nlohmann::json one = Report({"--rank=2"});
    claims->Near("CPU time in samples", one["sampled_cpu_ns"].get<double>() / one["ranks"][0]["cpu_ns"].get<double>(),
                 1, 0.04);
  });
  const Outcome none = Ompprof({"report", "--rank=7", "all.ompprof"});
  EXPECT_TRUE(none.Exited(2)) << none.Describe();
  EXPECT_EQ(none.err, "ompprof: --rank=7: no such rank in this profile; the profile has 0, 1, 2, 3\n");
  EXPECT_TRUE(Ompprof({"report", "--rank=1", "--ranks", "all.ompprof"}).Exited(2));
}

// gcc's program runs on the shim.
INSTANTIATE_TEST_SUITE_P(Compiler, LateRank, ::testing::Values("late_rank", "late_rank_gcc"));

}  // namespace
}  // namespace ompprof::testing
