// Every operation of a device comes back to the call path that asked for it, on the reference device
// (runtime_shim/device): several paths to one construct, launches of several threads at once, in nested regions and in
// tasks. And the timeline of devices.
#include <gtest/gtest.h>
#include <stdio.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "profiler/model/profile_reader.h"
#include "profiler/model/record_log.h"
#include "tests/integration/expect.h"
#include "tests/integration/pprof_file.h"
#include "tests/integration/pprof_stacks.h"

namespace ompprof::testing {
namespace {

Launch OnDevice(const std::string& mode, int rounds) {
  Launch launch{"device_paths_gcc", {mode, std::to_string(rounds)}};
  launch.load = Load::kRecord;
  launch.preload_also = ReferenceDevicePath();
  return launch;
}

// The kernels under each function took as long as the program has measured within them.
void ExpectKernels(const Recorded& recorded, const std::vector<std::string>& functions) {
  ExpectClaims(recorded, [&](const Recorded& each, Claims* claims) {
    const Stacks kernels = StacksOf(each.outcome.profiles[0], "kernel");
    double all = 0;
    for (const std::string& function : functions) {
      const double ran = each.truth.elapsed.at(function), found = Under(kernels, function);
      EXPECT_GE(found, ran) << function << "\n" << Describe(kernels);
      // The device's own time of a kernel has the call of the region's function.
      const double call = (found - ran) / each.truth.counts.at(function);
      claims->AtMost("ns of " + function + "'s kernels beside their work", call,
                     0.02 * ran / each.truth.counts.at(function), 20000);
      all += found;
    }
    EXPECT_EQ(all, Under(kernels, "main")) << Describe(kernels);
    EXPECT_EQ(all, Under(kernels, "<omp kernel>")) << Describe(kernels);
  });
}

std::vector<DeviceStats> StatsOf(const std::string& file) {
  const model::ReadResult read = model::ReadProfile(file);
  EXPECT_TRUE(read.usable) << file;
  return read.profile.device_stats;
}

TEST(DevicePaths, TwoPathsToOneConstruct) {
  const auto recorded = Record(OnDevice("paths", 10));
  ASSERT_TRUE(recorded);
  ExpectKernels(*recorded, {"short_kernels", "long_kernels"});
  const Outcome text = RunCommand({OmpprofPath(), "report", "--devices", "--paths", recorded->outcome.profiles[0]});
  ASSERT_TRUE(text.Exited(0)) << text.Describe();
  for (const char* function : {"short_kernels", "long_kernels"})
    EXPECT_NE(text.out.find(function), std::string::npos) << text.out;
  const Outcome without = RunCommand({OmpprofPath(), "report", "--devices", recorded->outcome.profiles[0]});
  EXPECT_EQ(without.out.find("short_kernels"), std::string::npos) << without.out;
}

// The paths of the region's first run are known late, so this run has records of its own. All others share theirs.
TEST(DevicePaths, ThreadsOfARegion) {
  const auto recorded = Record(OnDevice("threads", 40));
  ASSERT_TRUE(recorded);
  ExpectKernels(*recorded, {"team_of_launches"});
  size_t launches = 0;
  for (const DeviceStats& stats : StatsOf(recorded->outcome.profiles[0])) launches += stats.work() == DEVICE_LAUNCH;
  EXPECT_GE(launches, 3u);
  EXPECT_LE(launches, 12u);
}

TEST(DevicePaths, NestedRegions) {
  const auto recorded = Record(OnDevice("nested", 10));
  ASSERT_TRUE(recorded);
  ExpectKernels(*recorded, {"first_outer", "second_outer"});
}

// A task without a device's thread of its own may run anywhere. Its path is its creator's.
TEST(DevicePaths, TasksWithNowait) {
  const auto recorded = Record(OnDevice("nowait", 20));
  ASSERT_TRUE(recorded);
  ExpectKernels(*recorded, {"short_tasks", "long_tasks"});
  const Stacks kernels = StacksOf(recorded->outcome.profiles[0], "kernel");
  EXPECT_EQ(Under(kernels, "wait_for_tasks"), 0) << Describe(kernels);
}

// Merged, the processes' operations add up, and stay at their paths.
TEST(DevicePaths, AreMerged) {
  const auto first = Record(OnDevice("paths", 4)), second = Record(OnDevice("paths", 6));
  ASSERT_TRUE(first && second);
  const std::string merged = NewFolder() + "/merged.ompprof";
  const Outcome merge =
      RunCommand({OmpprofPath(), "merge", "-o", merged, first->outcome.profiles[0], second->outcome.profiles[0]});
  ASSERT_TRUE(merge.Exited(0)) << merge.Describe();
  const Stacks one = StacksOf(first->outcome.profiles[0], "kernel"),
               other = StacksOf(second->outcome.profiles[0], "kernel"), both = StacksOf(merged, "kernel");
  for (const char* function : {"short_kernels", "long_kernels"})
    EXPECT_EQ(Under(both, function), Under(one, function) + Under(other, function)) << Describe(both);
  const Outcome diff = RunCommand({OmpprofPath(), "diff", first->outcome.profiles[0], second->outcome.profiles[0]});
  EXPECT_TRUE(diff.Exited(0)) << diff.Describe();
}

// 8192 paths have no place. None of their launches is lost.
TEST(DevicePaths, MoreThanThereIsRoomFor) {
  const auto recorded = Record(OnDevice("many", 13));
  ASSERT_TRUE(recorded);
  double launches = 0, with_path = 0;
  for (const DeviceStats& stats : StatsOf(recorded->outcome.profiles[0])) {
    if (stats.work() != DEVICE_LAUNCH) continue;
    launches += static_cast<double>(stats.count());
    if (stats.node() != 0) with_path += static_cast<double>(stats.count());
  }
  EXPECT_EQ(launches, 8192);
  EXPECT_GT(with_path, 500);  // a path has a record for each kind of work
  EXPECT_LT(with_path, 8192);
  EXPECT_NE(recorded->profile.report()["notes"].dump().find("more call paths than can be kept apart"),
            std::string::npos)
      << recorded->profile.report()["notes"].dump(1);
}

// What host threads waited for devices is charged to the kernels and copies, and nothing else is.
TEST(DeviceBlame, IsTheSumOfTheWaits) {
  for (const char* mode : {"paths", "threads", "many"}) {
    const auto recorded = Record(OnDevice(mode, 8));
    ASSERT_TRUE(recorded) << mode;
    const nlohmann::json& report = recorded->profile.report();
    double waited = 0, charged = 0;
    for (const nlohmann::json& wait : report["waits"]) {
      if (wait.value("state", "") == "ompt_state_wait_target") waited += wait.value("wait_ns", 0.0);
    }
    for (const nlohmann::json& charge : report["device_blame"]) {
      EXPECT_EQ(charge.value("device", 9), 0);
      EXPECT_NE(charge.value("file", "").find("device_paths.cc"), std::string::npos) << charge.dump(1);
      charged += charge.value("wait_ns", 0.0);
    }
    EXPECT_GT(charged, 0) << mode;
    EXPECT_EQ(waited, charged) << mode << "\n" << report["device_blame"].dump(1);
    const Stacks stacks = StacksOf(recorded->outcome.profiles[0], "device_wait");
    EXPECT_EQ(Under(stacks, "main"), charged) << Describe(stacks);
  }
  const auto recorded = Record(OnDevice("paths", 5));
  ASSERT_TRUE(recorded);
  const Outcome text = RunCommand({OmpprofPath(), "report", "--blame", recorded->outcome.profiles[0]});
  EXPECT_NE(text.out.find("Which work of devices host threads waited for"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("launch [omp target device_paths.cc:"), std::string::npos) << text.out;
}

double Sum(const nlohmann::json& rows, const char* member) {
  double sum = 0;
  for (const nlohmann::json& row : rows) sum += row.value(member, 0.0);
  return sum;
}

// A construct with nowait is charged with the waits elsewhere, while its task is on the device: in a team, where two
// more threads wait at the barrier, and outside of regions.
TEST(DeviceBlame, OfDeferredConstructs) {
  for (const char* mode : {"waits", "serial"}) {
    const auto recorded = Record(OnDevice(mode, 20));
    ASSERT_TRUE(recorded) << mode;
    const int waiting = mode == std::string("waits") ? 3 : 1;
    ExpectClaims(*recorded, [waiting](const Recorded& each, Claims* claims) {
      const nlohmann::json& report = each.profile.report();
      const double kernels = each.truth.elapsed.at("kernels");
      const double waited = Sum(report["waits"], "wait_ns");
      const double charged = Sum(report["device_blame"], "wait_ns");
      claims->AtLeast("time charged for each kernel's", charged / kernels / waiting, 1, 0.1);
      EXPECT_LE(charged, waited);
      double nobody = 0;
      for (const auto& [name, ns] : report["unblamed_ns"].items()) nobody += ns.get<double>();
      const double all = charged + Sum(report["functions"], "blame_ns") + nobody;
      claims->Near("time charged, or to nobody, for the time waited", all / waited, 1, 0.01);
      ASSERT_FALSE(report["device_blame"].empty());
      EXPECT_EQ(report["device_blame"][0].value("function", "").rfind("create_task [omp target device_paths.cc:", 0),
                0u);
    });
  }
}

// Of short launches, one in eight is measured. The others are as long, for the same part of the time.
TEST(DeviceBlame, StandsForShortLaunches) {
  const auto recorded = Record(OnDevice("many", 11));
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    double host = 0, waited = 0;
    for (const DeviceStats& stats : StatsOf(each.outcome.profiles[0])) {
      if (stats.work() != DEVICE_LAUNCH) continue;
      host += static_cast<double>(stats.host_ns());
      waited += static_cast<double>(stats.waited_ns());
      EXPECT_LE(stats.waited_ns(), stats.host_ns());
    }
    claims->Mostly("three tenths of the host's time are waits", waited > 0.3 * host);
  });
}

TEST(DevicesOfPprof, CopiedBytes) {
  const auto recorded = Record(OnDevice("paths", 10));
  ASSERT_TRUE(recorded);
  const Stacks copied = StacksOf(recorded->outcome.profiles[0], "copied");
  EXPECT_EQ(Under(copied, "<omp copy>"), Under(copied, "main")) << Describe(copied);
  // The result, and a small table of addresses.
  EXPECT_GE(Under(copied, "long_kernels"), 10 * 8) << Describe(copied);
  EXPECT_LE(Under(copied, "long_kernels"), 10 * 64) << Describe(copied);
  EXPECT_EQ(Under(copied, "long_kernels"), Under(copied, "short_kernels"));
}

// The values of devices are only in profiles with devices.
TEST(DevicesOfPprof, AreAbsentWithoutDevices) {
  Launch launch = OnDevice("paths", 2);
  launch.preload_also.clear();
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  pprof::Profile decoded;
  std::string error;
  ASSERT_TRUE(ExportPprof(recorded->outcome.profiles[0], {}, &decoded, &error)) << error;
  EXPECT_EQ(decoded.sample_type_size(), 4);
}

struct Operation {
  uint32_t thread;
  uint64_t begin_ns;  // by CLOCK_MONOTONIC
  uint64_t end_ns;
  DeviceWork work;
  uint64_t bytes;
};

// The timeline as it is in the file.
std::vector<Operation> OperationsOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  model::RecordLog log([&](char* buffer, size_t size) -> long {
    in.read(buffer, static_cast<std::streamsize>(size));
    return static_cast<long>(in.gcount());
  });
  EXPECT_TRUE(log.Open().ok());
  ::ompprof::Record record;
  uint64_t start_ns = 0;
  std::map<uint32_t, DeviceWork> works;
  std::vector<DeviceOperations> batches;
  while (log.Read(&record) == model::RecordLog::Next::kRecord) {
    if (record.has_header()) start_ns = record.header().start_mono_ns();
    if (record.has_device_stats()) works[record.device_stats().id()] = record.device_stats().work();
    if (record.has_device_operations()) batches.push_back(record.device_operations());
  }
  std::vector<Operation> operations;
  for (const DeviceOperations& batch : batches) {
    uint64_t at = start_ns;
    for (int i = 0; i < batch.stats_size(); ++i) {
      at += static_cast<uint64_t>(batch.begin_delta_ns(i));
      EXPECT_EQ(works.count(batch.stats(i)), 1u);
      const uint64_t bytes = i < batch.bytes_size() ? batch.bytes(i) : 0;
      operations.push_back({batch.thread(), at, at + batch.duration_ns(i), works[batch.stats(i)], bytes});
    }
  }
  return operations;
}

