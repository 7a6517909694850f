// Counted events in each report: columns, instructions per cycle, the header's sentence, JSON, CSV and pprof. Figures
// are made up.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/report/annotate/annotation.h"
#include "profiler/report/sections/counts.h"
#include "profiler/report/sections/functions.h"
#include "profiler/report/sections/regions.h"
#include "profiler/report/whole/csv_report.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_header.h"
#include "proto/pprof_profile.pb.h"
#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::report {
namespace {

using Json = nlohmann::json;

constexpr char kRegion[] = "solve [omp parallel a.c:1]";

class CountsTest : public ::testing::Test {
 protected:
  CountsTest() {
    run_.view.counted = {{"cycles", 0}, {"instructions", 2}, {"cache-misses", 1}};
    Add({.path = {"main", kRegion, "stream"}, .samples = 3, .weight = 3000, .region = kRegion},
        {800000000, 1000000, 400000000});
    Add({.path = {"main", kRegion, "compute"}, .samples = 1, .weight = 1000, .region = kRegion},
        {400000000, 100000, 2000000000});
    Add({.path = {"main"}, .samples = 1, .weight = 1000}, {});
    analyze::Region region{};
    region.construct = run_.Function(kRegion);
    region.weight = 4000;
    region.invocations = 1;
    region.counts = {1200000000, 1100000, 2400000000};
    run_.view.regions.push_back(region);
    run_.process().duration_ns = 176000000;
  }

  void Add(const test::MadeUpSample& sample, const analyze::Counts& counts) {
    run_.Add(sample);
    run_.view.samples.back().cost.counts = counts;
    model::AddCounts(counts, &run_.view.total_counts);
  }

  std::string Header() { return TextHeader(run_.view, analyze::Summarize(run_.view), /*filtered=*/false, Style()); }
  Json Report() {
    return Json::parse(JsonReport(run_.view, analyze::Summarize(run_.view), symbolizer_, nullptr, std::nullopt));
  }
  static Json Named(const Json& rows, const std::string& name) {
    for (const Json& row : rows) {
      if (row["name"] == name) return row;
    }
    return nullptr;
  }

