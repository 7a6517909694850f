// Packages with debug symbols, by a made-up package manager.
#include "profiler/cli/files/debug_packages.h"

#include <gtest/gtest.h>

#include <map>

namespace ompprof::cli {
namespace {

using analyze::UnnamedObject;

// The package manager: the answer to each command. Commands that are not here cannot be run, but that dpkg-query, once
// there, fails for unknown files and then prints what it knows.
struct Manager {
  bool is_debian = true;
  std::map<std::string, std::string> owners = {};  // by file: what dpkg-query prints, or rpm
  int commands = 0;

  model::CommandOutput Run(const std::vector<std::string>& words) {
    ++commands;
    if (words[0] != (is_debian ? "dpkg-query" : "rpm")) return {"", "none", false};
    const size_t first = is_debian ? 2 : 5;
    model::CommandOutput output;
    for (size_t i = first; i < words.size(); ++i) {
      const auto owner = owners.find(words[i]);
      if (owner == owners.end())
        output.problem = "it failed";
      else
        output.text += is_debian ? owner->second + ": " + words[i] + "\n" : owner->second;
    }
    return output;
  }

  std::vector<UnnamedObject> Find(const std::vector<std::string>& paths) {
    std::vector<UnnamedObject> objects;
    for (const std::string& path : paths) objects.push_back({path, "", 1, "", ""});
    FindDebugPackages([this](const std::vector<std::string>& words) { return Run(words); }, &objects);
    return objects;
  }
  std::string CommandFor(const std::string& path) { return Find({path})[0].command; }
};

TEST(DebugPackages, OfDebian) {
  Manager debian{true, {{"/usr/lib/none/libgomp.so.1", "libgomp1:amd64"}, {"/usr/bin/none", "none, other"}}};
  const std::vector<UnnamedObject> objects =
      debian.Find({"/usr/lib/none/libgomp.so.1", "/none/a.out", "/usr/bin/none"});
  EXPECT_EQ(objects[0].package, "libgomp1");
  EXPECT_EQ(objects[0].command, "apt install libgomp1-dbgsym");
  EXPECT_EQ(objects[1].command, "");
  EXPECT_EQ(objects[2].package, "none");
  EXPECT_EQ(objects[2].command, "apt install none-dbgsym");
  EXPECT_EQ(debian.commands, 1) << "each call reads the lists of all packages";
}

TEST(DebugPackages, OfAFileUnderItsOldName) {
  Manager debian{true, {{"/lib/none/libc.so.6", "libc6:amd64"}}};
  EXPECT_EQ(debian.CommandFor("/usr/lib/none/libc.so.6"), "apt install libc6-dbg") << "/lib is a link to /usr/lib";
}

TEST(DebugPackages, OfAllPackagesOfASource) {
  for (const char* package :
       {"python3.11-minimal", "libpython3.11:amd64", "libpython3.11-stdlib:amd64", "python3.11"}) {
    Manager debian{true, {{"/none/python3.11", package}}};
    EXPECT_EQ(debian.CommandFor("/none/python3.11"), "apt install python3.11-dbg") << package;
  }
  Manager debian{true, {{"/none/python3.11", "python3.11-venv"}}};
  EXPECT_EQ(debian.CommandFor("/none/python3.11"), "apt install python3.11-venv-dbgsym");
}

TEST(DebugPackages, OfRpm) {
  Manager rpm{false, {{"/usr/lib64/none.so", "libgomp"}}};
  EXPECT_EQ(rpm.CommandFor("/usr/lib64/none.so"), "dnf debuginfo-install libgomp");
  EXPECT_EQ(rpm.CommandFor("/none/a.out"), "");
}

TEST(DebugPackages, OfADivertedFile) {
  Manager debian{true, {{"/usr/bin/none", "diversion by one from"}}};
  EXPECT_EQ(debian.CommandFor("/usr/bin/none"), "");
}

TEST(DebugPackages, OfNoPackage) {
  // A pattern that dpkg-query would expand, and a name that is part of many paths.
  Manager debian{true, {{"/home/*", "wrong"}, {"so", "wrong"}, {"", "wrong"}}};
  for (const char* path : {"/home/none/a.out", "/home/*", "so", ""}) EXPECT_EQ(debian.CommandFor(path), "") << path;
}

}  // namespace
}  // namespace ompprof::cli
