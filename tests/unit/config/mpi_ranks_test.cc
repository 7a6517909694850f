// Ranks, sizes and jobs from launchers' variables, and the lists of --ranks.
#include "profiler/config/mpi_ranks.h"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <map>
#include <string>

namespace ompprof::config {
namespace {

// The environment of a rank: these variables, and no other variable of a launcher.
void SetEnvironment(const std::map<std::string, std::string>& variables) {
  for (const RankVariables& launcher : Launchers()) {
    for (const char* name : {launcher.rank, launcher.ranks, launcher.other_ranks}) {
      if (name != nullptr) unsetenv(name);
    }
  }
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
}

TEST(MpiRanks, EachLauncher) {
  for (const RankVariables& launcher : Launchers()) {
    SetEnvironment({{launcher.rank, "5"}});
    EXPECT_STREQ(MpiRank(), "5") << launcher.launcher;
    EXPECT_EQ(MpiRanks(), 0u) << launcher.launcher;
    for (const char* ranks : {launcher.ranks, launcher.other_ranks}) {
      if (ranks == nullptr) continue;
      SetEnvironment({{launcher.rank, "5"}, {ranks, "2048"}});
      EXPECT_EQ(MpiRanks(), 2048u) << ranks;
    }
  }
}

TEST(MpiRanks, TheLibraryComesBeforeTheMachine) {
  SetEnvironment({{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "64"}});
  EXPECT_STREQ(MpiRank(), "5");
  EXPECT_EQ(MpiRanks(), 64u);
  // mpirun under srun: one srun task on each node.
  SetEnvironment({{"SLURM_PROCID", "5"},
                  {"SLURM_NTASKS", "64"},
                  {"OMPI_COMM_WORLD_RANK", "200"},
                  {"OMPI_COMM_WORLD_SIZE", "2048"}});
  EXPECT_STREQ(MpiRank(), "200");
  EXPECT_EQ(MpiRanks(), 2048u);
  SetEnvironment({{"OMPI_COMM_WORLD_RANK", "../x"}, {"SLURM_PROCID", "5"}});
  EXPECT_STREQ(MpiRank(), "5") << "not a number";
  SetEnvironment({});
  EXPECT_STREQ(MpiRank(), "");
  EXPECT_EQ(MpiRanks(), 0u);
}

TEST(MpiRanks, AnotherLaunchersSize) {
  SetEnvironment({{"PMIX_RANK", "5"}, {"SLURM_NTASKS", "4096"}, {"SLURM_STEP_NUM_TASKS", "1200"}});
  EXPECT_EQ(MpiRanks(), 1200u) << "the step's";
  SetEnvironment({{"PMIX_RANK", "1300"}, {"PMI_SIZE", "8"}, {"SLURM_NTASKS", "4096"}});
  EXPECT_EQ(MpiRanks(), 4096u) << "no job of 8 ranks has this rank";
}

TEST(MpiRanks, JobFromTheLauncher) {
  for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "SLURM_JOB_ID"}) unsetenv(name);
  EXPECT_STREQ(MpiJob(), "");
  setenv("SLURM_JOB_ID", "812", 1);
  setenv("SLURM_STEP_ID", "3", 1);
  EXPECT_STREQ(MpiJob(), "812");
  EXPECT_STREQ(MpiJobStep(), "3");
  setenv("PMIX_NAMESPACE", "prterun-17", 1);
  EXPECT_STREQ(MpiJob(), "prterun-17");
  EXPECT_STREQ(MpiJobStep(), "") << "a step of Slurm has the launcher's processes of a node";
}

std::string Selected(const char* list, int ranks) {
  std::string selected;
  for (int rank = 0; rank < ranks; ++rank) {
    if (IsRankSelected(list, std::to_string(rank).c_str())) selected += " " + std::to_string(rank);
  }
  return selected;
}

TEST(MpiRanks, SelectedRanks) {
  EXPECT_EQ(Selected("", 3), " 0 1 2");
  EXPECT_EQ(Selected("0,7,10-12", 20), " 0 7 10 11 12");
  EXPECT_EQ(Selected("1/64", 200), " 0 64 128 192");
  EXPECT_EQ(Selected("3,1/8", 17), " 0 3 8 16");
  EXPECT_EQ(Selected("1/1", 3), " 0 1 2");
  EXPECT_TRUE(IsRankSelected("5", "")) << "no rank";
}

TEST(MpiRanks, Lists) {
  for (const char* list : {"0", "0,7,100-120", "1/64", "5-5"}) EXPECT_TRUE(IsRankList(list)) << list;
  for (const char* list : {"", "a", "1,", ",1", "3-1", "1-", "2/64", "1/0", "1/", "-1", "1 2", "0x5", "1//2"})
    EXPECT_FALSE(IsRankList(list)) << list;
}

}  // namespace
}  // namespace ompprof::config
