// The profiles that a command reads when the user names one.
#include "profiler/cli/files/load.h"
#include "profiler/cli/options/complaint.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

  static std::string Process(const std::string& program, int64_t start, const std::string& reason, uint64_t weight,
                             const std::string& run = "", uint64_t pid = 42) {
    Record record;
    record.mutable_header()->set_format_version(FORMAT_CURRENT);
    record.mutable_header()->set_program("/usr/bin/" + program);
    record.mutable_header()->set_host("host");
    record.mutable_header()->set_pid(pid);
    record.mutable_header()->set_run(run);
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

  // The files' names, and the messages on stderr.
  std::vector<std::string> Read(const std::vector<std::string>& files, bool quiet = false) {
    std::vector<std::string> read;
    testing::internal::CaptureStderr();
    ReadNamed(files, quiet, model::Timeline::kKeep, [&read](model::ReadResult result) {
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
  EXPECT_EQ(said_,
            "ompprof: " + wrapper + ": Rscript became R by exec; ompprof reads the profile of R, " + program + "\n");
  EXPECT_EQ(Read({wrapper}, true), Names{"run.2.ompprof"});
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({program}), Names{"run.2.ompprof"});
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({wrapper, shell, program}), (Names{"run.ompprof", "run.1.ompprof", "run.2.ompprof"}));
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({wrapper, program}), (Names{"run.ompprof", "run.2.ompprof"})) << "no process twice";
}

TEST_F(ReadNamedTest, TheWholeRunOfAScript) {
  const std::string script = Write("run.ompprof", Process("sh", 1, "exit", 0, "r", 1));
  const std::string wrapper = Write("run.1.ompprof", Process("numactl", 2, "exec", 0, "r", 2));
  const std::string program = Write("run.2.ompprof", Process("solve", 3, "exit", 100, "r", 2));
  const std::string other = Write("run.3.ompprof", Process("plot", 4, "exit", 10, "r", 3));
  Write("run.4.ompprof", Process("solve", 1, "exit", 10, "earlier", 4));
  EXPECT_EQ(Read({script}), (Names{"run.ompprof", "run.2.ompprof", "run.3.ompprof"}));
  EXPECT_EQ(said_, "ompprof: " + script + ": ompprof also reads 3 other profiles of the same run: " + wrapper + ", " +
                       program + ", " + other + "\n");
  EXPECT_EQ(Read({script}, true), (Names{"run.ompprof", "run.2.ompprof", "run.3.ompprof"}));
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({other}), Names{"run.3.ompprof"});
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read({script, wrapper, program, other}),
            (Names{"run.ompprof", "run.1.ompprof", "run.2.ompprof", "run.3.ompprof"}));
  EXPECT_EQ(said_, "");
}

// Without -o, each process's profile has its program's name.
TEST_F(ReadNamedTest, AProfileWithoutSamplesNamesTheOthersOfItsRun) {
  const std::string script = Write("ompprof.sh.node.1.ompprof", Process("sh", 1, "exit", 0, "r", 1));
  const std::string program = Write("ompprof.solve.node.2.ompprof", Process("solve", 2, "exit", 100, "r", 2));
  const auto said = [](const std::string& file) {
    Loaded loaded;
    testing::internal::CaptureStderr();
    EXPECT_EQ(Load({file}, {}, &loaded), kSuccess);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said(script), "ompprof: " + script +
                              ": has no samples; other processes of the same run have profiles of their own:\n  " +
                              program + "\n");
  EXPECT_EQ(said(program), "");
}

TEST_F(ReadNamedTest, AProgramBehindAWrapperIsOneProcess) {
  const std::string wrapper = Write("run.ompprof", Process("numactl", 1, "exec", 0, "r"));
  const std::string program = Write("run.1.ompprof", Process("solve", 2, "exit", 1000, "r"));
  EXPECT_EQ(Read({wrapper}), Names{"run.1.ompprof"});
  EXPECT_EQ(said_, "ompprof: " + wrapper + ": numactl became solve by exec; ompprof reads the profile of solve, " +
                       program + "\n");
}

TEST_F(ReadNamedTest, TheProgramThatRunsSomethingSmallAtItsEnd) {
  const std::string program = Write("run.ompprof", Process("solve", 1, "exec", 1000));
  const std::string after = Write("run.1.ompprof", Process("gzip", 2, "exit", 10));
  EXPECT_EQ(Read({program}), Names{"run.ompprof"});
  EXPECT_EQ(said_, "ompprof: " + program + ": solve became another program by exec; that program's profile is " +
                       after + "\n");
}

TEST_F(ReadNamedTest, MergedFilesAsTheyAre) {
  const std::string second = Process("bash", 2, "exec", 5);
  const std::string merged = Write("all.ompprof", Process("env", 1, "exec", 0) + second.substr(model::kMagicSize));
  Write("run.2.ompprof", Process("R", 3, "exit", 1000));
  EXPECT_EQ(Read({merged}).size(), 2u);
  EXPECT_EQ(said_, "");
}

