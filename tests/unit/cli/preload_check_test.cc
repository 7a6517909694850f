// The command finds programs as a shell does, and tells those that cannot be preloaded.
#include "profiler/cli/record/preload_check.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

namespace ompprof::cli {
namespace {

TEST(FindProgram, AsAShellDoes) {
  EXPECT_EQ(FindProgram("sh").error, 0);
  EXPECT_EQ(FindProgram("no-such-program").error, ENOENT);
  EXPECT_EQ(FindProgram("").error, ENOENT);
  EXPECT_EQ(FindProgram("/nowhere/x").error, ENOENT);
  EXPECT_EQ(FindProgram("/etc/passwd").error, EACCES);
  EXPECT_EQ(FindProgram("/tmp").error, EACCES);
}

TEST(WhyNotPreloadable, Programs) {
  EXPECT_EQ(WhyNotPreloadable(FindProgram("sh").path), "");
  EXPECT_EQ(WhyNotPreloadable("tests/unit/cli/static_program.bin"), "the program is statically linked");
  EXPECT_EQ(WhyNotPreloadable("/nowhere/x"), "");
  const std::string script = std::string(std::getenv("TEST_TMPDIR")) + "/script";
  std::ofstream(script) << "#!/bin/sh\nexit 0\n" << std::string(100, '#');
  EXPECT_EQ(WhyNotPreloadable(script), "");
}

}  // namespace
}  // namespace ompprof::cli