// Kernels by the device's log: begin and end.
std::map<uint64_t, uint64_t> LoggedKernels(const std::string& file) {
  std::map<uint64_t, uint64_t> kernels;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    unsigned long long begin = 0, end = 0;
    if (sscanf(line.c_str(), "kernel device=%*d bytes=%*u begin_ns=%llu end_ns=%llu", &begin, &end) == 2)
      kernels[begin] = end;
  }
  return kernels;
}

TEST(DeviceTimeline, HasEveryOperation) {
  Decide([](Claims* claims) {
    Launch launch = OnDevice("threads", 10);
    launch.environment["OMPPROF_TIMELINE"] = "1";
    const std::string log = NewFolder() + "/log";
    launch.environment["GOMP_REFERENCE_LOG"] = log;
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const std::vector<Operation> operations = OperationsOf(recorded->outcome.profiles[0]);
    const std::map<uint64_t, uint64_t> logged = LoggedKernels(log);
    ASSERT_EQ(logged.size(), 30u);
    std::vector<Operation> launches, kernels;
    std::set<uint32_t> threads;
    size_t copies = 0;
    for (const Operation& operation : operations) {
      if (operation.work == DEVICE_LAUNCH) (operation.thread == 0 ? kernels : launches).push_back(operation);
      if (operation.work == DEVICE_FROM_DEVICE) copies += operation.bytes >= 8;
      if (operation.thread != 0) threads.insert(operation.thread);
    }
    EXPECT_EQ(kernels.size(), 30u);
    EXPECT_EQ(launches.size(), 30u);
    EXPECT_EQ(copies, 30u);
    EXPECT_EQ(threads.size(), 3u);
    constexpr uint64_t kClocksDiffer = 50000;  // ns, if the thread keeps its processor between the two clocks
    size_t as_logged = 0;
    for (const Operation& kernel : kernels) {
      const auto next = logged.upper_bound(kernel.begin_ns + kClocksDiffer);
      ASSERT_NE(next, logged.begin());
      const auto [begin, end] = *std::prev(next);
      const auto differ = [](uint64_t one, uint64_t other) { return std::max(one, other) - std::min(one, other); };
      as_logged += differ(kernel.begin_ns, begin) <= kClocksDiffer && differ(kernel.end_ns, end) <= kClocksDiffer &&
                   std::any_of(launches.begin(), launches.end(), [&](const Operation& launched) {
                     return launched.begin_ns <= kernel.begin_ns + kClocksDiffer &&
                            kernel.end_ns <= launched.end_ns + kClocksDiffer;
                   });
    }
    claims->AtLeast("kernels as the device logged them", static_cast<double>(as_logged), 30, 6);
  });
}

