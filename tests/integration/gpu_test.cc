// A program on a real GPU, by each compiler that can offload, against what the program asks for. A machine without a
// GPU skips these, and has the same program on the reference device and on libomptarget's host devices.
#include <gtest/gtest.h>
#include <unistd.h>

#include <ostream>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

struct Offloader {
  const char* name;
  std::vector<std::string> compiler;
  bool on_gpu;
  bool llvm;  // the program needs LLVM's runtimes
};
void PrintTo(const Offloader& offloader, std::ostream* out) { *out << offloader.name; }

std::vector<Offloader> Offloaders() {
  const std::string folder = OffloadFolder();
  const auto clang = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command = {"clang++-19", "-fopenmp", "-I" + folder + "/include", "-L" + folder + "/lib"};
    command.insert(command.end(), options.begin(), options.end());
    return command;
  };
  return {
      {"reference", {"g++", "-fopenmp", "-foffload=disable"}, false, false},
      {"omptarget", clang({"-fopenmp-targets=x86_64-pc-linux-gnu"}), false, true},
      {"nvidia_gcc", {"g++", "-fopenmp", "-foffload=nvptx-none", "-foffload-options=-misa=sm_80"}, true, false},
      {"nvidia_clang",
       clang({"-fopenmp-targets=nvptx64-nvidia-cuda", "--libomptarget-nvptx-bc-path=" + folder + "/lib"}), true, true},
  };
}

class Gpu : public ::testing::TestWithParam<Offloader> {};
INSTANTIATE_TEST_SUITE_P(Offloaders, Gpu, ::testing::ValuesIn(Offloaders()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Gpu, LaunchesAndCopies) {
  const Offloader& offloader = GetParam();
  if (offloader.on_gpu && access("/dev/nvidiactl", F_OK) != 0)
    GTEST_SKIP() << "There is no NVIDIA GPU here: /dev/nvidiactl does not exist.";
  Launch launch{NewFolder() + "/triad", {"50"}};
  std::vector<std::string> command = offloader.compiler;
  command.insert(command.end(), {"-O2", "-g", ProgramPath("triad.cc"), "-o", launch.program});
  const Outcome compiled = RunCommand(command);
  if (offloader.on_gpu && !compiled.Exited(0))
    GTEST_SKIP()
        << "The compiler cannot build for the GPU (gcc: install gcc-12-offload-nvptx; clang: the CUDA toolkit): "
        << compiled.Describe();
  ASSERT_TRUE(compiled.Exited(0)) << compiled.Describe();
  if (offloader.llvm) launch.environment["LD_LIBRARY_PATH"] = OffloadFolder() + "/lib";
  if (!offloader.llvm && !offloader.on_gpu) launch.preload_also = ReferenceDevicePath();

  launch.load = Load::kNone;
  if (const Outcome alone = RunProgram(launch); offloader.on_gpu && !alone.Exited(0))
    GTEST_SKIP() << "The program does not run without the profiler (LLVM 19 refuses images of CUDA 13): "
                 << alone.Describe();
  launch.load = Load::kRecord;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const Truth& truth = recorded->truth;
  ASSERT_GE(truth.counts.at("devices"), 1) << "the program runs on the host";
  const nlohmann::json devices = recorded->profile.report().value("devices", nlohmann::json::array());
  ASSERT_FALSE(devices.empty()) << recorded->outcome.Describe();
  double launches = 0;
  for (const nlohmann::json& kernel : devices[0]["kernels"]) {
    EXPECT_NE(kernel.value("function", "").find("[omp target triad.cc:19]"), std::string::npos) << kernel.dump(1);
    launches += kernel.value("launches", 0.0);
  }
  EXPECT_EQ(launches, truth.counts.at("launches"));
  EXPECT_GT(devices[0].value("busy_ns", 0.0), 0);
  // The driver of a GPU spins, and the host waits all the same.
  if (offloader.on_gpu) {
    EXPECT_GE(devices[0].value("wait_ns", 0.0), 0.5 * devices[0].value("busy_ns", 0.0)) << devices.dump(1);
  }
  for (const nlohmann::json& copies : devices[0]["copies"]) {
    const bool to_device = copies.value("direction", "") == "to_device";
    const double vectors = (to_device ? 2 : 1) * truth.counts.at("mapped");
    EXPECT_GE(copies.value("bytes", 0.0), vectors) << copies.dump(1);
    // libgomp also copies a table of addresses for each launch.
    EXPECT_LE(copies.value("bytes", 0.0), vectors + 64 * (launches + 1)) << copies.dump(1);
  }
}

}  // namespace
}  // namespace ompprof::testing
