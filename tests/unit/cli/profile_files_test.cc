// The profiles that a folder stands for.
#include "profiler/cli/files/profile_files.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "profiler/cli/files/load.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/serve/served_profile.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::cli {
namespace {

using Names = std::vector<std::string>;

class ProfileFilesTest : public ::testing::Test {
 protected:
  ProfileFilesTest() {
    std::string pattern = ::testing::TempDir() + "/files.XXXXXX";
    folder_ = mkdtemp(pattern.data());
    std::filesystem::create_directories(Path("run/0"));
    std::filesystem::create_directories(Path("run/1"));
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Write(const std::string& name, const std::string& bytes = "") const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::string WriteRank(const std::string& name, uint64_t pid, uint64_t members = 0) const {
    Record record;
    record.mutable_header()->set_format_version(FORMAT_CURRENT);
    record.mutable_header()->set_program("/usr/bin/solve");
    record.mutable_header()->set_pid(pid);
    if (members != 0) record.mutable_header()->mutable_unified()->set_members(members);
    test::ProfileBuilder builder(record);
    builder.AddSample({.weight = 5});
    return Write(name, builder.Bytes());
  }

  Names Found(const Names& arguments) const { return WithoutFolder(FindProfiles(arguments).Paths()); }

  Names WithoutFolder(Names paths) const {
    for (std::string& path : paths) path = path.substr(folder_.size() + 1);
    return paths;
  }

  // The names of the profiles that a command would read, and what it says on stderr.
  Names Read(const Names& arguments) {
    Names read;
    testing::internal::CaptureStderr();
    ReadNamed(arguments, false, model::Timeline::kDrop, [&](const model::ReadResult& result) {
      read.push_back(result.status.ok() ? result.profile.file : result.status.sentence());
    });
    said_ = testing::internal::GetCapturedStderr();
    return WithoutFolder(read);
  }

  std::string folder_;
  std::string said_;
};

TEST_F(ProfileFilesTest, AFolderStandsForTheProfilesBelowIt) {
  for (const char* name :
       {"run/1/1017.ompprof", "run/0/17.ompprof", "run/0/2.ompprof", "run/all.ompprof", "run/notes.txt",
        "run/0/17.ompprof.old", "run/job.ompprof.4711.part", "run/ompprof", "beside.ompprof"})
    Write(name);
  std::filesystem::create_directories(Path("run/folder.ompprof"));
  Write("run/folder.ompprof/3.ompprof");
  std::filesystem::create_directory_symlink(Path("run"), Path("run/1/again"));
  std::filesystem::create_symlink(Path("beside.ompprof"), Path("run/1/link.ompprof"));
  EXPECT_EQ(Found({Path("run")}), (Names{"run/0/17.ompprof", "run/0/2.ompprof", "run/1/1017.ompprof",
                                         "run/1/link.ompprof", "run/all.ompprof", "run/folder.ompprof/3.ompprof"}));
  EXPECT_EQ(Found({Path("run/notes.txt"), Path("run/1"), Path("run/missing")}),
            (Names{"run/notes.txt", "run/1/1017.ompprof", "run/1/link.ompprof", "run/missing"}));
  const ProfileFiles found = FindProfiles({Path("run/0"), Path("beside.ompprof")});
  EXPECT_EQ(found.faults, Names{});
  EXPECT_EQ(found.files.front().folder, Path("run/0"));
  EXPECT_EQ(found.files.back().folder, "");
}

TEST_F(ProfileFilesTest, AFolderWithoutProfilesIsAFault) {
  WriteRank("run/1/1017.ompprof", 1017);
  Write("run/0/notes.txt");
  const std::string sentence =
      "run/0: the folder has no profiles: no file in it or below it has a name that ends in .ompprof";
  EXPECT_EQ(FindProfiles({Path("run/0"), Path("run/1")}).faults, Names{folder_ + "/" + sentence});
  EXPECT_EQ(Read({Path("run/0"), Path("run/1")}), (Names{sentence, "run/1/1017.ompprof"}));
  EXPECT_EQ(said_, "") << "it is a result without a profile, as a missing file is";
  Loaded loaded;
  testing::internal::CaptureStderr();
  EXPECT_EQ(Load({Path("run/0")}, {}, &loaded), kFailure);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ompprof: " + folder_ + "/" + sentence + "\n");
  EXPECT_TRUE(loaded.view.run.empty());
}

// merge --unify writes its file into the folder of the ranks.
TEST_F(ProfileFilesTest, AUnifiedJobBesideItsRanksIsLeftOut) {
  WriteRank("run/0/17.ompprof", 17);
  WriteRank("run/1/1017.ompprof", 1017);
  const std::string job = WriteRank("run/job.ompprof", 17, 2);
  EXPECT_EQ(Read({Path("run")}), (Names{"run/0/17.ompprof", "run/1/1017.ompprof"}));
  EXPECT_EQ(said_, "ompprof: " + job + ": is a unified job, and is left out: its processes may be among the other " +
                       "profiles in " + Path("run") + "; to read it, name the file itself\n");
  EXPECT_EQ(Read({job}), Names{"run/job.ompprof"});
  EXPECT_EQ(said_, "");
  std::filesystem::rename(job, Path("run/1/job.ompprof"));
  std::filesystem::remove(Path("run/1/1017.ompprof"));
  EXPECT_EQ(Read({Path("run/1")}), Names{"run/1/job.ompprof"}) << "nothing else is there";
  EXPECT_EQ(said_, "");
}

// A merged file and its parts have each process twice.
TEST_F(ProfileFilesTest, ProcessesThatComeAgainAreSaidInAFewLines) {
  std::string all;
  for (uint64_t pid = 1; pid <= 9; ++pid) {
    const std::string part = WriteRank("run/" + std::to_string(pid) + ".ompprof", pid);
    std::ifstream file(part, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    all += all.empty() ? bytes : bytes.substr(model::kMagicSize);
  }
  const std::string merged = Write("run/all.ompprof", all);
  EXPECT_EQ(Read({Path("run")}).size(), 9u);
  EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 4) << said_;
  EXPECT_NE(said_.find("; ompprof counts the process once\n"), std::string::npos) << said_;
  EXPECT_NE(said_.find("\nompprof: 6 more processes are in several files; ompprof counts each process once\n"),
            std::string::npos)
      << said_;
}

TEST_F(ProfileFilesTest, AnOutputInAFolderOfProfilesIsAmongThem) {
  const std::string rank = Write("run/0/17.ompprof");
  Write("run/0/page.html");
  std::filesystem::create_directory_symlink(Path("run"), Path("link"));
  EXPECT_TRUE(IsAmong(rank, {rank}));
  EXPECT_TRUE(IsAmong(rank, {Path("run/1"), Path("run/0")}));
  EXPECT_TRUE(IsAmong(rank, {Path("run/")}));
  EXPECT_TRUE(IsAmong(Path("run/1/../0/17.ompprof"), {Path("link")}));
  EXPECT_FALSE(IsAmong(rank, {Path("run/1")}));
  EXPECT_FALSE(IsAmong(Path("run/0/18.ompprof"), {Path("run")})) << "the file is not there";
  EXPECT_FALSE(IsAmong(Path("run/0/page.html"), {Path("run")})) << "is no profile";
  EXPECT_FALSE(IsAmong(rank, {Path("ru"), Path("run/0/17")}));
}

TEST_F(ProfileFilesTest, ManyFilesAreBetterUnified) {
  for (size_t i = 0; i < kManyFiles; ++i) Write("run/0/" + std::to_string(i) + ".ompprof");
  EXPECT_EQ(UnifyHints(FindProfiles({Path("run")})), Names{});
  Write("run/1/1017.ompprof");
  const std::string run = Path("run");
  EXPECT_EQ(UnifyHints(FindProfiles({run})),
            Names{run + ": has 257 profiles; `ompprof merge --unify -o job.ompprof " + run +
                  "` makes one file of them, which is faster to read and shows the spread over the processes"});
  EXPECT_EQ(UnifyHints(FindProfiles({Path("run/0"), Path("run/1")})), Names{});
  EXPECT_EQ(UnifyHints(FindProfiles(FindProfiles({run}).Paths())), Names{}) << "the user named each file";
}

// The hint comes where a unified job would answer as well.
TEST_F(ProfileFilesTest, TheHintIsPrintedOnce) {
  for (uint64_t pid = 0; pid <= kManyFiles; ++pid) WriteRank("run/0/" + std::to_string(pid) + ".ompprof", pid + 1);
  const auto said = [&](const LoadRequest& request) {
    Loaded loaded;
    testing::internal::CaptureStderr();
    EXPECT_EQ(Load({Path("run")}, request, &loaded), request.rank.empty() ? kSuccess : kUsage);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said({}), "ompprof: " + UnifyHints(FindProfiles({Path("run")})).at(0) + "\n");
  LoadRequest request;
  request.job_serves = false;
  EXPECT_EQ(said(request), "");
  request = {};
  request.rank = "7";
  EXPECT_EQ(said(request).find("merge --unify -o"), std::string::npos);
  testing::internal::CaptureStderr();
  Loaded loaded;
  std::string error;
  LoadQuietly({Path("run")}, {}, &loaded, &error);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(loaded.view.run.processes.size(), kManyFiles + 1);
}

// `ompprof serve` of a folder shows ranks that come later.
TEST_F(ProfileFilesTest, AServedFolderGrows) {
  ServedProfile served({Path("run")}, true);
  std::string error;
  EXPECT_EQ(served.Get(&error), nullptr);
  EXPECT_NE(error.find("run: the folder has no profiles"), std::string::npos) << error;
  WriteRank("run/0/17.ompprof", 17);
  const std::shared_ptr<const ServedProfile::Data> one = served.Get(&error);
  ASSERT_NE(one, nullptr) << error;
  WriteRank("run/1/1017.ompprof", 1017);
  std::shared_ptr<const ServedProfile::Data> two = one;
  for (int i = 0; i < 600 && two == one; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    two = served.Get(&error);
  }
  EXPECT_NE(two->version, one->version);
  EXPECT_NE(two->json.find("1017"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::cli
