// Which files belong to one run, and what happens to an earlier run's files.
#include "profiler/cli/files/profile_family.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::cli {
namespace {

using Names = std::vector<std::string>;

class ProfileFamilyTest : public ::testing::Test {
 protected:
  ProfileFamilyTest() {
    std::string pattern = ::testing::TempDir() + "/family.XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::string WriteProfile(const std::string& name, const std::string& run, int64_t start = 1) {
    Record record;
    record.mutable_header()->set_format_version(FORMAT_CURRENT);
    record.mutable_header()->set_run(run);
    record.mutable_header()->set_start_unix_ns(start);
    return Write(name, test::ProfileBuilder(record).Bytes());
  }

  Names WithoutFolder(Names paths) const {
    for (std::string& path : paths) path = path.substr(folder_.size() + 1);
    return paths;
  }

  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.insert(entry.path().filename().string());
    return names;
  }

  std::string folder_;
};

TEST_F(ProfileFamilyTest, NumbersStandBeforeTheSuffix) {
  for (const char* name : {"a.ompprof", "a.2.ompprof", "a.10.ompprof", "a.1.ompprof", "a.01.ompprof", "a.x.ompprof",
                           "a.1.2.ompprof", "ab.1.ompprof", "a.1.ompprof.old", "a.1", "a.ompprof.1"})
    Write(name, "");
  EXPECT_EQ(WithoutFolder(NumberedFiles(Path("a.ompprof"))),
            (Names{"a.ompprof", "a.1.ompprof", "a.2.ompprof", "a.10.ompprof"}));
  EXPECT_EQ(WithoutFolder(NumberedFiles(Path("a.1.ompprof"))), (Names{"a.1.ompprof", "a.1.2.ompprof"}));
  EXPECT_EQ(WithoutFolder(NumberedFiles(Path("a.ompprof.old"))), Names{"a.1.ompprof.old"});
  EXPECT_EQ(WithoutFolder(NumberedFiles(Path("a"))), Names{"a.1"}) << "of a name without the suffix, its end is none";
}

TEST_F(ProfileFamilyTest, OneRunsProfilesComeInTheOrderOfTheirStart) {
  const std::string first = WriteProfile("a.ompprof", "r1", 5);
  WriteProfile("a.1.ompprof", "r1", 9);
  WriteProfile("a.2.ompprof", "r2", 6);
  WriteProfile("a.3.ompprof", "r1", 7);
  Write("a.4.ompprof", "no profile");
  EXPECT_EQ(WithoutFolder(OthersOfRun(first)), (Names{"a.3.ompprof", "a.1.ompprof"}));
  EXPECT_EQ(OthersOfRun(Path("a.3.ompprof")), Names{}) << "the name of one process is that process's alone";
  EXPECT_EQ(OthersOfRun(Path("a.4.ompprof")), Names{});
  EXPECT_EQ(OthersOfRun(Path("none.ompprof")), Names{});
}

TEST_F(ProfileFamilyTest, ProfilesThatNameNoRunAreAlone) {
  const std::string first = WriteProfile("a.ompprof", "");
  WriteProfile("a.1.ompprof", "");
  EXPECT_EQ(OthersOfRun(first), Names{});
}

TEST_F(ProfileFamilyTest, OneRunsProfilesInAFolderWhateverTheirNames) {
  const std::string script = WriteProfile("ompprof.sh.node.1.ompprof", "node 1", 10);
  WriteProfile("ompprof.solver.node.3.ompprof", "node 1", 30);
  WriteProfile("ompprof.mesh.node.2.ompprof", "node 1", 20);
  WriteProfile("ompprof.solver.node.9.ompprof", "another", 40);
  WriteProfile("named.otherwise", "node 1", 50);
  EXPECT_EQ(WithoutFolder(OthersInFolder(script)),
            (Names{"ompprof.mesh.node.2.ompprof", "ompprof.solver.node.3.ompprof"}));
  EXPECT_EQ(OthersInFolder(WriteProfile("alone.ompprof", "")), Names());
  EXPECT_EQ(OthersInFolder(Path("absent.ompprof")), Names());
}

TEST_F(ProfileFamilyTest, AnEarlierRunIsMovedAside) {
  const std::string path = WriteProfile("a.ompprof", "r1");
  WriteProfile("a.1.ompprof", "r1");
  Write("a.2.ompprof", "somebody's own");
  ASSERT_TRUE(MoveFamilyAside(path, "r2").ok());
  EXPECT_EQ(Files(), (std::set<std::string>{"a.ompprof.old", "a.1.ompprof.old", "a.2.ompprof"}));
  EXPECT_EQ(WithoutFolder(OthersOfRun(Path("a.ompprof.old"))), Names{"a.1.ompprof.old"}) << "and is read as before";

  WriteProfile("a.ompprof", "r2");
  ASSERT_TRUE(MoveFamilyAside(path, "r3").ok());
  EXPECT_EQ(Files(), (std::set<std::string>{"a.ompprof.old", "a.2.ompprof"})) << "the run before that is removed";
  ASSERT_TRUE(MoveFamilyAside(path, "r4").ok());
  EXPECT_EQ(Files(), (std::set<std::string>{"a.ompprof.old", "a.2.ompprof"})) << "nothing replaces it";
}

TEST_F(ProfileFamilyTest, SomebodysFileIsNotMovedOver) {
  const std::string path = WriteProfile("a.ompprof", "r1");
  WriteProfile("a.1.ompprof", "r1");
  Write("a.1.ompprof.old", "somebody's own");
  const model::Status status = MoveFamilyAside(path, "r2");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.sentence().find("a.1.ompprof.old is no profile"), std::string::npos) << status.sentence();
  EXPECT_EQ(Files(), (std::set<std::string>{"a.ompprof", "a.1.ompprof", "a.1.ompprof.old"}));
}

TEST_F(ProfileFamilyTest, ChildrenWhoseFirstIsGoneAreMovedToo) {
  WriteProfile("a.1.ompprof", "r1");
  ASSERT_TRUE(MoveFamilyAside(Path("a.ompprof"), "r2").ok());
  EXPECT_EQ(Files(), std::set<std::string>{"a.1.ompprof.old"});
}

TEST_F(ProfileFamilyTest, RanksOfOneJobLeaveEachOtherAlone) {
  const std::string path = WriteProfile("a.ompprof", "job 7");
  WriteProfile("a.1.ompprof", "job 7");
  ASSERT_TRUE(MoveFamilyAside(path, "job 7").ok());
  EXPECT_EQ(Files(), (std::set<std::string>{"a.ompprof", "a.1.ompprof"}));
}

TEST_F(ProfileFamilyTest, AnotherKindOfFileIsNeverMoved) {
  const std::string path = Write("main.cc", "int main() {}");
  const model::Status status = MoveFamilyAside(path, "r1");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.sentence(),
            path + ": the file exists and is no profile, so nothing is written; name another output");
  EXPECT_EQ(Files(), std::set<std::string>{"main.cc"});
  EXPECT_TRUE(MoveFamilyAside("/dev/null", "r1").ok());
  EXPECT_TRUE(MoveFamilyAside(Path("no/such/folder/a.ompprof"), "r1").ok()) << "the collector says why it cannot write";
}

}  // namespace
}  // namespace ompprof::cli
