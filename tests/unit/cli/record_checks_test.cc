// Reasons for which nothing would be recorded, found before the program starts.
#include "profiler/cli/record/record_checks.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace ompprof::cli {
namespace {

class RecordChecks : public testing::Test {
 protected:
  RecordChecks() {
    for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) unsetenv(variable);
    folder_ = testing::TempDir() + "record_checks_" + std::to_string(getpid());
    std::filesystem::create_directory(folder_);
  }
  ~RecordChecks() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

std::string Planned(const char* pattern) {
  config::Config config;
  std::strcpy(config.output, pattern);
  std::string path;
  const model::Status status = PlanProfile(config, "/usr/bin/solver", "/work", &path);
  return status.ok() ? path : "(" + status.sentence() + ")";
}

TEST_F(RecordChecks, TheNameIsTheOneThatIsWritten) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  EXPECT_EQ(Planned(""), std::string("/work/ompprof.solver.") + host + "." + std::to_string(getpid()) + ".ompprof");
  EXPECT_EQ(Planned("/t/%x-%p"), "/t/solver-" + std::to_string(getpid()));
  EXPECT_EQ(Planned("x%q").rfind("('x%q' is no usable name of a profile; only %h, %p, %r, %x and %% are expanded", 0),
            0u);
}

TEST_F(RecordChecks, AFileThatCanBeWrittenLeavesNothing) {
  EXPECT_TRUE(CheckWritable(folder_ + "/a.ompprof").ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_TRUE(CheckWritable("/dev/null").ok());
  std::ofstream(folder_ + "/taken.ompprof") << "text";
  EXPECT_TRUE(CheckWritable(folder_ + "/taken.ompprof").ok()) << "the collector takes another name";
  EXPECT_EQ(std::filesystem::file_size(folder_ + "/taken.ompprof"), 4u);
}

TEST_F(RecordChecks, AFileThatCannotBeWritten) {
  EXPECT_EQ(CheckWritable("/nonexistent/a.ompprof").sentence(),
            "cannot create the profile /nonexistent/a.ompprof: No such file or directory; name another file with -o");
  EXPECT_EQ(CheckWritable("/proc/self/a.ompprof").sentence(),
            "cannot create the profile /proc/self/a.ompprof: No such file or directory; name another file with -o");
  EXPECT_EQ(CheckWritable(folder_).sentence(), folder_ + ": is a folder; name a file in it with -o");
  const std::string named = folder_ + "/" + std::string(300, 'a');
  EXPECT_EQ(CheckWritable(named).sentence(),
            "cannot create the profile " + named + ": File name too long; name another file with -o");
}

TEST_F(RecordChecks, Events) {
  config::Config config;
  EXPECT_TRUE(CheckEvent(config).ok()) << "no event, no question";
  for (const char* event : {"task-clock", "page-faults", "cycles"}) {
    std::strcpy(config.event, event);
    const std::string sentence = CheckEvent(config).sentence();
    if (!sentence.empty()) {
      EXPECT_EQ(sentence.rfind("event " + std::string(event) + ": ", 0), 0u) << sentence;
    }
  }
}

// The sentence names the event that is refused, as the sentence of --event does.
TEST_F(RecordChecks, CountedEvents) {
  config::Config config;
  std::strcpy(config.count, "task-clock,cycles");
  const std::string sentence = CheckEvent(config).sentence();
  std::strcpy(config.count, "cycles,task-clock");
  EXPECT_EQ(CheckEvent(config).sentence(), sentence) << "the order does not matter";
  std::strcpy(config.count, "task-clock");
  if (CheckEvent(config).ok() && !sentence.empty()) {
    EXPECT_EQ(sentence.rfind("event cycles: ", 0), 0u) << sentence;
  }
}

}  // namespace
}  // namespace ompprof::cli
