// The distance of names, and the name that a misspelt word was meant to be.
#include "profiler/cli/options/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ompprof::cli {
namespace {

const std::vector<std::string> kNames = {"-F",    "--frequency", "--output", "--timeline",
                                         "--top", "--tree",      "report",   "record"};

TEST(Changes, CountsLetters) {
  EXPECT_EQ(Changes("", ""), 0u);
  EXPECT_EQ(Changes("", "abc"), 3u);
  EXPECT_EQ(Changes("tree", "tree"), 0u);
  EXPECT_EQ(Changes("tre", "tree"), 1u);
  EXPECT_EQ(Changes("reprot", "report"), 1u) << "two letters swapped";
  EXPECT_EQ(Changes("ca", "abc"), 3u) << "no letter moves twice";
  EXPECT_EQ(Changes("kitten", "sitting"), 3u);
}

TEST(NearestName, MisspeltNames) {
  EXPECT_EQ(NearestName("--frequenzy", kNames), "--frequency");
  EXPECT_EQ(NearestName("-frequency", kNames), "--frequency") << "a dash too few";
  EXPECT_EQ(NearestName("--freq", kNames), "--frequency") << "the beginning";
  EXPECT_EQ(NearestName("--treee", kNames), "--tree");
  EXPECT_EQ(NearestName("reprot", kNames), "report");
  EXPECT_EQ(NearestName("recrod", kNames), "record");
}

TEST(NearestName, NoNameIsNear) {
  EXPECT_EQ(NearestName("--banana", kNames), "");
  EXPECT_EQ(NearestName("-x", kNames), "") << "of one letter, each other letter is as near";
  EXPECT_EQ(NearestName("--", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  EXPECT_EQ(NearestName(std::string(1 << 20, 'r'), kNames), "");
  EXPECT_EQ(NearestName("report", {}), "");
}

}  // namespace
}  // namespace ompprof::cli
