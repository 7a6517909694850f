// Devices in the exports with a timeline: tracks of a trace, and profiles of speedscope.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/unit/analyze/made_up_devices.h"
#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::report {
namespace {

using analyze::DeviceWork;
using Json = nlohmann::json;
using test::MadeUpView;
using test::SpeedscopeText;
using test::TraceEventsText;

class DeviceExports : public ::testing::Test {
 protected:
  DeviceExports() {
    made_up_.Add({.path = {"main"}});
    made_up_.view.timed = {{0, 9000, 9000}};
  }

  // A kernel from 2 to 6 us, a copy before it, and a copy while it runs.
  void AddDevice() {
    const uint32_t kernel =
        test::AddDeviceWork(&made_up_.view, DeviceWork::kKernel, "solve", {}, made_up_.Path({"main", "solve"}));
    const uint32_t copy = test::AddDeviceWork(&made_up_.view, DeviceWork::kToDevice, "solve", {});
    made_up_.view.device_operations = {
        {kernel, 0, 2000, 6005, 0}, {copy, 1, 500, 1500, 4000}, {copy, 2, 3000, 4000, 8000}};
  }

  MadeUpView made_up_;
};

TEST_F(DeviceExports, EachDeviceHasTracks) {
  AddDevice();
  const Json trace = Json::parse(TraceEventsText(made_up_.view));
  std::vector<std::string> tracks;
  std::vector<Json> slices;
  for (const Json& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name") tracks.push_back(event["args"]["name"]);
    if (event["ph"] == "X" && event["tid"] >= 1 << 30) slices.push_back(event);
  }
  EXPECT_EQ(tracks, (std::vector<std::string>{"thread 1", "device 0 (reference)",
                                              "device 0 (reference), at the same time (1)"}));
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0]["name"], "copy to the device");
  EXPECT_EQ(slices[0]["cat"], "to device");
  EXPECT_EQ(slices[0]["ts"], 0.5);
  EXPECT_EQ(slices[0]["dur"], 1);
  EXPECT_EQ(slices[0]["args"]["bytes"], 4000);
  EXPECT_EQ(slices[0]["args"]["MB/s"], 4000);
  EXPECT_EQ(slices[0]["args"]["construct"], "solve [omp target a.c:7]");
  EXPECT_EQ(slices[1]["name"], "solve [omp target a.c:7]");
  EXPECT_EQ(slices[1]["cat"], "kernel");
  EXPECT_EQ(slices[1]["dur"], 4.005);
  EXPECT_EQ(slices[0]["tid"], slices[1]["tid"]);
  EXPECT_NE(slices[1]["tid"], slices[2]["tid"]);
}

TEST_F(DeviceExports, EachDeviceHasAProfile) {
  AddDevice();
  const Json all = Json::parse(SpeedscopeText(made_up_.view));
  ASSERT_EQ(all["profiles"].size(), 3u);
  const Json& device = all["profiles"][1];
  EXPECT_EQ(device["name"], "device 0 (reference)");
  EXPECT_EQ(device["weights"], Json({500, 1000, 500, 4005}));
  EXPECT_EQ(device["endValue"], 9000);
  std::vector<std::string> stacks;
  for (const Json& stack : device["samples"]) {
    std::string text;
    for (const Json& frame : stack)
      text += all["shared"]["frames"][frame.get<size_t>()]["name"].get<std::string>() + ";";
    stacks.push_back(text);
  }
  EXPECT_EQ(stacks,
            (std::vector<std::string>{"", "solve [omp target a.c:7];copy to the device;", "", "main;solve;kernel;"}));
  EXPECT_EQ(all["profiles"][2]["name"], "device 0 (reference), at the same time (1)");
}

TEST_F(DeviceExports, WithoutDevicesNothingIsThere) {
  EXPECT_EQ(TraceEventsText(made_up_.view).find("device"), std::string::npos);
  EXPECT_EQ(Json::parse(SpeedscopeText(made_up_.view))["profiles"].size(), 1u);
}

}  // namespace
}  // namespace ompprof::report
