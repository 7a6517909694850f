// The shim interposes every function of libgomp that a program can call, or passes it through on purpose.
// runtime_shim/gomp/entry_points.txt says which. A function of libgomp that the table lacks fails this test, and so
// does a wrapper that the table lacks. If libgomp is older than the table, only its own functions are compared.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdio.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/runtime_shim/dynamic_symbols.h"

namespace gomp_ompt {
namespace {

using ompprof::testing::BuiltPath;
using ompprof::testing::Outcome;

constexpr char kShim[] = "runtime_shim/libgomp_ompt.so";
constexpr char kTable[] = "runtime_shim/gomp/entry_points.txt";
constexpr char kSources[] = "runtime_shim/gomp/";

// The shim must know before a library's code runs which runtime the library has.
const std::set<std::string> kOfLoader = {"dlopen", "dlsym"};

bool IsOpenMp(const std::string& name) {
  return name.rfind("GOMP_", 0) == 0 || name.rfind("omp_", 0) == 0 || name.rfind("ompt_control", 0) == 0;
}

struct EntryPoint {
  std::set<std::string> versions;
  std::string since;      // the first GCC that has it; "-": libgomp has none
  std::string treatment;  // the shim's file, or "passed: " and why

  bool IsPassed() const { return treatment.rfind("passed: ", 0) == 0; }
  bool IsAdded() const { return since == "-"; }
};
using Table = std::map<std::string, EntryPoint>;
using Functions = std::map<std::string, std::set<std::string>>;  // with their versions

Table ReadTable(const std::string& path) {
  Table table;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find(" | ", begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = end + 3;
    }
    if (fields.size() != 4) {
      ADD_FAILURE() << line;
      continue;
    }
    std::istringstream versions(fields[1]);
    EntryPoint entry{{}, fields[2], fields[3]};
    for (std::string version; versions >> version;) entry.versions.insert(version);
    EXPECT_TRUE(table.emplace(fields[0], entry).second) << fields[0] << " is there twice";
  }
  return table;
}

std::string RuntimePath() {
  void* runtime = dlopen("libgomp.so.1", RTLD_LAZY);
  link_map* map = nullptr;
  if (runtime == nullptr || dlinfo(runtime, RTLD_DI_LINKMAP, &map) != 0) return "";
  return map->l_name;
}

// The table's errors, a sentence for each name. A test of its own calls it.
std::set<std::string> Compare(const Table& table, const Functions& runtime, const Functions& shim) {
  std::set<std::string> wrong;
  std::set<std::string> versions_here;
  for (const auto& [name, versions] : runtime) {
    versions_here.insert(versions.begin(), versions.end());
    if (IsOpenMp(name) && table.count(name) == 0) wrong.insert(name + " of libgomp is not in the table");
  }
  for (const auto& [name, versions] : shim) {
    const auto entry = table.find(name);
    if (kOfLoader.count(name) != 0) continue;
    if (entry == table.end())
      wrong.insert(name + " is exported by the shim and not in the table");
    else if (entry->second.IsPassed())
      wrong.insert(name + " is exported by the shim, and the table says " + entry->second.treatment);
  }
  for (const auto& [name, entry] : table) {
    const auto of_shim = shim.find(name);
    const auto of_runtime = runtime.find(name);
    if (!entry.IsPassed() && of_shim == shim.end())
      wrong.insert(name + " is not exported by the shim, and the table says " + entry.treatment);
    if (!entry.IsPassed() && of_shim != shim.end() && of_shim->second != entry.versions)
      wrong.insert(name + " of the shim has not the versions that the table says");
    if (entry.IsAdded()) {
      if (of_runtime != runtime.end()) wrong.insert(name + " is called added, but libgomp has it");
    } else if (of_runtime != runtime.end()) {
      if (of_runtime->second != entry.versions) wrong.insert(name + " has other versions in libgomp");
    } else if (versions_here.count(*entry.versions.begin()) != 0) {
      // All functions of a version come at once.
      wrong.insert(name + " is not in libgomp, which has that version");
    }
  }
  return wrong;
}

TEST(Exports, EveryFunctionOfTheInstalledRuntimeIsInTheTable) {
  const Functions runtime = DefinedFunctions(RuntimePath());
  const Functions shim = DefinedFunctions(kShim);
  ASSERT_GT(runtime.size(), 300u) << RuntimePath();
  ASSERT_GT(shim.size(), 5u);
  ASSERT_EQ(runtime.at("GOMP_parallel"), std::set<std::string>{"GOMP_4.0"});
  for (const std::string& sentence : Compare(ReadTable(kTable), runtime, shim)) ADD_FAILURE() << sentence;
}

TEST(Exports, EachWrapperIsInTheFileThatTheTableNames) {
  for (const auto& [name, entry] : ReadTable(kTable)) {
    if (entry.IsPassed()) continue;
    EXPECT_TRUE(std::ifstream(kSources + entry.treatment).good()) << name << ": " << entry.treatment;
  }
}

// A function existed before the GCC that brought its version, or came with it.
TEST(Exports, AVersionCameWithOneGcc) {
  std::map<std::string, std::string> since;
  for (const auto& [name, entry] : ReadTable(kTable)) {
    if (entry.versions.size() != 1) continue;
    const auto [known, is_new] = since.emplace(*entry.versions.begin(), entry.since);
    EXPECT_EQ(known->second, entry.since) << name << ", " << known->first;
  }
  EXPECT_EQ(since.at("GOMP_4.0"), "4.9");
  EXPECT_EQ(since.at("OMP_5.1"), "12");
}

TEST(Exports, TheShimExportsNothingElse) {
  for (const auto& [name, versions] : DefinedFunctions(kShim))
    EXPECT_TRUE(IsOpenMp(name) || kOfLoader.count(name) != 0) << name;
}

TEST(Exports, TheComparisonFindsEachKindOfMistake) {
  const Functions runtime = {{"GOMP_old", {"GOMP_1.0"}}, {"GOMP_new", {"GOMP_9.0"}},
                             {"omp_get", {"OMP_1.0"}},   {"omp_lock", {"OMP_1.0", "OMP_3.0"}},
                             {"omp_moved", {"OMP_3.0"}}, {"omp_own", {"OMP_3.0"}},
                             {"acc_init", {"OACC_2.0"}}};
  const Functions shim = {
      {"omp_get", {"OMP_1.0"}}, {"GOMP_stray", {"GOMP_1.0"}}, {"omp_lock", {"OMP_3.0"}}, {"omp_own", {"SHIM_1.0"}}};
  const Table table = {{"GOMP_old", {{"GOMP_1.0"}, "4.2", "old.cc"}},
                       {"omp_get", {{"OMP_1.0"}, "4.2", "passed: asks"}},
                       {"omp_lock", {{"OMP_1.0", "OMP_3.0"}, "4.2", "locks.cc"}},
                       {"omp_moved", {{"OMP_1.0"}, "4.2", "passed: asks"}},
                       {"omp_own", {{"SHIM_1.0"}, "-", "own.cc"}},
                       {"GOMP_gone", {{"GOMP_1.0"}, "4.2", "passed: asks"}},
                       {"GOMP_of_a_later_gcc", {{"GOMP_99.0"}, "99", "passed: asks"}}};
  EXPECT_EQ(Compare(table, runtime, shim),
            (std::set<std::string>{
                "GOMP_new of libgomp is not in the table", "GOMP_stray is exported by the shim and not in the table",
                "omp_get is exported by the shim, and the table says passed: asks",
                "omp_lock of the shim has not the versions that the table says",
                "omp_moved has other versions in libgomp", "omp_own is called added, but libgomp has it",
                "GOMP_old is not exported by the shim, and the table says old.cc",
                "GOMP_gone is not in libgomp, which has that version"}));
}

Outcome RunBuilt(const std::string& program, const std::map<std::string, std::string>& environment) {
  ompprof::testing::Launch launch{BuiltPath("tests/integration/runtime_shim/" + program)};
  launch.load = ompprof::testing::Load::kNone;
  launch.environment = environment;
  return ompprof::testing::RunProgram(launch);
}

// The shim has functions that an older libgomp lacks. A program that looks for them finds what libgomp has.
TEST(Exports, AFunctionThatTheRuntimeLacksIsNotFound) {
  ompprof::testing::Launch launch{BuiltPath("tests/integration/runtime_shim/lookup_program")};
  launch.load = ompprof::testing::Load::kNone;
  for (const auto& [name, entry] : ReadTable(kTable))
    if (!entry.IsAdded()) launch.arguments.push_back(name);
  const Outcome alone = ompprof::testing::RunProgram(launch);
  launch.environment["LD_PRELOAD"] = BuiltPath(kShim);
  const Outcome shimmed = ompprof::testing::RunProgram(launch);
  EXPECT_TRUE(alone.Exited(0)) << alone.Describe();
  EXPECT_TRUE(shimmed.Exited(0)) << shimmed.Describe();
  EXPECT_NE(alone.out.find("GOMP_parallel\n"), std::string::npos) << alone.out;
  EXPECT_EQ(shimmed.out, alone.out);
}

// The program is linked with a library that stands for a newer libgomp. From inside a parallel region of the real
// libgomp it calls a function there that the shim does not know.
TEST(Exports, AFunctionOfANewerRuntimeIsPassedThrough) {
  for (const std::string& preload : {std::string(), BuiltPath(kShim)}) {
    const Outcome outcome = RunBuilt("future_program", {{"LD_PRELOAD", preload}});
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_EQ(outcome.out.rfind("2 threads, 42 from the future\n", 0), 0u) << outcome.Describe();
  }
}

TEST(Exports, AProgramThatWasLinkedWithTheShimAloneHasLibgomp) {
  for (const std::string& tool : {std::string(), BuiltPath("tests/integration/runtime_shim/libanswers_tool.so")}) {
    const Outcome outcome =
        RunBuilt("linked_program", {{"LD_PRELOAD", tool}, {"LD_LIBRARY_PATH", BuiltPath("runtime_shim")}});
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_NE(outcome.out.find("sum 3\n"), std::string::npos) << outcome.Describe();
    EXPECT_EQ(outcome.out.find("event ompt_callback_parallel_begin always") != std::string::npos, !tool.empty())
        << outcome.Describe();
  }
}

}  // namespace
}  // namespace gomp_ompt
