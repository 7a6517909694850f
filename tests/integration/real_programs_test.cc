// Programs as Debian ships them: compiled by gcc, stripped, not made for any profiler. Recorded unmodified, they behave
// as without the profiler. The profile has their parallel regions, and their workers under main.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Real {
  const char* name;
  const char* package;
  const char* path;
  std::vector<std::string> arguments;
  void (*make_input)(const std::string& folder);
  std::vector<std::string> outputs;  // files that it writes
  const char* root = "main";         // or the function that main leaves its frame to, by a jump
};

// `count` protein sequences that descend from one another by random changes.
void WriteProteins(const std::string& folder) {
  constexpr char kLetters[] = "ACDEFGHIKLMNPQRSTVWY";
  std::mt19937 random(5);
  const auto below = [&random](size_t limit) { return static_cast<size_t>(random()) % limit; };
  std::vector<std::string> sequences(1, std::string(300, 'A'));
  for (char& letter : sequences[0]) letter = kLetters[below(20)];
  while (sequences.size() < 100) {
    std::string next = sequences[below(sequences.size())];
    for (size_t i = 5 + below(30); i > 0; --i) next[below(next.size())] = kLetters[below(20)];
    next.erase(below(next.size() - 6), below(6));
    sequences.push_back(next);
  }
  std::ofstream out(folder + "/proteins");
  for (size_t i = 0; i < sequences.size(); ++i) out << ">s" << i << "\n" << sequences[i] << "\n";
}

void WriteBytes(const std::string& folder) {
  std::mt19937 random(7);
  std::ofstream out(folder + "/bytes", std::ios::binary);
  for (int i = 0; i < 1500000; i++) out << static_cast<char>(random());
}

void Nothing(const std::string&) {}

const Real kReal[] = {
    {"Alignment",
     "clustalo",
     "/usr/bin/clustalo",
     {"-i", "proteins", "-o", "aligned", "--threads=2"},
     WriteProteins,
     {"aligned"}},
    // Its work is in a shared library, and it loads the formats' code by dlopen.
    {"Image",
     "graphicsmagick",
     "/usr/bin/gm",
     {"convert", "-size", "1400x1400", "gradient:red-blue", "-blur", "0x6", "-resize", "2200x2200", "image.ppm"},
     Nothing,
     {"image.ppm"},
     "GMCommand"},
    {"Primes", "primecount-bin", "/usr/bin/primecount", {"1000000000000000", "--threads=2"}, Nothing, {}},
    {"Parity",
     "par2",
     "/usr/bin/par2",
     {"create", "-q", "-q", "-n1", "-r30", "-s20000", "parity", "bytes"},
     WriteBytes,
     {"parity.par2", "parity.vol00+23.par2"}},
};

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class RealProgram : public ::testing::TestWithParam<Real> {};

TEST_P(RealProgram, IsRecordedUnmodified) {
  const Real& real = GetParam();
  if (access(real.path, X_OK) != 0) GTEST_SKIP() << "Debian's package " << real.package << " is not installed.";
  Launch launch{real.path, real.arguments};
  launch.load = Load::kNone;
  launch.folder = NewFolder();
  real.make_input(launch.folder);
  const Outcome bare = RunProgram(launch);
  launch.load = Load::kRecord;
  launch.folder = NewFolder();
  real.make_input(launch.folder);
  const Outcome recorded = RunProgram(launch);

  ASSERT_TRUE(bare.Exited(0)) << bare.Describe();
  ASSERT_TRUE(recorded.Exited(0)) << recorded.Describe();
  EXPECT_EQ(recorded.out, bare.out);
  EXPECT_EQ(recorded.err, bare.err);
  for (const std::string& output : real.outputs)
    EXPECT_TRUE(Contents(recorded.folder + "/" + output) == Contents(bare.folder + "/" + output)) << output;

  ASSERT_EQ(recorded.profiles.size(), 1u);
  const Profile profile(recorded.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  EXPECT_EQ(profile.Lost(), 0);
  EXPECT_EQ(profile.report().value("runtime", "").rfind("libgomp_ompt", 0), 0u);
  const nlohmann::json regions = profile.report().value("regions", nlohmann::json::array());
  double in_regions = 0;
  for (const nlohmann::json& region : regions) in_regions = std::max(in_regions, region.value("cpu_ns", 0.0));
  EXPECT_GT(in_regions, 0.05 * profile.CpuNs()) << regions.dump(1);

  double detached = 0;
  std::string example;
  for (const Profile::Stack& stack : profile.stacks()) {
    bool attached = stack.frames[0].function.rfind("<omp ", 0) == 0;  // idle, or a worker that is being made
    for (const Profile::Frame& frame : stack.frames) attached |= frame.function == real.root;
    if (attached) continue;
    detached += stack.ns;
    example.clear();
    for (const Profile::Frame& frame : stack.frames) example += frame.function + ";";
  }
  // The loader's work and the program's own initializers come before main: milliseconds.
  EXPECT_LT(detached, 0.01 * profile.StackTotal() + 10e6) << "ns outside " << real.root << ", such as\n" << example;
  EXPECT_EQ(profile.PathNs({"<unwind stopped>"}), 0);
  EXPECT_EQ(profile.PathNs({"<region path unknown>"}), 0);
}

INSTANTIATE_TEST_SUITE_P(Debian, RealProgram, ::testing::ValuesIn(kReal),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ompprof::testing
