// The sentence at the end of a recorded program: a shell takes its command, and a terminal obeys nothing in it.
#include "profiler/config/last_line.h"

#include <gtest/gtest.h>

#include <stdint.h>
#include <string.h>

#include <initializer_list>
#include <string>

namespace ompprof::config {
namespace {

std::string Line(const Written& written, const char* folder = "/work") {
  char out[4096];
  return LastLine(written, folder, out, sizeof(out)) ? out : "(does not fit)";
}

std::string Line(const char* path, const char* folder = "/work") { return Line(Written{path}, folder); }

// Of the profile `path` and others in its folder.
std::string LineOf(const char* path, std::initializer_list<const char*> others) {
  Written written{path};
  written.common = SIZE_MAX;
  for (const char* other : others) {
    ++written.count;
    written.common = CommonPart(path, other, written.common);
  }
  return Line(written);
}

TEST(LastLine, NamesTheFileFromTheFolder) {
  EXPECT_EQ(Line("/work/run.ompprof"), "wrote run.ompprof; read it with: ompprof report run.ompprof");
  EXPECT_EQ(Line("/work/sub/run.ompprof"), "wrote sub/run.ompprof; read it with: ompprof report sub/run.ompprof");
  EXPECT_EQ(Line("/workshop/a"), "wrote /workshop/a; read it with: ompprof report /workshop/a");
  EXPECT_EQ(Line("/work"), "wrote /work; read it with: ompprof report /work");
  EXPECT_EQ(Line("/tmp/a", ""), "wrote /tmp/a; read it with: ompprof report /tmp/a");
}

TEST(LastLine, AShellTakesTheCommand) {
  EXPECT_EQ(Line("/work/a b"), "wrote 'a b'; read it with: ompprof report 'a b'");
  EXPECT_EQ(Line("/work/it's"), "wrote 'it'\\''s'; read it with: ompprof report 'it'\\''s'");
  EXPECT_EQ(Line("/work/-o"), "wrote ./-o; read it with: ompprof report ./-o");
  EXPECT_EQ(Line("/work/$x"), "wrote '$x'; read it with: ompprof report '$x'");
}

TEST(LastLine, ATerminalObeysNothing) {
  EXPECT_EQ(Line("/work/\033[2J\n"), "wrote '?[2J?'; read it with: ompprof report '?[2J?'");
}

TEST(LastLine, SeveralProfilesHaveAPattern) {
  const auto told = [](const std::string& count, const std::string& names) {
    return "wrote " + count + " profiles, " + names + "; read them with: ompprof report " + names;
  };
  EXPECT_EQ(LineOf("/work/run.ompprof", {"run.1.ompprof", "run.2.ompprof"}), told("3", "run*.ompprof"));
  EXPECT_EQ(LineOf("/work/run.1.ompprof", {"run.ompprof"}), told("2", "run*.ompprof"));
  EXPECT_EQ(LineOf("/work/sub/ompprof.sh.host.17.ompprof", {"ompprof.solve.host.18.ompprof"}),
            told("2", "sub/ompprof.*.ompprof"));
  EXPECT_EQ(LineOf("/work/a.ompprof", {"b.ompprof", "a.1.ompprof"}), told("3", "*.ompprof"));
  EXPECT_EQ(LineOf("/tmp/a.ompprof", {"b.ompprof"}), told("2", "/tmp/*.ompprof"));
  EXPECT_EQ(LineOf("/work/my run.ompprof", {"my run.1.ompprof"}), told("2", "'my run'*.ompprof"));
  EXPECT_EQ(LineOf("/work/run", {"run.1"}), told("2", "run*.ompprof"));
  Written many{"/work/run.ompprof", 12345, 9};
  EXPECT_EQ(Line(many), told("12345", "run*.ompprof"));
}

TEST(LastLine, RankZeroTellsOfTheOthers) {
  Written written{"/work/0.ompprof"};
  written.is_rank = true;
  EXPECT_EQ(Line(written), "wrote 0.ompprof, and a profile of each other rank; read it with: ompprof report 0.ompprof");
}

TEST(LastLine, NeverWritesBeyondTheBuffer) {
  const std::string whole = Line("/work/a");
  for (size_t size = 1; size < whole.size() + 4; ++size) {
    char out[128];
    memset(out, 'x', sizeof(out));
    EXPECT_EQ(LastLine(Written{"/work/a"}, "/work", out, size), size >= whole.size() + 1) << size;
    EXPECT_EQ(out[size], 'x') << size;
  }
}

TEST(LastLine, EndsOfTheProcess) {
  for (const char* end : {"exit", "_exit", "_Exit", "quick_exit", "abort"}) EXPECT_TRUE(EndsProcess(end)) << end;
  for (const char* other : {"exec", "control end", "seccomp", ""}) EXPECT_FALSE(EndsProcess(other)) << other;
}

}  // namespace
}  // namespace ompprof::config
