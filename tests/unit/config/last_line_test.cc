// The sentence at the end of a recorded program: a shell takes its command, and a terminal obeys nothing in it.
#include "profiler/config/last_line.h"

#include <gtest/gtest.h>

#include <string.h>

#include <string>

namespace ompprof::config {
namespace {

std::string Line(const char* path, const char* folder = "/work") {
  char out[4096];
  return LastLine(path, folder, out, sizeof(out)) ? out : "(does not fit)";
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

TEST(LastLine, NeverWritesBeyondTheBuffer) {
  const std::string whole = Line("/work/a");
  for (size_t size = 1; size < whole.size() + 4; ++size) {
    char out[128];
    memset(out, 'x', sizeof(out));
    EXPECT_EQ(LastLine("/work/a", "/work", out, size), size >= whole.size() + 1) << size;
    EXPECT_EQ(out[size], 'x') << size;
  }
}

TEST(LastLine, EndsOfTheProcess) {
  for (const char* end : {"exit", "_exit", "_Exit", "quick_exit", "abort"}) EXPECT_TRUE(EndsProcess(end)) << end;
  for (const char* other : {"exec", "control end", "seccomp", ""}) EXPECT_FALSE(EndsProcess(other)) << other;
}

}  // namespace
}  // namespace ompprof::config
