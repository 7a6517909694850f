// Which processes are one run, and how a file's processes are found without reading all of it.
#include "profiler/model/process_lives.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

constexpr int64_t kSecond = 1000000000;

ProcessLife Life(const std::string& run, int64_t begin_s, int64_t end_s) {
  return {{"host", 1, begin_s, 0, "program"}, run, begin_s * kSecond, end_s * kSecond};
}

using Runs = std::vector<std::vector<size_t>>;

TEST(GroupRuns, ByTime) {
  // Begin and end: a late run, then a parent with its child, and a process that began before the child ended.
  EXPECT_EQ(GroupRuns({Life("", 200, 210), Life("", 100, 110), Life("", 105, 155), Life("", 154, 155)}),
            (Runs{{1, 2, 3}, {0}}));
  EXPECT_EQ(GroupRuns({Life("", 1, 2), Life("", 3, 4), Life("", 5, 6)}), (Runs{{0}, {1}, {2}}));
  EXPECT_TRUE(GroupRuns({}).empty());
}

TEST(GroupRuns, ByName) {
  // A script under one `record` starts programs one after the other. Another run began between them.
  EXPECT_EQ(GroupRuns({Life("script", 1, 2), Life("other", 3, 4), Life("script", 5, 6)}), (Runs{{0, 2}, {1}}));
  // Ranks whose launcher names no job have names of their own, and run at the same time.
  EXPECT_EQ(GroupRuns({Life("rank 0", 1, 9), Life("rank 1", 2, 8), Life("rank 2", 2, 10), Life("later", 11, 12)}),
            (Runs{{0, 1, 2}, {3}}));
  EXPECT_EQ(GroupRuns({Life("same", 5, 6), Life("same", 1, 2)}), (Runs{{1, 0}}));
}

std::string WriteLog(const std::string& name, const std::string& bytes) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(ReadLives, OfAFileWithSeveralProcesses) {
  test::ProfileBuilder first;
  first.AddThread(1, Thread::INITIAL, 1000000);
  first.AddFooter(0, 3000000);
  const std::string one = WriteLog("one", first.Bytes());
  const std::vector<ProcessLife> alone = ReadLives(one);
  ASSERT_EQ(alone.size(), 1u);
  const ReadResult whole = ReadProfile(one);
  EXPECT_EQ(alone[0].process, LifeOf(whole.profile).process);
  EXPECT_EQ(alone[0].begin_ns, whole.profile.header.start_unix_ns());
  EXPECT_EQ(alone[0].end_ns, LifeOf(whole.profile).end_ns);
  EXPECT_GT(alone[0].end_ns, alone[0].begin_ns);
  // The records of a second process follow, without another magic.
  const std::string two = WriteLog("two", first.Bytes() + first.Bytes().substr(kMagicSize));
  EXPECT_EQ(ReadLives(two).size(), 2u);
}

TEST(ReadLives, OfAKilledProcess) {
  test::ProfileBuilder killed;
  killed.AddThread(1, Thread::INITIAL, 1000000);
  const std::string path = WriteLog("killed", killed.Bytes());
  const std::vector<ProcessLife> lives = ReadLives(path);
  ASSERT_EQ(lives.size(), 1u);
  EXPECT_EQ(lives[0].end_ns, LifeOf(ReadProfile(path).profile).end_ns);
}

TEST(ReadLives, OfBytesThatAreNoProfile) {
  test::ProfileBuilder builder;
  builder.AddFooter(0, 1000);
  EXPECT_TRUE(ReadLives(WriteLog("text", "not a profile at all")).empty());
  EXPECT_TRUE(ReadLives("/nonexistent").empty());
  EXPECT_TRUE(ReadLives("/dev/null").empty());
  // A record that claims to be longer than the file.
  EXPECT_LE(ReadLives(WriteLog("long", builder.Bytes() + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f")).size(), 1u);
  for (size_t size = 0; size < builder.Bytes().size(); ++size)
    EXPECT_LE(ReadLives(WriteLog("cut", builder.Bytes().substr(0, size))).size(), 1u);
}

}  // namespace
}  // namespace ompprof::model
