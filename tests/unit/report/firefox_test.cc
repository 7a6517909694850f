// The tables of a processed profile; tests/integration/report/formats_test.py reads them by the Firefox Profiler's
// loader.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/analyze/view/state_kind.h"
#include "profiler/model/symbolizer.h"
#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::report {
namespace {

using Json = nlohmann::json;
using test::MadeUpView;

Json Export(const analyze::View& view) {
  const model::Symbolizer symbolizer;
  return Json::parse(test::FirefoxText(view, symbolizer));
}

// Each column is as long as the table says.
void ExpectColumns(const Json& table) {
  for (const auto& [name, column] : table.items()) {
    if (column.is_array()) {
      EXPECT_EQ(column.size(), table["length"]) << name;
    }
  }
}

// "inner < outer", with the category of the innermost frame.
std::string StackText(const Json& all, const Json& stack) {
  const Json& shared = all["shared"];
  std::string text;
  std::string category;
  for (Json at = stack; !at.is_null(); at = shared["stackTable"]["prefix"][at.get<size_t>()]) {
    const auto frame = shared["stackTable"]["frame"][at.get<size_t>()].get<size_t>();
    const auto function = shared["frameTable"]["func"][frame].get<size_t>();
    const auto name = shared["funcTable"]["name"][function].get<size_t>();
    if (text.empty()) {
      const auto number = shared["frameTable"]["category"][frame].get<size_t>();
      category = all["meta"]["categories"][number]["name"].get<std::string>();
    }
    text += (text.empty() ? "" : " < ") + shared["stringArray"][name].get<std::string>();
  }
  return text.empty() ? "none" : text + " (" + category + ")";
}

std::vector<std::string> Stacks(const Json& all, size_t thread) {
  std::vector<std::string> texts;
  for (const Json& stack : all["threads"][thread]["samples"]["stack"]) texts.push_back(StackText(all, stack));
  return texts;
}

class FirefoxTest : public ::testing::Test {
 protected:
  FirefoxTest() {
    made_up_.process().program = "/bin/heat";
    made_up_.Add({.path = {"main", "solve|inner"}, .weight = 1500000});
    made_up_.Add({.path = {"main", "<omp barrier>"}, .weight = 250001});
    made_up_.Add({.path = {}, .weight = 1000000, .thread = 2});
  }

  MadeUpView made_up_;
};

TEST_F(FirefoxTest, TablesFitTogether) {
  const Json all = Export(made_up_.view);
  for (const char* table : {"stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols", "sources"})
    ExpectColumns(all["shared"][table]);
  for (const Json& thread : all["threads"]) {
    ExpectColumns(thread["samples"]);
    ExpectColumns(thread["markers"]);
  }
  EXPECT_EQ(all["meta"]["product"], "heat");
  EXPECT_EQ(Stacks(all, 0),
            (std::vector<std::string>{"inner < solve < main (Program)", "<omp barrier> < main (Waiting)"}));
  EXPECT_EQ(Stacks(all, 1), (std::vector<std::string>{"none"}));
}

TEST_F(FirefoxTest, UntimedSamplesFollowEachOther) {
  const Json samples = Export(made_up_.view)["threads"][0]["samples"];
  EXPECT_EQ(samples["time"], Json({0, 1.5}));
  EXPECT_EQ(samples["weight"], Json({1.5, 0.250001}));
  EXPECT_EQ(samples["weightType"], "tracing-ms");
  EXPECT_EQ(samples["threadCPUDelta"], Json({1500000, 250001}));
}

TEST_F(FirefoxTest, ATimelineHasTimesAndWaits) {
  made_up_.process().sampling.timeline = true;
  made_up_.Add({.path = {"main", "<omp barrier>"},
                .samples = 0,
                .weight = 0,
                .state = OmptState::kWaitBarrier,
                .region = "solve [omp parallel a.c:1]"});
  made_up_.view.samples.back().interval = true;
  made_up_.view.timed = {{0, 7000000, 1500000}, {3, 9500000, 2000000}};
  const Json all = Export(made_up_.view);
  ASSERT_EQ(all["threads"].size(), 1u);
  const Json& thread = all["threads"][0];
  EXPECT_EQ(thread["samples"]["time"], Json({7}));
  EXPECT_EQ(thread["samples"]["weight"], Json({1.5}));
  const Json& waits = thread["markers"];
  EXPECT_EQ(all["shared"]["stringArray"][waits["name"][0].get<size_t>()], "wait_barrier");
  EXPECT_EQ(waits["startTime"], Json({7.5}));
  EXPECT_EQ(waits["endTime"], Json({9.5}));
  EXPECT_EQ(waits["data"][0]["region"], "solve [omp parallel a.c:1]");
}

TEST_F(FirefoxTest, TimeInMpiHasACategory) {
  made_up_.Add({.path = {"main", "<mpi MPI_Recv>"}, .weight = 1, .state = analyze::kStateMpi});
  EXPECT_EQ(Stacks(Export(made_up_.view), 0).back(), "<mpi MPI_Recv> < main (MPI)");
}

TEST_F(FirefoxTest, EventsAreNoTime) {
  made_up_.process().sampling.weight_unit = "events";
  const Json samples = Export(made_up_.view)["threads"][0]["samples"];
  EXPECT_EQ(samples["weightType"], "samples");
  EXPECT_EQ(samples["weight"], Json({1500000, 250001}));
  EXPECT_FALSE(samples.contains("threadCPUDelta"));
}

}  // namespace
}  // namespace ompprof::report
