// What the host asked of its devices, on the reference device (runtime_shim/device): launches, copies and kernel times
// by construct, and the host's waits for the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// 20 rounds of 5 ms in each of two constructs.
Launch OnDevice() {
  Launch launch{"devices_gcc", {"20", "5"}};
  launch.load = Load::kRecord;
  launch.preload_also = ReferenceDevicePath();
  return launch;
}

// The object of the array whose `member` begins with `value`.
nlohmann::json Find(const nlohmann::json& array, const char* member, const std::string& value) {
  for (const nlohmann::json& each : array) {
    if (each.value(member, "").rfind(value, 0) == 0) return each;
  }
  ADD_FAILURE() << "no " << member << " " << value << " in " << array.dump(1);
  return nlohmann::json::object();
}

// With the device's trace, and without.
class Devices : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Traces, Devices, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "traced" : "not_traced"; });

TEST_P(Devices, LaunchesCopiesAndTimes) {
  Launch launch = OnDevice();
  if (!GetParam()) launch.environment["GOMP_REFERENCE_TRACE"] = "none";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const Truth& truth = recorded->truth;
  ASSERT_EQ(truth.counts.at("devices"), 1);
  const double rounds = truth.counts.at("rounds"), mapped = truth.counts.at("mapped");
  const nlohmann::json devices = recorded->profile.report().value("devices", nlohmann::json::array());
  ASSERT_EQ(devices.size(), 1u) << devices.dump(1);
  EXPECT_EQ(devices[0].value("id", 9), 0);
  EXPECT_EQ(devices[0].value("type", ""), "reference");

  double kernels = 0;
  for (const char* function : {"both_ways [omp target devices.cc:", "kept_there [omp target devices.cc:"}) {
    const nlohmann::json kernel = Find(devices[0]["kernels"], "function", function);
    EXPECT_EQ(kernel.value("launches", 0.0), rounds) << function;
    EXPECT_NE(kernel.value("file", "").find("devices.cc"), std::string::npos);
    kernels += kernel.value("time_ns", 0.0);
  }
  EXPECT_EQ(devices[0].value("busy_ns", 0.0), kernels);
  const double launches = 2 * rounds, ran = truth.elapsed.at("kernels");
  EXPECT_GE(kernels, ran);
  // No record is lost: without each launch's record, the time would be the host's.
  double traced = 0, by_host = 0, constructs = 0, copies = 0;
  for (const nlohmann::json& operation : devices[0]["operations"]) {
    if (operation.value("work", "") == "target") constructs += operation.value("time_ns", 0.0);
    if (operation.value("work", "").rfind("copy", 0) == 0) copies += operation.value("time_ns", 0.0);
    if (operation.value("work", "") != "kernel") continue;
    traced += operation.value("traced_ns", 0.0);
    by_host += operation.value("time_ns", 0.0);
  }
  EXPECT_EQ(traced, GetParam() ? kernels : 0);
  EXPECT_EQ(kernels, GetParam() ? traced : by_host);
  // The host's figure has the launch and the wake-up as well. On a busy machine, these take as long as they like.
  EXPECT_LE(GetParam() ? 0 : kernels, constructs);
  EXPECT_LE(devices[0].value("wait_ns", 0.0), by_host + copies);

  // The array, and small pieces: scalars and tables of addresses.
  const double small = 200 * (launches + 1);
  const nlohmann::json to = Find(devices[0]["copies"], "direction", "to_device");
  EXPECT_GE(to.value("bytes", 0.0), (rounds + 1) * mapped);
  EXPECT_LE(to.value("bytes", 0.0), (rounds + 1) * mapped + small);
  const nlohmann::json from = Find(devices[0]["copies"], "direction", "from_device");
  EXPECT_GE(from.value("bytes", 0.0), rounds * mapped);
  EXPECT_LE(from.value("bytes", 0.0), rounds * mapped + small);
}

TEST_P(Devices, KernelsTakeTheirTime) {
  Launch launch = OnDevice();
  if (!GetParam()) launch.environment["GOMP_REFERENCE_TRACE"] = "none";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const nlohmann::json& device = each.profile.report().at("devices")[0];
    const double ran = each.truth.elapsed.at("kernels");
    if (GetParam()) claims->AtMost("time of the kernels", device.value("busy_ns", 0.0) / ran, 1, 0.02);
    // The host's thread sleeps in the meantime.
    claims->AtLeast("time that the host waits", device.value("wait_ns", 0.0) / ran, 1, 0.1);
  });
}

