// Names of profiles: the expansion of each placeholder, numbers for taken names, and ranks and jobs from launchers'
// variables.
#include "profiler/config/output_name.h"

#include <gtest/gtest.h>

#include <stdlib.h>
#include <string.h>

#include <string>

namespace ompprof::config {
namespace {

std::string Expand(const char* pattern, const char* rank = "", unsigned attempt = 0, size_t size = 4096) {
  std::string out(size, '\0');
  if (!ExpandOutputName(pattern, {"/work dir", "solver", "node7", rank, 4711, attempt}, out.data(), size))
    return "(refused)";
  return out.c_str();
}

TEST(OutputName, DefaultNamesProgramHostAndPid) {
  EXPECT_EQ(Expand(""), "/work dir/ompprof.solver.node7.4711.ompprof");
  EXPECT_EQ(Expand("", "3"), "/work dir/ompprof.solver.node7.3.4711.ompprof");
}

TEST(OutputName, Expansion) {
  EXPECT_EQ(Expand("/tmp/%h-%p-%r-%%.prof", "12"), "/tmp/node7-4711-12-%.prof");
  EXPECT_EQ(Expand("/tmp/%r"), "/tmp/0") << "no rank is rank 0";
  EXPECT_EQ(Expand("a/b"), "/work dir/a/b");
  EXPECT_EQ(Expand("x%q"), "(refused)");
  EXPECT_EQ(Expand("x%"), "(refused)");
}

TEST(OutputName, TakenNamesGetANumberBeforeTheSuffix) {
  EXPECT_EQ(Expand("/t/a.ompprof", "", 2), "/t/a.2.ompprof");
  EXPECT_EQ(Expand("/t/a.prof", "", 2), "/t/a.prof.2");
  EXPECT_EQ(Expand("/t/.ompprof", "", 1), "/t/.1.ompprof");
}

TEST(OutputName, NeverWritesBeyondTheBuffer) {
  for (size_t size = 1; size < 40; ++size) {
    char out[64];
    memset(out, 'x', sizeof(out));
    const bool fits = ExpandOutputName("/t/a.ompprof", {"", "", "", "", 1, 999}, out, size);
    EXPECT_EQ(fits, size >= strlen("/t/a.999.ompprof") + 1) << size;
    EXPECT_EQ(out[size], 'x');
  }
}

TEST(OutputName, RankFromTheLauncher) {
  unsetenv("OMPI_COMM_WORLD_RANK");
  unsetenv("PMIX_RANK");
  unsetenv("PMI_RANK");
  unsetenv("SLURM_PROCID");
  EXPECT_STREQ(MpiRank(), "");
  setenv("SLURM_PROCID", "5", 1);
  EXPECT_STREQ(MpiRank(), "5");
  setenv("OMPI_COMM_WORLD_RANK", "2", 1);
  EXPECT_STREQ(MpiRank(), "2");
  setenv("OMPI_COMM_WORLD_RANK", "../x", 1);
  EXPECT_STREQ(MpiRank(), "5") << "not a number";
}

TEST(OutputName, JobFromTheLauncher) {
  for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "SLURM_JOB_ID"}) unsetenv(name);
  EXPECT_STREQ(MpiJob(), "");
  setenv("SLURM_JOB_ID", "812", 1);
  EXPECT_STREQ(MpiJob(), "812");
  setenv("PMIX_NAMESPACE", "prterun-17", 1);
  EXPECT_STREQ(MpiJob(), "prterun-17");
}

}  // namespace
}  // namespace ompprof::config
