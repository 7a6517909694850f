#include "profiler/collect/write/log_file.h"

#include <gtest/gtest.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

namespace ompprof::collect {
namespace {

std::string Fresh(const char* name) {
  const std::string path = testing::TempDir() + name;
  unlink(path.c_str());
  return path;
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(LogFile, AppendsAndCounts) {
  const std::string path = Fresh("log_file_appends");
  LogFile file;
  ASSERT_EQ(file.Open(path.c_str()), 0);
  EXPECT_EQ(file.Append("abc", 3), 0);
  EXPECT_EQ(file.Append("de", 2), 0);
  EXPECT_EQ(file.size(), 5u);
  file.Close();
  EXPECT_EQ(Contents(path), "abcde");
}

TEST(LogFile, NeverTakesAFileThatExists) {
  const std::string path = Fresh("log_file_exists");
  std::ofstream(path) << "somebody's";
  LogFile file;
  EXPECT_EQ(file.Open(path.c_str()), -EEXIST);
  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(Contents(path), "somebody's");
  EXPECT_LT(file.Open(testing::TempDir().c_str()), 0) << "nor a directory";
  EXPECT_EQ(file.Open("/nowhere/at/all"), -ENOENT);
}

TEST(LogFile, AFullDeviceIsAnError) {
  LogFile file;
  ASSERT_EQ(file.Open("/dev/full"), 0);
  EXPECT_EQ(file.Append("abc", 3), -ENOSPC);
  EXPECT_EQ(file.size(), 0u);
  file.Close();
}

TEST(LogFile, WhatDoesNotFitLeavesNoPart) {
  const std::string path = Fresh("log_file_limit");
  LogFile file;
  ASSERT_EQ(file.Open(path.c_str()), 0);
  ASSERT_EQ(file.Append("1234567890", 10), 0);
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 14;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(file.Append("abcdefgh", 8), -EFBIG);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(Contents(path), "1234567890") << "the four bytes that fitted are gone again";
  EXPECT_EQ(file.Append("abcdefgh", 8), 0) << "and the next try brings all of it";
  file.Close();
  EXPECT_EQ(Contents(path), "1234567890abcdefgh");
}

}  // namespace
}  // namespace ompprof::collect
