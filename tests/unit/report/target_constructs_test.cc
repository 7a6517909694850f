// Target constructs in the table of regions: text, CSV and JSON. The call paths of kernels.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/analyze/compare/diff.h"
#include "profiler/report/diff/diff.h"
#include "profiler/report/sections/devices.h"
#include "profiler/report/sections/regions.h"
#include "profiler/report/whole/csv_report.h"
#include "tests/unit/analyze/made_up_devices.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

using analyze::DeviceWork;
using Json = nlohmann::json;

constexpr uint64_t kMs = 1000000;

class TargetConstructs : public ::testing::Test {
 protected:
  TargetConstructs() {
    Add(DeviceWork::kTarget, 3, 900, 0, 0);
    Add(DeviceWork::kKernel, 3, 600, 500, 0);
    Add(DeviceWork::kToDevice, 6, 200, 100, 4000000);
    analyze::Region region;
    region.construct = made_up_.Function("loop");
    region.invocations = 7;
    made_up_.view.regions.push_back(region);
  }

  // main, `caller`, the construct.
  analyze::PathId PathTo(const std::string& caller) {
    const analyze::FunctionId construct =
        made_up_.view.frames.AddFunction({"solve [omp target a.c:7]", "", "a.c", 7, 0});
    return made_up_.view.paths.Child(made_up_.Path({"main", caller}), made_up_.view.frames.AddSynthesized(construct));
  }

  void Add(DeviceWork work, uint64_t count, uint64_t ms, uint64_t waited_ms, uint64_t bytes) {
    analyze::DeviceWorkTotal total{};
    total.count = count;
    total.host_ns = ms * kMs;
    total.longest_ns = ms * kMs / count;
    total.waited_ns = waited_ms * kMs;
    total.bytes = bytes;
    test::AddDeviceWork(&made_up_.view, work, "solve", total, PathTo("solve"));
  }

  test::MadeUpView made_up_;
};

TEST_F(TargetConstructs, AreElementsOfTheirOwnInJson) {
  JsonText text;
  text.BeginObject();
  JsonRegions(made_up_.view, &text);
  text.EndObject();
  const Json regions = Json::parse(text.text())["regions"];
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0]["kind"], "parallel");
  const Json& target = regions[1];
  EXPECT_EQ(target["kind"], "target");
  EXPECT_EQ(target["name"], "solve [omp target a.c:7]");
  EXPECT_EQ(target["function"], "solve");
  EXPECT_EQ(target["device"], 0);
  EXPECT_EQ(target["invocations"], 3);
  EXPECT_EQ(target["launches"], 3);
  EXPECT_EQ(target["elapsed_ns"], 900 * kMs);
  EXPECT_EQ(target["elapsed_max_ns"], 300 * kMs);
  EXPECT_EQ(target["host_wait_ns"], 600 * kMs);
  EXPECT_EQ(target["kernel_ns"], 600 * kMs);
  EXPECT_EQ(target["copy_ns"], 200 * kMs);
  EXPECT_EQ(target["copied_bytes"], 4000000);
  EXPECT_FALSE(target.contains("imbalance"));
}

std::vector<std::string> Cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '"' && c != '\r')
      cells.back() += c;
  }
  return cells;
}

TEST_F(TargetConstructs, AreRowsOfTheSameTableInCsv) {
  std::vector<std::vector<std::string>> rows;
  const std::string csv = CsvRegions(made_up_.view);
  for (size_t at = 0; at < csv.size();) {
    const size_t end = csv.find('\n', at);
    rows.push_back(Cells(csv.substr(at, end - at)));
    at = end + 1;
  }
  ASSERT_EQ(rows.size(), 3u);
  const auto cell = [&](size_t row, const std::string& name) {
    for (size_t i = 0; i < rows[0].size(); ++i) {
      if (rows[0][i] == name) return rows[row].at(i);
    }
    return "no column " + name;
  };
  EXPECT_EQ(rows[1].size(), rows[0].size());
  EXPECT_EQ(rows[2].size(), rows[0].size());
  EXPECT_EQ(cell(1, "kind"), "parallel");
  EXPECT_EQ(cell(1, "invocations"), "7");
  EXPECT_EQ(cell(1, "launches"), "0");
  EXPECT_EQ(cell(2, "kind"), "target");
  EXPECT_EQ(cell(2, "function"), "solve");
  EXPECT_EQ(cell(2, "invocations"), "3");
  EXPECT_EQ(cell(2, "elapsed_ns"), "900000000");
  EXPECT_EQ(cell(2, "imbalance"), "0");
  EXPECT_EQ(cell(2, "host_wait_ns"), "600000000");
}

