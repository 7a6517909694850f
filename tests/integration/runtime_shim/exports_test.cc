// Every function of libgomp that a program can call is either interposed or passed through on purpose, and
// runtime_shim/gomp/exports.txt says which: a libgomp with a function that the list has not fails this test, and so
// does a wrapper that the list does not know.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdio.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "tests/integration/runtime_shim/dynamic_symbols.h"

namespace gomp_ompt {
namespace {

constexpr char kShim[] = "runtime_shim/libgomp_ompt.so";
constexpr char kList[] = "runtime_shim/gomp/exports.txt";

bool IsOpenMp(const std::string& name) { return name.rfind("GOMP_", 0) == 0 || name.rfind("omp_", 0) == 0; }

// {name: its heading}, the headings without their brackets.
std::map<std::string, std::string> ReadList(const std::string& path) {
  std::map<std::string, std::string> list;
  std::ifstream file(path);
  std::string heading;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[')
      heading = line.substr(1, line.size() - 2);
    else
      EXPECT_TRUE(list.emplace(line, heading).second) << line << " is there twice";
  }
  return list;
}

std::string RuntimePath() {
  void* runtime = dlopen("libgomp.so.1", RTLD_LAZY);
  link_map* map = nullptr;
  if (runtime == nullptr || dlinfo(runtime, RTLD_DI_LINKMAP, &map) != 0) return "";
  return map->l_name;
}

// What is wrong with the list, by itself testable: a sentence for each name.
std::set<std::string> Compare(const std::map<std::string, std::string>& list,
                              const std::map<std::string, std::set<std::string>>& runtime,
                              const std::map<std::string, std::set<std::string>>& shim) {
  std::set<std::string> wrong;
  for (const auto& [name, versions] : runtime)
    if (IsOpenMp(name) && list.count(name) == 0) wrong.insert(name + " of libgomp is not classified");
  for (const auto& [name, versions] : shim) {
    auto entry = list.find(name);
    if (entry == list.end())
      wrong.insert(name + " is exported by the shim and not classified");
    else if (entry->second.rfind("passed: ", 0) == 0)
      wrong.insert(name + " is exported by the shim and classified as " + entry->second);
  }
  for (const auto& [name, heading] : list) {
    const bool of_shim = heading == "interposed" || heading == "added";
    if (!of_shim && heading.rfind("passed: ", 0) != 0)
      wrong.insert(name + " stands under the unknown heading " + heading);
    if (of_shim && shim.count(name) == 0)
      wrong.insert(name + " is classified as " + heading + " and not exported by the shim");
    if (heading == "interposed" && shim.count(name) != 0 && runtime.count(name) != 0 &&
        shim.at(name) != runtime.at(name))
      wrong.insert(name + " of the shim has not the versions that libgomp's has");
    if (heading == "added" && runtime.count(name) != 0) wrong.insert(name + " is called added, but libgomp has it");
    if (heading != "added" && runtime.count(name) == 0) wrong.insert(name + " is not in libgomp");
  }
  return wrong;
}

TEST(Exports, EveryFunctionOfTheInstalledRuntimeIsClassified) {
  const auto runtime = DefinedFunctions(RuntimePath());
  const auto shim = DefinedFunctions(kShim);
  ASSERT_GT(runtime.size(), 300u) << RuntimePath();
  ASSERT_GT(shim.size(), 5u);
  ASSERT_EQ(runtime.at("GOMP_parallel"), std::set<std::string>{"GOMP_4.0"});
  for (const std::string& sentence : Compare(ReadList(kList), runtime, shim)) ADD_FAILURE() << sentence;
}

TEST(Exports, TheShimExportsNothingElse) {
  for (const auto& [name, versions] : DefinedFunctions(kShim)) EXPECT_TRUE(IsOpenMp(name)) << name;
}

TEST(Exports, TheComparisonFindsEachKindOfMistake) {
  const std::map<std::string, std::set<std::string>> runtime = {{"GOMP_old", {"GOMP_1.0"}},
                                                                {"GOMP_new", {"GOMP_9.0"}},
                                                                {"omp_get", {"OMP_1.0"}},
                                                                {"omp_lock", {"OMP_1.0", "OMP_3.0"}},
                                                                {"acc_init", {"OACC_2.0"}}};
  const std::map<std::string, std::set<std::string>> shim = {
      {"omp_get", {"OMP_1.0"}}, {"GOMP_stray", {"GOMP_1.0"}}, {"omp_lock", {"OMP_3.0"}}};
  const std::map<std::string, std::string> list = {{"GOMP_old", "interposed"},
                                                   {"omp_get", "passed: asks"},
                                                   {"omp_lock", "interposed"},
                                                   {"GOMP_gone", "passed: asks"}};
  EXPECT_EQ(Compare(list, runtime, shim),
            (std::set<std::string>{
                "GOMP_new of libgomp is not classified", "GOMP_stray is exported by the shim and not classified",
                "omp_get is exported by the shim and classified as passed: asks",
                "omp_lock of the shim has not the versions that libgomp's has",
                "GOMP_old is classified as interposed and not exported by the shim", "GOMP_gone is not in libgomp"}));
}

// The program is linked with a library that stands for a newer libgomp, and calls a function there that the shim has
// never heard of, from inside a parallel region of the real one.
TEST(Exports, AFunctionOfANewerRuntimeIsPassedThrough) {
  for (const char* preload : {"", kShim}) {
    const std::string command = std::string("LD_PRELOAD=") + preload + " tests/integration/runtime_shim/future_program";
    FILE* pipe = popen(command.c_str(), "r");
    char line[100] = "";
    ASSERT_NE(fgets(line, sizeof(line), pipe), nullptr) << command;
    EXPECT_STREQ(line, "2 threads, 42 from the future\n") << command;
    EXPECT_EQ(pclose(pipe), 0) << command;
  }
}

TEST(Exports, AProgramThatWasLinkedWithTheShimAloneHasLibgomp) {
  for (const std::string tool : {"", "LD_PRELOAD=tests/integration/runtime_shim/libanswers_tool.so "}) {
    const std::string command = tool + "LD_LIBRARY_PATH=runtime_shim tests/integration/runtime_shim/linked_program";
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (int c; (c = fgetc(pipe)) != EOF;) output += static_cast<char>(c);
    EXPECT_EQ(pclose(pipe), 0) << command;
    EXPECT_NE(output.find("sum 3\n"), std::string::npos) << output;
    EXPECT_EQ(output.find("event ompt_callback_parallel_begin always") != std::string::npos, !tool.empty()) << output;
  }
}

}  // namespace
}  // namespace gomp_ompt
