// Which profiles a command reads that was given the name of one.
#include "profiler/cli/load.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::cli {
namespace {

class ReadNamedTest : public ::testing::Test {
 protected:
  ReadNamedTest() {
    std::string pattern = ::testing::TempDir() + "/load.XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }

  static std::string Process(const std::string& program, int64_t start, const std::string& reason, uint64_t weight) {
    Record record;
    record.mutable_header()->set_format_version(FORMAT_CURRENT);
    record.mutable_header()->set_program("/usr/bin/" + program);
    record.mutable_header()->set_host("host");
    record.mutable_header()->set_pid(42);
    record.mutable_header()->set_start_unix_ns(start);
    test::ProfileBuilder builder(record);
    if (weight != 0) builder.AddSample({.weight = weight});
    record.Clear();
    record.mutable_footer()->set_reason(reason);
    builder.Append(record);
    return builder.Bytes();
  }

  std::string Write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  // The files' names, and on stderr what was said.
  std::vector<std::string> Read(const std::vector<std::string>& files, bool quiet = false) {
    std::vector<std::string> read;
    testing::internal::CaptureStderr();
    ReadNamed(files, quiet, [&read](model::ReadResult result) {
      EXPECT_TRUE(result.status.ok()) << result.status.sentence();
      read.push_back(result.profile.file.substr(result.profile.file.rfind('/') + 1));
    });
    said_ = testing::internal::GetCapturedStderr();
    return read;
  }

  using Names = std::vector<std::string>;
  std::string folder_;
  std::string said_;
};

TEST_F(ReadNamedTest, TheProgramInsteadOfItsWrappers) {
  const std::string wrapper = Write("run.ompprof", Process("Rscript", 1, "exec", 0));
  const std::string shell = Write("run.1.ompprof", Process("bash", 2, "exec", 5));
  const std::string program = Write("run.2.ompprof", Process("R", 3, "exit", 1000));
  EXPECT_EQ(Read({wrapper}), Names{"run.2.ompprof"});
  EXPECT_EQ(said_, "ompprof: " + wrapper + " is the profile of Rscript, which became R by exec; that one's is taken, " +
                       program + "\n");
  EXPECT_EQ(Read({wrapper}, true), Names{"run.2.ompprof"});
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({program}), Names{"run.2.ompprof"});
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({wrapper, shell, program}), (Names{"run.ompprof", "run.1.ompprof", "run.2.ompprof"}));
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({wrapper, program}), (Names{"run.ompprof", "run.2.ompprof"})) << "no process twice";
}

TEST_F(ReadNamedTest, TheProgramThatRunsSomethingSmallAtItsEnd) {
  const std::string program = Write("run.ompprof", Process("solve", 1, "exec", 1000));
  const std::string after = Write("run.1.ompprof", Process("gzip", 2, "exit", 10));
  EXPECT_EQ(Read({program}), Names{"run.ompprof"});
  EXPECT_EQ(said_, "ompprof: " + program +
                       " is the profile of solve, which became another program by exec; that one's is " + after + "\n");
}

TEST_F(ReadNamedTest, MergedFilesAsTheyAre) {
  const std::string second = Process("bash", 2, "exec", 5);
  const std::string merged = Write("all.ompprof", Process("env", 1, "exec", 0) + second.substr(model::kMagicSize));
  Write("run.2.ompprof", Process("R", 3, "exit", 1000));
  EXPECT_EQ(Read({merged}).size(), 2u);
  EXPECT_EQ(said_, "");
}

}  // namespace
}  // namespace ompprof::cli