TEST_F(TargetConstructs, AreATableInText) {
  const std::string text = TargetsText(made_up_.view, {});
  for (const char* part : {"host waited", "900.00 ms", "600.00 ms", "200.00 ms", "solve [omp target a.c:7]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  EXPECT_EQ(TargetsText(test::MadeUpView().view, {}), "");
}

TEST_F(TargetConstructs, OnTheHostAreSaid) {
  test::MadeUpView made_up;
  analyze::DeviceWorkTotal total{};
  total.count = 2;
  test::AddDeviceWork(&made_up.view, DeviceWork::kTarget, "solve", total, analyze::kEmptyPath, 0);
  EXPECT_NE(TargetsText(made_up.view, {}).find("host  "), std::string::npos) << TargetsText(made_up.view, {});
}

TEST_F(TargetConstructs, AreComparedBetweenRuns) {
  analyze::ViewSample sample{};
  sample.state = OmptState::kWaitTarget;
  sample.path = made_up_.view.paths.Child(
      made_up_.view.paths.Child(made_up_.Path({"main"}),
                                made_up_.view.frames.AddSynthesized(made_up_.view.device_work[0].construct)),
      made_up_.view.frames.AddPseudo("<omp target>"));
  sample.cost.samples = 2;
  sample.cost.weight = 5 * kMs;
  made_up_.view.samples.push_back(sample);
  const analyze::RunFigures run = analyze::MeasureRun(made_up_.view);
  ASSERT_EQ(run.regions.size(), 2u);
  EXPECT_EQ(run.regions[1].name, "solve [omp target a.c:7]");
  EXPECT_EQ(run.regions[1].elapsed.value, 900.0 * kMs);
  EXPECT_EQ(run.regions[1].wait.value, 600.0 * kMs);
  EXPECT_EQ(run.regions[1].cpu.value, 5.0 * kMs);
  analyze::RunFigures later = run;
  later.regions[1].elapsed.value *= 9;
  const analyze::Diff diff = analyze::Compare({run}, {later});
  EXPECT_EQ(diff.regions.size(), 2u);
  EXPECT_NE(DiffText(diff, "before", "after", {}).find("Parallel regions and target constructs"), std::string::npos);
}

TEST_F(TargetConstructs, KernelsHaveTheirCallPaths) {
  JsonText text;
  text.BeginObject();
  JsonDevices(made_up_.view, &text);
  text.EndObject();
  const Json kernel = Json::parse(text.text())["devices"][0]["kernels"][0];
  ASSERT_EQ(kernel["paths"].size(), 1u);
  EXPECT_EQ(kernel["paths"][0]["callers"], Json({"main", "solve"}));
  EXPECT_EQ(kernel["paths"][0]["launches"], 3);
  EXPECT_EQ(kernel["paths"][0]["time_ns"], 600 * kMs);
}

TEST_F(TargetConstructs, TheLongestPathOfKernelsComesFirst) {
  analyze::DevicePathTotal longer{1, PathTo("other")};
  longer.host_ns = 700 * kMs;
  made_up_.view.device_paths.push_back(longer);
  JsonText text;
  text.BeginObject();
  JsonDevices(made_up_.view, &text);
  text.EndObject();
  const Json paths = Json::parse(text.text())["devices"][0]["kernels"][0]["paths"];
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0]["callers"], Json({"main", "other"}));
}

}  // namespace
}  // namespace ompprof::report
