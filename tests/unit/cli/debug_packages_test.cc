// Packages with debug symbols, by a made-up package manager.
#include "profiler/cli/debug_packages.h"

#include <gtest/gtest.h>

#include <map>

namespace ompprof::cli {
namespace {

using analyze::UnnamedObject;

// The answers of commands; a command that is not here fails.
using Answers = std::map<std::vector<std::string>, std::string>;

UnnamedObject Found(const std::string& path, const Answers& answers) {
  std::vector<UnnamedObject> objects = {{path, "", 1, "", ""}};
  FindDebugPackages(
      [&](const std::vector<std::string>& words) {
        const auto answer = answers.find(words);
        return answer == answers.end() ? "" : answer->second;
      },
      &objects);
  return objects[0];
}

TEST(DebugPackages, OfDebian) {
  const Answers answers = {
      {{"dpkg-query", "--search", "/usr/lib/none/libgomp.so.1"}, "libgomp1:amd64: /usr/lib/none/libgomp.so.1\n"}};
  const UnnamedObject object = Found("/usr/lib/none/libgomp.so.1", answers);
  EXPECT_EQ(object.package, "libgomp1");
  EXPECT_EQ(object.command, "apt install libgomp1-dbgsym");
}

// The package has the file in /lib, which is a link to /usr/lib. It has a -dbg package.
TEST(DebugPackages, OfAFileUnderItsOldNameWithAnOldPackage) {
  const Answers answers = {{{"dpkg-query", "--search", "/lib/none/libc.so.6"}, "libc6:amd64: /lib/none/libc.so.6\n"},
                           {{"apt-cache", "pkgnames", "libc6-dbg"}, "libc6-dbg\n"}};
  EXPECT_EQ(Found("/usr/lib/none/libc.so.6", answers).command, "apt install libc6-dbg");
}

// Debian's python3.11-minimal has no -dbgsym package.
TEST(DebugPackages, OfAllPackagesOfASource) {
  Answers answers = {
      {{"dpkg-query", "--search", "/none/python3.11"}, "python3.11-minimal: /none/python3.11\n"},
      {{"dpkg-query", "--show", "--showformat", "${source:Package}", "python3.11-minimal"}, "python3.11"},
      {{"apt-cache", "pkgnames", "python3.11-dbg"}, "python3.11-dbg\n"}};
  EXPECT_EQ(Found("/none/python3.11", answers).command, "apt install python3.11-dbg");
  answers[{"apt-cache", "pkgnames", "python3.11-minimal-dbg"}] = "python3.11-minimal-dbgsym\n";
  EXPECT_EQ(Found("/none/python3.11", answers).command, "apt install python3.11-minimal-dbgsym");
}

TEST(DebugPackages, WhereTheArchiveIsKnown) {
  const Answers answers = {{{"dpkg-query", "--search", "/usr/bin/none"}, "none, other: /usr/bin/none\n"},
                           {{"apt-cache", "pkgnames", "none-dbg"}, "none-dbgsym\nnone-dbg\n"}};
  const UnnamedObject object = Found("/usr/bin/none", answers);
  EXPECT_EQ(object.package, "none");
  EXPECT_EQ(object.command, "apt install none-dbgsym");
}

TEST(DebugPackages, OfRpm) {
  const Answers answers = {{{"rpm", "--query", "--file", "--queryformat", "%{NAME}", "/usr/lib64/none.so"}, "libgomp"}};
  EXPECT_EQ(Found("/usr/lib64/none.so", answers).command, "dnf debuginfo-install libgomp");
}

TEST(DebugPackages, OfNoPackage) {
  EXPECT_EQ(Found("/home/none/a.out", {}).command, "");
  // A pattern that dpkg-query would expand, and a name that is part of many paths.
  const Answers any = {{{"dpkg-query", "--search", "/home/*"}, "wrong: x\n"},
                       {{"dpkg-query", "--search", "so"}, "wrong: x\n"}};
  EXPECT_EQ(Found("/home/*", any).package, "");
  EXPECT_EQ(Found("so", any).package, "");
  EXPECT_EQ(Found("", any).package, "");
}

}  // namespace
}  // namespace ompprof::cli