  test::MadeUpView run_;
  model::Symbolizer symbolizer_;
};

TEST_F(CountsTest, Sentence) {
  EXPECT_EQ(CountsText(run_.view, 176000000),
            "cycles 1.20 G, instructions 2.40 G (2.00 per cycle), cache-misses 1.10 M (about 64 B each: 0.40 GB/s)");
  EXPECT_NE(Header().find("counted   cycles 1.20 G, instructions 2.40 G (2.00 per cycle), cache-misses 1.10 M (about "
                          "64 B each: 0.40 GB/s)\n"),
            std::string::npos)
      << Header();
  // The wall time is that of the whole run.
  run_.view.selection.thread = 1;
  EXPECT_EQ(CountsText(run_.view, 176000000),
            "cycles 1.20 G, instructions 2.40 G (2.00 per cycle), cache-misses 1.10 M");
  run_.view.counted = {{"instructions", 2}};
  EXPECT_EQ(CountsText(run_.view, 176000000), "instructions 2.40 G") << "without cycles";
}

TEST_F(CountsTest, FunctionsHaveColumns) {
  const std::string text = FunctionsText(run_.view, symbolizer_, TextOptions(), 10);
  EXPECT_NE(text.find("cycles  instructions  cache-misses   IPC  function"), std::string::npos) << text;
  EXPECT_NE(text.find("800.00 M      400.00 M        1.00 M  0.50  stream"), std::string::npos) << text;
  EXPECT_NE(text.find("400.00 M        2.00 G      100.00 k  5.00  compute"), std::string::npos) << text;
  EXPECT_NE(text.find("       0             0             0     -  main"), std::string::npos) << text;
}

TEST_F(CountsTest, RegionsHaveColumns) {
  const std::string text = RegionsText(run_.view, TextOptions());
  EXPECT_NE(text.find("cycles  instructions  cache-misses   IPC  parallel region"), std::string::npos) << text;
  EXPECT_NE(text.find("1.20 G        2.40 G        1.10 M  2.00  solve"), std::string::npos) << text;
}

TEST_F(CountsTest, NoIpcWithoutCycles) {
  run_.view.counted.erase(run_.view.counted.begin());
  const std::string text = FunctionsText(run_.view, symbolizer_, TextOptions(), 10);
  EXPECT_NE(text.find("instructions  cache-misses  function"), std::string::npos) << text;
  EXPECT_FALSE(Report().contains("ipc"));
}

TEST_F(CountsTest, LinesHaveColumns) {
  std::vector<bool> wanted(run_.view.frames.function_count());
  wanted[run_.Function("compute")] = true;
  AnnotateOptions options;
  options.source = true;
  const analyze::Annotation annotation = analyze::Annotate(run_.view, wanted);
  const std::string text = AnnotateText(run_.view, annotation, "compute", &symbolizer_, options);
  EXPECT_NE(text.find("cycles  instructions  cache-misses   IPC"), std::string::npos) << text;
  EXPECT_NE(text.find("400.00 M        2.00 G      100.00 k  5.00"), std::string::npos) << text;
  const Json json = Json::parse(AnnotateJson(run_.view, annotation, "compute", &symbolizer_, options));
  EXPECT_EQ(json["files"][0]["lines"][0]["counts"]["instructions"], 2000000000);
  EXPECT_EQ(json["files"][0]["lines"][0]["ipc"], 5);
}

TEST_F(CountsTest, JsonHasObjects) {
  const Json report = Report();
  EXPECT_EQ(report["counts"], (Json{{"cycles", 1200000000}, {"instructions", 2400000000}, {"cache-misses", 1100000}}));
  EXPECT_EQ(report["ipc"], 2);
  const Json stream = Named(report["functions"], "stream");
  EXPECT_EQ(stream["counts"], (Json{{"cycles", 800000000}, {"instructions", 400000000}, {"cache-misses", 1000000}}));
  EXPECT_EQ(stream["ipc"], 0.5);
  const Json main = Named(report["functions"], "main");
  EXPECT_EQ(main["counts"]["cycles"], 0);
  EXPECT_FALSE(main.contains("ipc"));
  EXPECT_EQ(main["total_counts"]["cycles"], 1200000000);
  EXPECT_EQ(report["regions"][0]["counts"]["cache-misses"], 1100000);
  EXPECT_EQ(report["regions"][0]["ipc"], 2);
}

TEST_F(CountsTest, CsvHasColumns) {
  const std::string functions = CsvFunctions(run_.view, symbolizer_);
  EXPECT_NE(functions.find(",cycles,instructions,cache-misses,ipc\r\n"), std::string::npos) << functions;
  EXPECT_NE(functions.find(",800000000,400000000,1000000,0.5\r\n"), std::string::npos) << functions;
  const std::string regions = CsvRegions(run_.view);
  EXPECT_NE(regions.find(",1200000000,2400000000,1100000,2"), std::string::npos) << regions;
}

// Profiles without counts are as they always were.
TEST_F(CountsTest, NothingWithoutCounts) {
  run_.view.counted.clear();
  EXPECT_EQ(CountsText(run_.view, 1000), "");
  EXPECT_EQ(Header().find("counted"), std::string::npos);
  EXPECT_EQ(FunctionsText(run_.view, symbolizer_, TextOptions(), 10).find("IPC"), std::string::npos);
  const Json report = Report();
  EXPECT_FALSE(report.contains("counts"));
  EXPECT_FALSE(report["functions"][0].contains("counts"));
  EXPECT_FALSE(report["functions"][0].contains("total_counts"));
  EXPECT_FALSE(report["regions"][0].contains("counts"));
}

TEST_F(CountsTest, PprofHasSampleTypes) {
  pprof::Profile profile;
  ASSERT_TRUE(profile.ParseFromString(test::Unzipped(test::PprofBytes(run_.view, symbolizer_))));
  const auto text = [&](int64_t index) { return profile.string_table(static_cast<int>(index)); };
  std::vector<std::string> types;
  for (const pprof::ValueType& type : profile.sample_type())
    types.push_back(text(type.type()) + "/" + text(type.unit()));
  EXPECT_EQ(types,
            (std::vector<std::string>{"samples/count", "cpu/nanoseconds", "wait/nanoseconds", "blame/nanoseconds",
                                      "cycles/count", "instructions/count", "cache-misses/count"}));
  ASSERT_EQ(profile.sample_size(), 3);
  EXPECT_EQ(profile.sample(0).value_size(), 7);
  EXPECT_EQ(profile.sample(0).value(4), 800000000);
  EXPECT_EQ(profile.sample(0).value(5), 400000000);
  EXPECT_EQ(profile.sample(0).value(6), 1000000);
}

}  // namespace
}  // namespace ompprof::report
