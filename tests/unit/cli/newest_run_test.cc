// Which profiles a command shows of several runs.
#include "profiler/cli/files/newest_run.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "profiler/cli/files/load.h"
#include "profiler/cli/options/complaint.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::cli {
namespace {

using Names = std::vector<std::string>;

class NewestRunTest : public ::testing::Test {
 protected:
  NewestRunTest() {
    std::string pattern = ::testing::TempDir() + "/runs.XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  // The profile of a process that lived for a second.
  static std::string Profile(uint64_t pid, const std::string& run, int64_t begin_s) {
    Record record;
    Header* header = record.mutable_header();
    header->set_format_version(FORMAT_CURRENT);
    header->set_program("/bin/solve");
    header->set_pid(pid);
    header->set_run(run);
    header->set_start_unix_ns(begin_s * 1000000000);
    header->set_weight_unit("nanoseconds");
    header->set_clock("cpu");
    test::ProfileBuilder builder(record);
    builder.AddSample({.weight = 1000 * pid});
    builder.AddFooter(1, 1000);
    return builder.Bytes();
  }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::string folder_;
};

TEST_F(NewestRunTest, IsShownAndTheOthersAreNamed) {
  const std::string a = Write("a.ompprof", Profile(1, "first", 100));
  const std::string b = Write("b.ompprof", Profile(2, "second", 200));
  const std::string c = Write("c.ompprof", Profile(3, "second", 215));
  EXPECT_EQ(NewestRun({a, b, c}).files(), (Names{b, c}));
  EXPECT_EQ(NewestRun({c, a}).files(), Names{c});
  EXPECT_EQ(NewestRun({folder_}).files(), (Names{b, c}));
  ASSERT_EQ(NewestRun({a, b, c}).sentences().size(), 1u);
  EXPECT_EQ(NewestRun({a, b, c}).sentences()[0],
            b + " and 1 more: the newest of 2 runs; 1 profile is left out. --all-runs adds all runs up, and `ompprof "
                "diff` compares runs");
}

TEST_F(NewestRunTest, OfOneRunAreItsArguments) {
  const std::string b = Write("b.ompprof", Profile(2, "second", 200));
  Write("c.ompprof", Profile(3, "second", 215));
  EXPECT_EQ(NewestRun({folder_}).files(), Names{folder_});
  EXPECT_TRUE(NewestRun({folder_}).sentences().empty());
  EXPECT_EQ(NewestRun({b}).files(), Names{b});
  // A file that cannot be read stays, so that reading it tells the fault.
  EXPECT_EQ(NewestRun({Path("none"), b}).files(), (Names{Path("none"), b}));
}

TEST_F(NewestRunTest, KeepsWhatCannotBeRead) {
  const std::string a = Write("a.ompprof", Profile(1, "first", 100));
  const std::string b = Write("b.ompprof", Profile(2, "second", 200));
  std::filesystem::create_directory(Path("empty"));
  EXPECT_EQ(NewestRun({a, b, Path("none"), Path("empty")}).files(), (Names{Path("empty"), b, Path("none")}));
}

TEST_F(NewestRunTest, OfAMergedFileIsLoadedAlone) {
  const std::string first = Profile(1, "first", 100);
  const std::string second = Profile(2, "", 200);
  const std::string merged = Write("all.ompprof", first + second.substr(model::kMagicSize));
  for (const bool all : {false, true}) {
    LoadRequest request;
    request.all_runs = all;
    Loaded loaded;
    testing::internal::CaptureStderr();
    EXPECT_EQ(Load({merged}, request, &loaded), kSuccess);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(loaded.view.total_weight, all ? 3000u : 2000u);
    EXPECT_EQ(said.find("the newest of 2 runs. --all-runs") != std::string::npos, !all) << said;
  }
}

}  // namespace
}  // namespace ompprof::cli
