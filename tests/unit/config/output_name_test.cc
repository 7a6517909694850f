// Names of profiles: the expansion of each placeholder, numbers for taken names, and folders of ranks.
#include "profiler/config/output_name.h"

#include <gtest/gtest.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

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

std::string Ranked(const char* pattern, const char* rank, uint64_t ranks, unsigned attempt = 0) {
  char out[4096];
  if (!ExpandOutputName(pattern, {"/work", "solver", "node7", rank, 4711, attempt, ranks}, out, sizeof out)) return "";
  return out;
}

TEST(OutputName, LargeJobsHaveFoldersOfRanks) {
  EXPECT_EQ(Ranked("/d/%r.ompprof", "17", 1000), "/d/17.ompprof");
  EXPECT_EQ(Ranked("/d/%r.ompprof", "17", 1001), "/d/0/17.ompprof");
  EXPECT_EQ(Ranked("/d/%r.ompprof", "999", 10000), "/d/0/999.ompprof");
  EXPECT_EQ(Ranked("/d/%r.ompprof", "1000", 10000), "/d/1/1000.ompprof");
  EXPECT_EQ(Ranked("/d/run.%h.%r", "9999", 10000), "/d/9/run.node7.9999");
  EXPECT_EQ(Ranked("%r.ompprof", "1017", 10000), "/work/1/1017.ompprof");
  EXPECT_EQ(Ranked("/d/%r.ompprof", "1017", 10000, 2), "/d/1/1017.2.ompprof");
  EXPECT_EQ(Ranked("/d/%r.ompprof", "1017", 0), "/d/1017.ompprof") << "unknown size";
  EXPECT_EQ(Ranked("/d/%r.ompprof", "", 10000), "/d/0.ompprof") << "no rank";
  EXPECT_EQ(Ranked("/d/%r/x.ompprof", "1017", 10000), "/d/1017/x.ompprof") << "the user has folders";
  EXPECT_EQ(Ranked("/d/%%r.%p", "1017", 10000), "/d/%r.4711");
  EXPECT_EQ(Ranked("", "1017", 10000), "/work/ompprof.solver.node7.1017.4711.ompprof") << "no name is given";
}

TEST(OutputName, ManyRanksMakeTheirFolder) {
  char folder[] = "/tmp/ranks.XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string pattern = std::string(folder) + "/%r.ompprof";
  std::vector<std::thread> ranks;
  for (int rank = 1000; rank < 1016; ++rank) {
    ranks.emplace_back([&pattern, number = std::to_string(rank)] {
      const OutputNameParts parts{"/", "", "", number.c_str(), 1, 0, 5000};
      char path[4096];
      ASSERT_TRUE(ExpandOutputName(pattern.c_str(), parts, path, sizeof path));
      MakeRankFolder(pattern.c_str(), parts, path);
      FILE* file = fopen(path, "wx");
      ASSERT_NE(file, nullptr) << path;
      fclose(file);
    });
  }
  for (std::thread& rank : ranks) rank.join();
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ompprof::config
