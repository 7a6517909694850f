// Several OpenMP runtimes in one process: each library stays with its own runtime, and each runtime with its own OMPT.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/integration/runtime_shim/activation/launch.h"

namespace gomp_ompt {
namespace {

using Lines = std::vector<std::string>;

constexpr char kLibomp[] = "/usr/lib/llvm-14/lib/libomp.so.5";

// These runtimes started the tool, in this order.
Lines Starts(const Outcome& outcome) {
  Lines starts;
  for (const std::string& line : ToolLines(outcome))
    if (line.rfind("start_tool", 0) == 0) starts.push_back(line.substr(line.rfind(' ') + 1));
  return starts;
}

std::vector<std::string> Paths(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(name == "close" ? name : Built(name));
  return paths;
}

const std::vector<std::vector<std::string>> kOrders = {
    {"libof_gomp.so"},
    {"libof_omp.so"},
    {"libof_other_gomp.so"},
    {"libof_gomp.so", "libof_omp.so"},
    {"libof_omp.so", "libof_gomp.so"},
    {"libof_gomp.so", "libof_other_gomp.so", "libof_omp.so"},
    {"libof_gomp.so", "libof_omp.so", "libof_other_gomp.so", "close", "libof_other_gomp.so", "libof_gomp.so"},
};

TEST(LocalRuntimes, EachLibraryKeepsItsOwnWithoutATool) {
  for (const auto& order : kOrders) {
    const Outcome outcome = RunUnderShim("local", Paths(order));
    EXPECT_TRUE(IsDone(outcome)) << ::testing::PrintToString(order) << outcome.Describe();
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(LocalRuntimes, EachLibraryKeepsItsOwnWithATool) {
  for (const auto& order : kOrders) {
    const Outcome outcome = RunUnderShim("local", Paths(order), {}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << ::testing::PrintToString(order) << outcome.Describe();
    Lines starts;
    for (const std::string& name : order) {
      const std::string runtime = name == "libof_omp.so" ? "libomp" : "libgomp";
      if (name != "close" && std::find(starts.begin(), starts.end(), runtime) == starts.end())
        starts.push_back(runtime);
    }
    EXPECT_EQ(Starts(outcome), starts) << ::testing::PrintToString(order);
  }
}

// Two workers of each runtime. The tool hears of the first, and a line names the other.
TEST(LocalRuntimes, TheWorkersOfTheFirstReportTheirEnd) {
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"libof_gomp.so", "libof_other_gomp.so"}, {"libof_other_gomp.so", "libof_gomp.so"}}) {
    const Outcome outcome = RunUnderShim("local", {"regions", Built(order[0]), Built(order[1])}, {}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome).back().rfind("finalize threads 3/3 regions 1/1 implicit 3/3 initial 1/1 ", 0), 0u)
        << outcome.Describe();
    EXPECT_EQ(OtherLines(outcome).find("libgomp_ompt: this process has several libgomps"), 0u) << outcome.Describe();
  }
}

// Two libraries of one make, with paths of equal length. The second may come to lie where the first was, and differ in
// its name alone.
TEST(LocalRuntimes, ALibraryInThePlaceOfAnother) {
  const std::string folder = ompprof::testing::NewFolder();
  const std::string a = folder + "/a.so", b = folder + "/b.so";
  ASSERT_EQ(ompprof::testing::RunCommand({"cp", Built("libof_gomp.so"), a}).status, 0);
  ASSERT_EQ(ompprof::testing::RunCommand({"cp", Built("libof_other_gomp.so"), b}).status, 0);
  ASSERT_EQ(ompprof::testing::RunCommand({"cp", Built("libgomp.so.9"), folder}).status, 0);
  const std::vector<std::string> order = {a,       b, "close", a, "close", b,       "close", a,
                                          "close", b, "close", b, a,       "close", a,       b};
  for (const std::vector<std::string>& preload : {std::vector<std::string>{}, {"libtool.so"}}) {
    const Outcome outcome = RunUnderShim("local", order, {}, preload);
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  }
}

// What a program prints that loads libraries with these runtimes, in each way and however it calls them.
using Case = std::tuple<std::vector<std::string>, const char*, const char*>;
class Libraries : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Runtimes, Libraries,
    ::testing::Combine(::testing::Values(std::vector<std::string>{"libown_gomp.so"},
                                         std::vector<std::string>{"libown_gomp_9.so"},
                                         std::vector<std::string>{"libown_omp.so"},
                                         std::vector<std::string>{"libown_gomp_8.so", "libown_gomp_9.so"},
                                         std::vector<std::string>{"libown_omp.so", "libown_gomp_9.so"},
                                         std::vector<std::string>{"libown_gomp.so", "libown_omp.so", "libown_gomp_8.so",
                                                                  "libown_gomp_9.so"}),
                       ::testing::Values("now", "lazy", "deep", "global"),
                       ::testing::Values("direct", "third", "plugin")));

