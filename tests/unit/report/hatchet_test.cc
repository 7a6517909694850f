// The shape of Hatchet's literals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::report {
namespace {

using Json = nlohmann::json;
using test::MadeUpView;

TEST(Hatchet, NodesHaveFrameMetricsAndChildren) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "solve"}, .samples = 2, .weight = 1500000000, .wait = 5000, .blame = 7000});
  made_up.Add({.path = {"main"}, .samples = 1, .weight = 250000001});
  made_up.Add({.path = {}, .samples = 1, .weight = 1000});
  const Json roots = Json::parse(test::HatchetText(made_up.view));
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(roots[0]["frame"], Json({{"name", "<no stack>"}, {"type", "function"}}));
  EXPECT_EQ(roots[0]["metrics"]["time"], 1e-6);
  const Json& main = roots[1];
  EXPECT_EQ(main["frame"], Json({{"name", "main"}, {"type", "function"}, {"file", "main.c"}}));
  EXPECT_EQ(main["metrics"], Json({{"time", 0.250000001},
                                   {"time (inc)", 1.750000001},
                                   {"samples", 1},
                                   {"samples (inc)", 3},
                                   {"wait", 0},
                                   {"wait (inc)", 0.000005},
                                   {"blame", 0},
                                   {"blame (inc)", 0.000007}}));
  ASSERT_EQ(main["children"].size(), 1u);
  EXPECT_EQ(main["children"][0]["frame"]["name"], "solve");
  EXPECT_EQ(main["children"][0]["metrics"]["time"], 1.5);
  EXPECT_EQ(main["children"][0]["children"], Json::array());
}

TEST(Hatchet, EventsHaveTheirName) {
  MadeUpView made_up;
  made_up.process().sampling.weight_unit = "events";
  made_up.process().sampling.clock = "cache-misses";
  made_up.Add({.path = {"main"}, .weight = 1500});
  EXPECT_EQ(Json::parse(test::HatchetText(made_up.view))[0]["metrics"]["cache-misses (inc)"], 1500);
}

TEST(Hatchet, DeepPathsAreWritten) {
  MadeUpView made_up;
  made_up.Add({.path = std::vector<std::string>(20000, "fib")});
  const std::string text = test::HatchetText(made_up.view);
  EXPECT_GT(text.size(), 20000 * 100u);
  EXPECT_EQ(text.substr(text.size() - 6), "]}]}]\n");
}

}  // namespace
}  // namespace ompprof::report