// The kernels' time is a wait of the host's thread, at the construct. The CPU clock of a thread that spins shows none.
class WaitsForDevices : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ways, WaitsForDevices, ::testing::Values("sleep", "spin"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(WaitsForDevices, AreTheKernelsTime) {
  Launch launch = OnDevice();
  launch.environment["GOMP_REFERENCE_WAIT"] = GetParam();
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const nlohmann::json waits = recorded->profile.report().value("waits", nlohmann::json::array());
  double waited = 0, by_host = 0;
  for (const nlohmann::json& operation : recorded->profile.report()["devices"][0]["operations"]) {
    const std::string work = operation.value("work", "");
    if (work == "kernel" || work.rfind("copy", 0) == 0) by_host += operation.value("time_ns", 0.0);
  }
  for (const nlohmann::json& wait : waits) {
    if (wait.value("state", "") != "ompt_state_wait_target") continue;
    EXPECT_EQ(wait.value("at", "").rfind("devices.cc:", 0), 0u) << wait.dump(1);
    waited += wait.value("wait_ns", 0.0);
  }
  EXPECT_GE(waited, 0.9 * recorded->truth.elapsed.at("kernels")) << waits.dump(1);
  EXPECT_LE(waited, by_host) << waits.dump(1);
}

// A launch that only queues its kernel: the kernel's time ends where the runtime has waited for it. A small copy of a
// result may be that place.
TEST(DevicesOfAProgram, AreWaitedForBehindTheLaunch) {
  Launch launch{"queued_kernels", {"50"}};
  launch.load = Load::kRecord;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const nlohmann::json devices = each.profile.report().value("devices", nlohmann::json::array());
    ASSERT_EQ(devices.size(), 1u) << devices.dump(1);
    EXPECT_EQ(devices[0].value("type", ""), "sm_90");
    double launches = 0, kernel_ns = 0, kernel_waits = 0, copy_waits = 0;
    for (const nlohmann::json& operation : devices[0]["operations"]) {
      if (operation.value("work", "") == "copy from the device") copy_waits += operation.value("wait_ns", 0.0);
      if (operation.value("work", "") != "kernel") continue;
      launches += operation.value("count", 0.0);
      kernel_ns += operation.value("time_ns", 0.0);
      kernel_waits += operation.value("wait_ns", 0.0);
    }
    EXPECT_EQ(launches, 2 * each.truth.counts.at("launches"));
    EXPECT_GE(kernel_ns, kernel_waits);
    const double kept = each.truth.elapsed.at("kept"), copied = each.truth.elapsed.at("copied");
    EXPECT_GE(kernel_waits, kept);
    EXPECT_GE(copy_waits, copied);
    claims->AtMost("waits for kernels", kernel_waits / kept, 1, 0.05);
    claims->AtMost("waits for copies", copy_waits / copied, 1, 0.05);
  });
}

