// Operations of devices: from records to the rows of a timeline, and to the call paths that asked for them.
#include "profiler/analyze/account/device_timeline.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "profiler/analyze/builder/build_view.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Team;

// Row, begin and end in microseconds, bytes.
using Slice = std::tuple<uint32_t, uint64_t, uint64_t, uint64_t>;

std::vector<Slice> SlicesOf(const View& view, const DeviceTimeline& timeline) {
  std::vector<Slice> slices;
  for (const DeviceSlice& slice : timeline.slices) {
    const DeviceOperation& operation = view.device_operations[slice.operation];
    slices.emplace_back(slice.row, operation.begin_ns / 1000, operation.end_ns / 1000, operation.bytes);
  }
  return slices;
}

std::string Text(const View& view, PathId path) {
  std::string text;
  for (const LocationId id : view.paths.Locations(path)) {
    const std::string& name = view.frames.function(view.frames.line(view.frames.location(id).first_line).function).name;
    text +=
        (text.empty() ? "" : ";") + name.substr(0, name.find(" [") + (name.find(" [") == std::string::npos ? 0 : 13));
  }
  return text;
}

class DeviceTimelineTest : public ::testing::Test {
 protected:
  DeviceTimelineTest() {
    team_.builder.AddDevice(1, "reference");
    const uint32_t main = team_.Frames(1, team_.Root(1), {"in_main"});
    compute_ = team_.Frames(1, main, {"in_compute"});
    main_ = main;
  }

  void Stats(uint32_t id, DeviceWork work, uint32_t node, uint32_t device = 1) {
    const int kinds[] = {0, DEVICE_TARGET, 0, 0, 0, DEVICE_LAUNCH, 0, DEVICE_TO_DEVICE, DEVICE_FROM_DEVICE, 0};
    team_.builder.AddDeviceStats({.device = device,
                                  .work = static_cast<ompprof::DeviceWork>(kinds[static_cast<int>(work)]),
                                  .codeptr = team_.At("in_compute"),
                                  .count = 2,
                                  .host_ns = 1000,
                                  .tree = 1,
                                  .node = node,
                                  .id = id});
  }

  Team team_;
  uint32_t main_;
  uint32_t compute_;
};

TEST_F(DeviceTimelineTest, OperationsAtTheSameTimeHaveRowsOfTheirOwn) {
  Stats(1, DeviceWork::kKernel, compute_);
  Stats(2, DeviceWork::kToDevice, compute_);
  team_.builder.AddDeviceOperations(1, {{2, 0, 10, 64}, {1, 10, 50}, {2, 20, 10, 32}, {2, 70, 5, 16}});
  team_.builder.AddDeviceOperations(2, {{2, 25, 10, 8}});
  team_.Build();
  const std::vector<DeviceTimeline> timelines = DeviceTimelines(team_.view);
  ASSERT_EQ(timelines.size(), 1u);
  EXPECT_EQ(timelines[0].type, "reference");
  EXPECT_EQ(timelines[0].rows, 3u);
  EXPECT_EQ(SlicesOf(team_.view, timelines[0]),
            (std::vector<Slice>{{0, 0, 10, 64}, {0, 10, 60, 0}, {1, 20, 30, 32}, {2, 25, 35, 8}, {0, 70, 75, 16}}));
}

// The launch as the host measures it is in the profile as well.
TEST_F(DeviceTimelineTest, AKernelOfTheTraceReplacesItsLaunch) {
  Stats(1, DeviceWork::kKernel, compute_);
  Stats(2, DeviceWork::kKernel, main_);
  team_.builder.AddDeviceOperations(1, {{1, 0, 30}, {2, 40, 30}});
  team_.builder.AddDeviceOperations(0, {{1, 5, 20}});
  team_.Build();
  EXPECT_EQ(SlicesOf(team_.view, DeviceTimelines(team_.view)[0]), (std::vector<Slice>{{0, 5, 25, 0}, {0, 40, 70, 0}}));
}

// Constructs contain operations, and regions on the host are on no device.
TEST_F(DeviceTimelineTest, HasOnlyWhatDevicesDo) {
  Stats(1, DeviceWork::kTarget, compute_);
  Stats(2, DeviceWork::kKernel, compute_, 0);
  team_.builder.AddDeviceOperations(1, {{1, 0, 30}, {2, 40, 30}});
  team_.Build();
  EXPECT_EQ(team_.view.device_operations.size(), 2u);
  EXPECT_TRUE(DeviceTimelines(team_.view).empty());
}

TEST_F(DeviceTimelineTest, UnknownKindsAreCounted) {
  Stats(1, DeviceWork::kKernel, compute_);
  team_.builder.AddDeviceOperations(1, {{1, 0, 30}, {9, 40, 30}});
  team_.Build();
  EXPECT_EQ(team_.view.device_operations.size(), 1u);
  ASSERT_FALSE(team_.view.warnings.empty());
  EXPECT_NE(team_.view.warnings.back().find("1 operations of devices"), std::string::npos);
}

TEST_F(DeviceTimelineTest, EachLaunchIsUnderItsCallPath) {
  Stats(1, DeviceWork::kKernel, compute_);
  Stats(2, DeviceWork::kKernel, main_);
  Stats(3, DeviceWork::kKernel, 0);
  team_.Build();
  ASSERT_EQ(team_.view.device_work.size(), 1u);
  EXPECT_EQ(team_.view.device_work[0].count, 6u);
  ASSERT_EQ(team_.view.device_paths.size(), 3u);
  EXPECT_EQ(Text(team_.view, team_.view.device_paths[0].path), "main;compute;compute [omp target ");
  EXPECT_EQ(Text(team_.view, team_.view.device_paths[1].path), "main;compute [omp target ");
  EXPECT_EQ(team_.view.device_paths[2].path, kEmptyPath);
  for (const DevicePathTotal& path : team_.view.device_paths) EXPECT_EQ(path.count, 2u);
}

TEST_F(DeviceTimelineTest, SeveralProcessesHaveOneTime) {
  Stats(1, DeviceWork::kKernel, compute_);
  team_.builder.AddDeviceOperations(1, {{1, 5, 30}});
  team_.Build();
  model::ProcessProfile later = team_.read.profile;
  later.header.set_start_unix_ns(team_.read.profile.header.start_unix_ns() + 7000);
  model::Symbolizer symbolizer;
  const View view = BuildView({&later, &team_.read.profile}, ViewKind::kUser, &symbolizer);
  const std::vector<DeviceTimeline> timelines = DeviceTimelines(view);
  ASSERT_EQ(timelines.size(), 2u);
  EXPECT_EQ(SlicesOf(view, timelines[0]), (std::vector<Slice>{{0, 12, 42, 0}}));
  EXPECT_EQ(SlicesOf(view, timelines[1]), (std::vector<Slice>{{0, 5, 35, 0}}));
}

}  // namespace
}  // namespace ompprof::analyze