TEST_P(Libraries, ComputeWhatTheyComputeAlone) {
  const auto& [libraries, mode, way] = GetParam();
  std::vector<std::string> arguments = {mode, way, Built("libthird.so")};
  for (const std::string& library : libraries) arguments.push_back(Built(library));
  std::vector<std::string> command = {"env", "OMP_NUM_THREADS=4", Built("own_host")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Outcome alone = ompprof::testing::RunCommand(command);
  ASSERT_TRUE(alone.Exited(0)) << alone.Describe();
  for (const std::vector<std::string>& preload : {std::vector<std::string>{}, {"libtool.so"}}) {
    const Outcome outcome = RunUnderShim("own_host", arguments, {{"OMP_NUM_THREADS", "4"}}, preload);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_EQ(outcome.out, alone.out) << outcome.err;
  }
}

TEST(LocalRuntimes, InPythonAreThoseOfTheLibraries) {
  const std::string script =
      "import ctypes\n"
      "for path in ('" +
      Built("libown_gomp_9.so") + "', '" + Built("libown_gomp_8.so") +
      "'):\n"
      "    library = ctypes.CDLL(path)\n"
      "    library.set_threads(3); library.step()\n"
      "    print(library.get_threads(), library.team())\n"
      "print(hasattr(ctypes.CDLL(None), 'omp_get_num_threads'))\n";
  for (const std::vector<std::string>& preload : {std::vector<std::string>{}, {"libtool.so"}}) {
    const Outcome outcome = RunUnderShim("/usr/bin/python3", {"-c", script}, {}, preload);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_EQ(outcome.out, "3 3\n3 3\nFalse\n") << outcome.err;
  }
}

TEST(LocalRuntimes, BesideOneThatTheProgramIsLinkedWith) {
  // The library does not get the other libgomp: the program's libgomp is found first, with the shim or without.
  Outcome outcome = RunUnderShim("local_gomp", Paths({"libof_omp.so", "libof_gomp.so"}), {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(Starts(outcome), Lines({"libgomp", "libomp"}));
  outcome = RunUnderShim("local_omp", Paths({"libof_omp.so"}), {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(Starts(outcome), Lines({"libomp"}));
  EXPECT_EQ(OtherLines(outcome), "");
}

TEST(LocalRuntimes, LibompInLibgompsPlaceKeepsItsOwnTool) {
  const Outcome outcome = RunUnderShim("program", {"critical"}, {}, {"libtool.so", kLibomp});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome), Lines({"start_tool 201611 libomp", "initialize",
                                       "finalize threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 2/2"}));
}

TEST(LocalRuntimes, AConstructorsRegionDoesNotWaitForTheLoader) {
  for (const char* program : {"local", "local_gomp"}) {
    for (const std::vector<std::string>& preload : {std::vector<std::string>{}, {"libtool.so"}}) {
      const Outcome outcome = RunUnderShim(program, Paths({"libconstructor.so"}), {}, preload);
      EXPECT_TRUE(IsDone(outcome)) << program << outcome.Describe();
    }
  }
}

}  // namespace
}  // namespace gomp_ompt
