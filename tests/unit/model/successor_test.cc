// The next profile of a process that became another program. Profiles of other processes with its number must not be
// taken.
#include "profiler/model/successor.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

class SuccessorTest : public ::testing::Test {
 protected:
  SuccessorTest() {
    std::string pattern = ::testing::TempDir() + "/successor.XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }

  // Writes a profile of process 42 or another that begins at `start` and ends for `reason`. Returns its path.
  std::string Write(const std::string& name, int64_t start, const std::string& reason, uint32_t pid = 42) {
    Record record;
    record.mutable_header()->set_format_version(FORMAT_CURRENT);
    record.mutable_header()->set_host("host");
    record.mutable_header()->set_pid(pid);
    record.mutable_header()->set_start_unix_ns(start);
    test::ProfileBuilder builder(record);
    record.Clear();
    record.mutable_footer()->set_reason(reason);
    builder.Append(record);
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << builder.Bytes();
    return path;
  }

  static std::string Successor(const std::string& path) { return FindSuccessor(ReadProfile(path).profile); }

  std::string folder_;
};

TEST_F(SuccessorTest, IsTheNextProfileOfTheSameProcess) {
  const std::string wrapper = Write("run.ompprof", 1000, "exec");
  Write("other.ompprof", 1500, "exit", 43);
  const std::string program = Write("run.2.ompprof", 3000, "exit");
  const std::string shell = Write("run.1.ompprof", 2000, "exec");
  std::ofstream(folder_ + "/notes") << "no profile";
  EXPECT_EQ(Successor(wrapper), shell);
  EXPECT_EQ(Successor(shell), program);
  EXPECT_EQ(Successor(program), "");
}

TEST_F(SuccessorTest, IsNotLookedForWhereTheProcessEndedItself) {
  const std::string first = Write("run.ompprof", 1000, "exit");
  Write("run.1.ompprof", 2000, "exit");  // its number came round again
  EXPECT_EQ(Successor(first), "");
}

TEST_F(SuccessorTest, MayBeElsewhere) { EXPECT_EQ(Successor(Write("run.ompprof", 1000, "exec")), ""); }

}  // namespace
}  // namespace ompprof::model
