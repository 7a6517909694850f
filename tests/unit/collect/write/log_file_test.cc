// The log file is new, complete or absent: it takes no existing file's place, and full devices and pipes are errors.
#include "profiler/collect/write/files/log_file.h"

#include <gtest/gtest.h>

#include <errno.h>
#include <fcntl.h>
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
  ASSERT_EQ(file.Open(path.c_str(), "abc", 3), 0);
  EXPECT_EQ(Contents(path), "abc");
  EXPECT_EQ(file.Append("de", 2), 0);
  EXPECT_EQ(file.size(), 5u);
  file.Close();
  EXPECT_EQ(Contents(path), "abcde");
}

TEST(LogFile, NeverTakesAFileThatExists) {
  const std::string path = Fresh("log_file_exists");
  std::ofstream(path) << "somebody's";
  LogFile file;
  EXPECT_EQ(file.Open(path.c_str(), "", 0), -EEXIST);
  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(Contents(path), "somebody's");
  EXPECT_LT(file.Open(testing::TempDir().c_str(), "", 0), 0) << "nor a directory";
  EXPECT_EQ(file.Open("/nowhere/at/all", "", 0), -ENOENT);
}

TEST(LogFile, AFullDeviceIsAnError) {
  LogFile file;
  ASSERT_EQ(file.Open("/dev/full", "", 0), 0);
  EXPECT_EQ(file.Append("abc", 3), -ENOSPC);
  EXPECT_EQ(file.size(), 0u);
  file.Close();
  EXPECT_EQ(file.Open("/dev/full", "abc", 3), -ENOSPC);
  EXPECT_FALSE(file.is_open());
}

TEST(LogFile, WithoutRoomForItsBeginThereIsNoFile) {
  const std::string path = Fresh("log_file_no_room");
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 2;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  LogFile file;
  EXPECT_EQ(file.Open(path.c_str(), "abc", 3), -EFBIG);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(file.is_open());
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(LogFile, IsCreatedInTheWorkingDirectoryByItsNameAlone) {
  ASSERT_EQ(chdir(testing::TempDir().c_str()), 0);
  const std::string path = Fresh("log_file_name");
  LogFile file;
  ASSERT_EQ(file.Open("log_file_name", "abc", 3), 0);
  file.Close();
  EXPECT_EQ(Contents(path), "abc");
}

TEST(LogFile, APipeIsWrittenToIfSomebodyReads) {
  const std::string path = Fresh("log_file_pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  LogFile file;
  alarm(20);  // where opening it waits for a reader
  EXPECT_EQ(file.Open(path.c_str(), "", 0), -ENXIO);
  alarm(0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_EQ(file.Open(path.c_str(), "", 0), 0);
  EXPECT_EQ(file.Append("abc", 3), 0);
  char got[4] = "";
  EXPECT_EQ(read(reader, got, 3), 3);
  EXPECT_STREQ(got, "abc");
  file.Close();
  close(reader);
}

TEST(LogFile, WhatDoesNotFitLeavesNoPart) {
  const std::string path = Fresh("log_file_limit");
  LogFile file;
  ASSERT_EQ(file.Open(path.c_str(), "", 0), 0);
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

TEST(LogFile, IsClosedForAWhileAndFoundAgainByItsName) {
  const std::string path = Fresh("log_file_again");
  LogFile file;
  ASSERT_EQ(file.Open(path.c_str(), "first ", 6), 0);
  file.Remember();
  ASSERT_TRUE(file.CloseForNow(path.c_str()));
  EXPECT_FALSE(file.is_open());
  ASSERT_EQ(file.OpenByName(path.c_str()), 0);
  EXPECT_EQ(file.Append("second", 6), 0);
  EXPECT_EQ(Contents(path), "first second");
  ASSERT_TRUE(file.CloseForNow(path.c_str()));
  // Another file has the name now.
  ASSERT_EQ(rename(path.c_str(), (path + ".old").c_str()), 0);
  LogFile other;
  ASSERT_EQ(other.Open(path.c_str(), "other", 5), 0);
  EXPECT_EQ(file.OpenByName(path.c_str()), -ESTALE);
  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(Contents(path), "other");
  other.Close();
}

TEST(LogFile, StaysOpenIfItsNameIsGone) {
  const std::string path = Fresh("log_file_nameless");
  LogFile file;
  ASSERT_EQ(file.Open(path.c_str(), "first", 5), 0);
  file.Remember();
  ASSERT_EQ(unlink(path.c_str()), 0);
  EXPECT_FALSE(file.CloseForNow(path.c_str()));
  EXPECT_TRUE(file.is_open());
  EXPECT_EQ(file.Append("second", 6), 0);
  file.Close();
}

TEST(LogFile, KnowsThatItsDescriptorWasTaken) {
  const std::string path = Fresh("log_file_taken");
  LogFile file;
  ASSERT_EQ(file.Open(path.c_str(), "", 0), 0);
  file.Remember();
  EXPECT_FALSE(file.WasTaken());
  close(file.descriptor());
  EXPECT_TRUE(file.WasTaken()) << "it is closed";
  const int null = open("/dev/null", O_RDONLY);
  ASSERT_EQ(dup2(null, file.descriptor()), file.descriptor());
  EXPECT_TRUE(file.WasTaken()) << "it is another file's";
  close(null);
  file.Close();
}

}  // namespace
}  // namespace ompprof::collect