// `*.ompprof` names a merged file and its parts beside it.
TEST_F(ReadNamedTest, AProcessThatSeveralFilesHoldIsGivenOnce) {
  const std::string first = Process("solve", 1, "exit", 7);
  const std::string second = Process("solve", 2, "exit", 8);
  const std::string merged = Write("all.ompprof", first + second.substr(model::kMagicSize));
  const std::string part = Write("part.ompprof", second);
  EXPECT_EQ(Read({merged, part}).size(), 2u);
  EXPECT_EQ(said_.substr(0, said_.find(" is also in ")), "ompprof: " + part + ": process 42 on host");
  EXPECT_NE(said_.find("; ompprof counts the process once\n"), std::string::npos) << said_;
  EXPECT_EQ(Read({part, part}), Names{"part.ompprof"});
  EXPECT_EQ(Read({part, part}, true), Names{"part.ompprof"});
  EXPECT_EQ(said_, "");
}

TEST_F(ReadNamedTest, ASuccessorByWhateverName) {
  const std::string wrapper = Write("run.ompprof", Process("env", 1, "exec", 3));
  Write("run.1.ompprof", Process("R", 3, "exit", 1000));
  EXPECT_EQ(Read({wrapper, folder_ + "/./run.1.ompprof"}), (Names{"run.ompprof", "run.1.ompprof"}));
  EXPECT_EQ(said_, "");
}

class LoadTest : public ReadNamedTest {
 protected:
  std::string Of(const std::string& name, int64_t start, const std::string& clock, const std::string& unit) {
    Record record;
    record.mutable_header()->set_format_version(FORMAT_CURRENT);
    record.mutable_header()->set_start_unix_ns(start);
    record.mutable_header()->set_clock(clock);
    record.mutable_header()->set_weight_unit(unit);
    test::ProfileBuilder builder(record);
    builder.AddSample({.weight = 5});
    return Write(name, builder.Bytes());
  }
};

TEST_F(LoadTest, AddsUpProcessesWithOneKindOfFigures) {
  const std::string cpu = Of("cpu", 1, "cpu", "nanoseconds");
  const std::string task_clock = Of("task-clock", 2, "task-clock", "nanoseconds");
  const std::string wall = Of("wall", 3, "wall", "nanoseconds");
  const std::string cycles = Of("cycles", 4, "cycles", "events");
  const std::string misses = Of("misses", 5, "cache-misses", "events");
  const auto load = [this](const std::vector<std::string>& files) {
    Loaded loaded;
    testing::internal::CaptureStderr();
    LoadRequest request = {analyze::ViewKind::kMachine};
    request.all_runs = true;
    const int status = Load(files, request, &loaded);
    said_ = testing::internal::GetCapturedStderr();
    EXPECT_EQ(status != kSuccess, said_.find(": left out. This profile counts ") != std::string::npos);
    return loaded.view.run.processes.size();
  };
  EXPECT_EQ(load({cpu, task_clock}), 2u);
  EXPECT_EQ(load({cpu, wall}), 1u);
  EXPECT_EQ(said_, "ompprof: " + wall + ": left out. This profile counts wall time, and " + cpu + " counts CPU time\n");
  EXPECT_EQ(load({cycles, misses}), 1u);
  EXPECT_EQ(load({cycles, cpu}), 1u);
}

// A terminal obeys these codes like ESC. A second line would look like another sentence.
TEST_F(LoadTest, ComplainsInOneLineOfWhatCanBeShown) {
  testing::internal::CaptureStderr();
  Complain("a\033[2J b\302\2332J c\nompprof: d", {"e\nf"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ompprof: a?[2J b?2J c?ompprof: d\n  e?f\n");
}

// An existing file is replaced only when all is written. A device is written to, and a link is followed.
TEST_F(LoadTest, WritesOutputWhole) {
  const std::string file = Write("out", "before");
  const std::string link = folder_ + "/link";
  ASSERT_EQ(symlink(file.c_str(), link.c_str()), 0);
  EXPECT_EQ(WriteOutput(link, "after"), kSuccess);
  struct stat info;
  ASSERT_EQ(lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "after");
  EXPECT_EQ(WriteOutput("/dev/null", "after"), kSuccess);
  ASSERT_EQ(lstat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
  testing::internal::CaptureStderr();
  EXPECT_EQ(WriteOutput("/dev/full", "after"), kFailure);
  EXPECT_TRUE(IsInput(link, {"/nowhere", file}));
  EXPECT_FALSE(IsInput(folder_ + "/other", {file}));
  EXPECT_FALSE(IsInput("-", {"-"}));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "ompprof: /dev/full: cannot be written: No space left on device\nompprof: " + link +
                ": is one of the profiles to read, so nothing is written; name another output\n");
}

}  // namespace
}  // namespace ompprof::cli