TEST(DevicesOfAProgram, AreATable) {
  const auto recorded = Record(OnDevice());
  ASSERT_TRUE(recorded);
  const std::string file = recorded->outcome.profiles[0];
  const Outcome text = RunCommand({OmpprofPath(), "report", "--devices", file});
  ASSERT_TRUE(text.Exited(0)) << text.Describe();
  EXPECT_NE(text.out.find("device 0 (reference): "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("copy from the device"), std::string::npos) << text.out;
  const Outcome csv = RunCommand({OmpprofPath(), "report", "--devices", "--format=csv", file});
  ASSERT_TRUE(csv.Exited(0)) << csv.Describe();
  EXPECT_EQ(csv.out.rfind("process,device,work,construct,at,count,bytes,time_ns,traced_ns,longest_ns,wait_ns", 0), 0u)
      << csv.out;
}

// A wait for the device has the construct, with file and line, in its path.
TEST(DevicesOfAProgram, AreInTheCallPathsOfWaits) {
  const auto recorded = Record(OnDevice());
  ASSERT_TRUE(recorded);
  const Outcome tree = RunCommand({OmpprofPath(), "report", "--tree", "--metric=wait", "--min-percent=0",
                                   "--color=never", recorded->outcome.profiles[0]});
  ASSERT_TRUE(tree.Exited(0)) << tree.Describe();
  for (const char* function : {"both_ways", "kept_there"}) {
    const size_t construct = tree.out.find(std::string(function) + " [omp target devices.cc:");
    ASSERT_NE(construct, std::string::npos) << tree.out;
    const size_t next = tree.out.find('\n', construct) + 1;
    EXPECT_NE(tree.out.substr(next, tree.out.find('\n', next) - next).find("<omp target>"), std::string::npos)
        << tree.out;
  }
}

// Perfetto's track of the device has each operation, under the names of the constructs. Its kernels take as long as the
// program measured.
void AddTrack(const Recorded& recorded, Claims* claims) {
  const std::string out = recorded.outcome.profiles[0] + ".json";
  const Outcome exported =
      RunCommand({OmpprofPath(), "export", "--format=perfetto", "-o", out, recorded.outcome.profiles[0]});
  ASSERT_TRUE(exported.Exited(0)) << exported.Describe();
  std::ifstream file(out);
  const nlohmann::json trace = nlohmann::json::parse(file);
  std::map<std::string, double> count, us;
  double track = 0, before = 0;
  for (const nlohmann::json& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name" && event["args"]["name"] == "device 0 (reference)") track = event["tid"];
    if (event["ph"] != "X" || track == 0 || event["tid"] != track) continue;
    const std::string kind = event["cat"];
    count[kind] += 1;
    us[kind] += event["dur"].get<double>();
    EXPECT_GE(event["ts"].get<double>(), before - 0.001) << event.dump();
    before = event["ts"].get<double>() + event["dur"].get<double>();
    if (kind == "kernel") {
      EXPECT_NE(event["name"].get<std::string>().find("[omp target devices.cc:"), std::string::npos);
    }
  }
  const double rounds = recorded.truth.counts.at("rounds");
  EXPECT_EQ(count["kernel"], 2 * rounds);
  claims->Near("kernels", us["kernel"] * 1000 / recorded.truth.elapsed.at("kernels"), 1, 0.02);
  EXPECT_GE(count["to device"], rounds);
  EXPECT_GE(count["from device"], 2 * rounds);
}

TEST(DevicesOfAProgram, HaveATrack) {
  Launch launch = OnDevice();
  launch.record_options = {"--timeline"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, AddTrack);
}

// Whether there is advice of the kind on the construct.
bool IsAdvised(const nlohmann::json& report, const std::string& kind, const std::string& construct = "") {
  const nlohmann::json all = report.value("advice", nlohmann::json::array());
  return std::any_of(all.begin(), all.end(), [&](const nlohmann::json& advice) {
    return advice.value("kind", "") == kind && advice.value("where", "").rfind(construct, 0) == 0;
  });
}

TEST(DeviceAdvice, FitsTheFlaw) {
  Launch launch = OnDevice();
  launch.arguments = {"200", "0"};  // kernels of a few microseconds
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  // A kernel that lost its processor is no short one.
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const nlohmann::json& report = each.profile.report();
    claims->Mostly("both_ways keeps its data", IsAdvised(report, "keep-data", "both_ways [omp target "));
    claims->Mostly("kept_there has kept its data", !IsAdvised(report, "keep-data", "kept_there"));
    claims->Mostly("kept_there has short kernels", IsAdvised(report, "short-kernels", "kept_there [omp target "));
    EXPECT_FALSE(IsAdvised(report, "on-the-host")) << report["advice"].dump(1);
  });
}

TEST(DeviceAdvice, IsNotGivenWithoutAFlaw) {
  Launch launch = OnDevice();
  // Kernels of 200 ms: copies are 0.2 % of their construct, and 2 % if they wait for a processor.
  launch.arguments = {"5", "200"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const nlohmann::json& report = recorded->profile.report();
  for (const char* kind : {"keep-data", "short-kernels", "on-the-host"})
    EXPECT_FALSE(IsAdvised(report, kind)) << report["advice"].dump(1);
}

// Python has no OpenMP, and opens the library for itself alone: its libgomp is no other library's.
TEST(DevicesOfAProgram, AreSeenInALibraryThatPythonOpens) {
  Launch launch{
      "/usr/bin/python3",
      {"-c", "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).launch(300))", ProgramPath("libdevice_library.so")}};
  launch.preload_also = ReferenceDevicePath();
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.out, "300\n");
  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  const nlohmann::json devices = Profile(outcome.profiles[0]).report().value("devices", nlohmann::json::array());
  ASSERT_EQ(devices.size(), 1u) << devices.dump(1);
  EXPECT_EQ(Find(devices[0]["kernels"], "function", "launch [omp target device_library.cc:").value("launches", 0), 300);
}

// Without a device, the regions run on the host, and nothing is waited for.
TEST(DevicesOfAProgram, AreAbsentOnTheHost) {
  Launch launch{"devices_gcc", {"5", "2"}};
  launch.load = Load::kRecord;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ASSERT_EQ(recorded->truth.counts.at("devices"), 0);
  for (const nlohmann::json& wait : recorded->profile.report().value("waits", nlohmann::json::array()))
    EXPECT_NE(wait.value("state", ""), "ompt_state_wait_target") << wait.dump(1);
  const Outcome text = RunCommand({OmpprofPath(), "report", "--devices", recorded->outcome.profiles[0]});
  EXPECT_NE(text.out.find("10 target regions were executed by the host itself"), std::string::npos) << text.out;
  EXPECT_FALSE(recorded->profile.report().contains("devices"));
}

}  // namespace
}  // namespace ompprof::testing