// Without a trace, the launches are all there is.
TEST(DeviceTimeline, HasNoKernelsWithoutATrace) {
  Launch launch = OnDevice("paths", 3);
  launch.environment["OMPPROF_TIMELINE"] = "1";
  launch.environment["GOMP_REFERENCE_TRACE"] = "none";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  size_t launches = 0;
  for (const Operation& operation : OperationsOf(recorded->outcome.profiles[0])) {
    EXPECT_NE(operation.thread, 0u);
    launches += operation.work == DEVICE_LAUNCH;
  }
  EXPECT_EQ(launches, 6u);
}

TEST(DeviceTimeline, IsAbsentUnlessAskedFor) {
  const auto recorded = Record(OnDevice("paths", 3));
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(OperationsOf(recorded->outcome.profiles[0]).empty());
}

// exit() in a kernel: the device's thread runs the exit handlers, and the host's thread waits for it.
TEST(ExitInAKernel, EndsTheProgramAndTheProfile) {
  for (const char* trace : {"both", "none"}) {
    Launch launch = OnDevice("exit", 1);
    launch.environment["GOMP_REFERENCE_TRACE"] = trace;
    const Outcome outcome = RunProgram(launch);
    EXPECT_TRUE(outcome.Exited(3)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const model::ReadResult read = model::ReadProfile(outcome.profiles[0]);
    EXPECT_TRUE(read.profile.complete) << trace;
    uint64_t launches = 0;
    for (const DeviceStats& stats : read.profile.device_stats)
      launches += stats.work() == DEVICE_LAUNCH ? stats.count() : 0;
    EXPECT_EQ(launches, 2u);  // those that have returned
  }
}

// Only the device that runs the kernel keeps its last records.
TEST(ExitInAKernel, LeavesTheOtherDevicesTheirTraces) {
  Launch launch = OnDevice("exit", 1);
  launch.environment["GOMP_REFERENCE_DEVICES"] = "2";
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(3)) << outcome.Describe();
  uint64_t launches = 0;
  for (const DeviceStats& stats : StatsOf(outcome.profiles.at(0))) {
    if (stats.work() != DEVICE_LAUNCH || stats.device() != 2) continue;
    launches += stats.count();
    EXPECT_EQ(stats.traced(), stats.count());
  }
  EXPECT_EQ(launches, 1u);
}

// The last kernels are in the device's trace, although constructs with nowait have run before.
TEST(LastFlush, ComesOnceTasksHaveEnded) {
  const auto recorded = Record(OnDevice("nowait", 5));
  ASSERT_TRUE(recorded);
  for (const DeviceStats& stats : StatsOf(recorded->outcome.profiles[0])) {
    if (stats.work() == DEVICE_LAUNCH) {
      EXPECT_EQ(stats.traced(), stats.count());
    }
  }
}

}  // namespace
}  // namespace ompprof::testing
