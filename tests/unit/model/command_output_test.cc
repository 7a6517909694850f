#include "profiler/model/command_output.h"

#include <gtest/gtest.h>

namespace ompprof::model {
namespace {

TEST(CommandOutput, OfAProgramThatSucceeds) {
  const CommandOutput output = RunForOutput({"sh", "-c", "cat; echo out; echo err >&2"});
  EXPECT_EQ(output.text, "out\n");
  EXPECT_EQ(output.problem, "");
  EXPECT_EQ(OutputOf({"echo", "a b", "c"}), "a b c\n");
}

TEST(CommandOutput, OfAProgramThatFails) {
  const CommandOutput output = RunForOutput({"sh", "-c", "echo some; exit 3"});
  EXPECT_EQ(output.text, "some\n");
  EXPECT_EQ(output.problem, "it failed");
  EXPECT_EQ(OutputOf({"sh", "-c", "echo some; exit 3"}), "");
  EXPECT_EQ(RunForOutput({"sh", "-c", "kill -9 $$"}).problem, "it failed");
}

TEST(CommandOutput, OfNoProgram) {
  EXPECT_EQ(RunForOutput({"/nowhere/program"}).problem, "No such file or directory");
  EXPECT_EQ(OutputOf({"/nowhere/program"}), "");
}

TEST(CommandOutput, IsReadToItsEnd) { EXPECT_EQ(OutputOf({"sh", "-c", "head -c 300000 /dev/zero"}).size(), 300000u); }

}  // namespace
}  // namespace ompprof::model
