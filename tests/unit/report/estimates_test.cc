// Estimated sums as each report shows them. Exact sums beside them stay as they are.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/analyze/advice/answers.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/advice.h"
#include "profiler/report/sections/functions.h"
#include "profiler/report/sections/info.h"
#include "profiler/report/sections/locks.h"
#include "profiler/report/sections/overhead.h"
#include "profiler/report/sections/prediction.h"
#include "profiler/report/sections/regions.h"
#include "profiler/report/sections/states.h"
#include "profiler/report/sections/waits.h"
#include "profiler/report/whole/csv_report.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_report.h"
#include "proto/callpath_profile.pb.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

using analyze::Estimate;

constexpr OmptState kTaskwait = OmptState::kWaitTaskwait;
constexpr OmptState kExplicitBarrier = OmptState::kWaitBarrierExplicit;
constexpr char kSentence[] =
    "task waits are estimated: 4,000,000 task events would have cost more than 3 % (--max-overhead); --max-overhead=0 "
    "measures each";

// Off by that many microseconds with 95 % confidence.
Estimate OffBy(uint64_t ns, double us) { return {ns, us / 1.96 * us / 1.96}; }

TEST(Estimates, Measured) {
  EXPECT_EQ(Measured(1230000000, {}), "1.23 s");
  EXPECT_EQ(Measured(1230000000, OffBy(1, 80000)), "~1.23 s ±0.08");
  EXPECT_EQ(Measured(4500000, OffBy(1, 250)), "~4.50 ms ±0.25");
  EXPECT_EQ(Measured(4500, OffBy(1, 0.5)), "~4.50 us ±0.50");
  EXPECT_EQ(Measured(4500, {4500, 0}), "~4.50 us ±0.00");
  EXPECT_EQ(Tilde({}), "");
  EXPECT_EQ(Tilde({1, 0}), "~");
}

// 2 s of two threads' waits for tasks: estimated, 30 and 40 ms off. 1 s at barriers, exact.
struct EstimatedRun : test::MadeUpView {
  EstimatedRun() {
    process().sampling.max_overhead_permille = 30;
    process().runtimes.emplace_back();
    process().governed.push_back({CLASS_TASK, 4000000, 100000});
    region = Function("r [omp parallel r.c:1]");
    AddWait(1, kTaskwait, 1000000000, OffBy(500000000, 30000));
    AddWait(2, kTaskwait, 1000000000, OffBy(1000000000, 40000));
    AddWait(1, kExplicitBarrier, 1000000000, {});
    Add({.path = {"main", "busy"}, .samples = 10, .weight = 10000, .blame = 2000000000});
    view.samples.back().cost.blame_variance = OffBy(0, 100000).variance;
    Add({.path = {"main", "calm"}, .samples = 10, .weight = 10000, .blame = 1000000000});
    analyze::Region one{};
    one.construct = region;
    one.invocations = one.ended = 4;
    one.elapsed_ns = 3000000000;
    one.team_ns = 6000000000;
    one.useful_ns = 3000000000;
    one.useful_max_ns = 1600000000;
    one.task_wait_ns = 2000000000;
    one.barrier_wait_ns = 1000000000;
    one.estimated = 3;
    one.task_wait_estimate = OffBy(1500000000, 50000);
    view.regions.push_back(one);
  }

  void AddWait(uint32_t thread, OmptState state, uint64_t ns, const Estimate& estimate) {
    analyze::WaitTotal wait{};
    wait.thread = thread;
    wait.state = state;
    wait.region = region;
    wait.place = {region, static_cast<uint32_t>(state)};
    wait.count = 10;
    wait.total_ns = ns;
    wait.estimate = estimate;
    view.waits.push_back(wait);
  }

  std::string Json() { return JsonReport(view, analyze::Summarize(view), model::Symbolizer()); }

  analyze::FunctionId region;
};

void ExpectAll(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(Estimates, Waits) {
  ExpectAll(WaitsText(EstimatedRun().view, TextOptions(), 20),
            {"~2.00 s ±0.05", "  1.00 s", "exact except where ~estimated", "shares of ~3.00 s ±0.05"});
  EstimatedRun exact;
  for (analyze::WaitTotal& wait : exact.view.waits) wait.estimate = {};
  const std::string text = WaitsText(exact.view, TextOptions(), 20);
  EXPECT_NE(text.find("(thread time, exact; shares of 3.00 s)"), std::string::npos) << text;
  EXPECT_EQ(text.find('~'), std::string::npos) << text;
}

TEST(Estimates, States) {
  ExpectAll(StatesByThreadText(EstimatedRun().view, TextOptions()), {"~2.00 s ±0.05", "  1.00 s"});
}

TEST(Estimates, Regions) {
  ExpectAll(RegionLossesText(EstimatedRun().view, 4000000000, TextOptions()), {"~2.00 s ±0.05", "~1.50 s", "  1.00 s"});
}

// Two paths to one region. The executions on one path are estimated, those on the other are not.
struct TwoPaths : EstimatedRun {
  TwoPaths() {
    Add({.path = {"main", "one", "r [omp parallel r.c:1]"}, .weight = 2000, .wait = 70000000});
    view.samples.back().cost.wait_variance = OffBy(0, 1000).variance;
    Add({.path = {"main", "other", "r [omp parallel r.c:1]"}, .weight = 1000, .wait = 30000000});
    for (const char* name : {"one", "other"}) {
      analyze::RegionRun run{region, Path({"main", name, "r [omp parallel r.c:1]"}), {}};
      run.totals.ended = 2;
      run.totals.elapsed_ns = 1000000000;
      run.totals.team_ns = 2000000000;
      run.totals.useful_ns = 1500000000;
      run.totals.useful_max_ns = 900000000;
      run.totals.estimated = name[1] == 'n' ? 1 : 0;
      view.region_runs.push_back(run);
    }
  }
};

TEST(Estimates, RunsOfRegionsByPath) {
  TwoPaths run;
  const std::string text = RegionPathsText(run.view, TextOptions());
  ExpectAll(text, {"waited: exact except where ~estimated", "~20.0 %", "  20.0 %", "~70.00 ms ±1.00", "  30.00 ms"});
  const nlohmann::json paths = nlohmann::json::parse(run.Json())["regions"][0]["paths"];
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0]["estimated"], true);
  EXPECT_EQ(paths[0]["ci95"]["wait_ns"], 1000000);
  EXPECT_EQ(paths[0]["ci95"]["blame_ns"], 0);
  EXPECT_EQ(paths[1]["estimated"], false);
  EXPECT_EQ(paths[1]["ci95"]["wait_ns"], 0);
  // The same without an estimated wait.
  run.view.samples[2].cost.wait_variance = 0;
  EXPECT_EQ(nlohmann::json::parse(run.Json())["regions"][0]["paths"][0]["estimated"], true);
  run.view.region_runs[0].totals.estimated = 0;
  EXPECT_EQ(nlohmann::json::parse(run.Json())["regions"][0]["paths"][0]["estimated"], false);
}

TEST(Estimates, Blame) {
  const std::string text = BlameText(EstimatedRun().view, model::Symbolizer(), TextOptions(), 10);
  ExpectAll(text, {"~2.00 s ±0.10", "  1.00 s"});
}

TEST(Estimates, Locks) {
  EstimatedRun run;
  analyze::Locks locks;
  locks.thread_ns = 10000000000;
  locks.locks.resize(2);
  locks.locks[0].name = "hot";
  locks.locks[0].wait_ns = 2000000000;
  locks.locks[0].estimate = OffBy(1000, 60000);
  locks.locks[0].count = 777;
  locks.locks[1].name = "cold";
  locks.locks[1].wait_ns = 1000000000;
  locks.locks[1].count = 333;
  ExpectAll(TextLocks(run.view, locks, TextOptions()), {"~2.00 s ±0.06", "  1.00 s", "  ~777", "  333"});
  ExpectAll(CsvLocks(run.view, locks), {",waiting_ns,estimated,ci95\r\n", ",1,60000000\r\n", ",0,0\r\n"});
}

// Three threads waited that much less: a third of the error is the gain's.
TEST(Estimates, Advice) {
  EstimatedRun run;
  analyze::Advice advice{};
  advice.kind = analyze::AdviceKind::kUnevenTeam;
  advice.where = run.region;
  advice.gain_ns = 1000000000;
  advice.wait_ns = 3000000000;
  advice.of_ns = 9000000000;
  advice.threads = 3;
  EXPECT_EQ(GainText(advice), "1.00 s");
  EXPECT_EQ(AdviceEvidence(advice).find('~'), std::string::npos);
  advice.estimate = OffBy(1000, 90000);
  EXPECT_EQ(GainText(advice), "~1.00 s ±0.03");
  EXPECT_EQ(advice.gain_ci95_ns(), 30000000u);
  ExpectAll(AdviceEvidence(advice), {"~33.3 %"});
  advice.kind = analyze::AdviceKind::kContendedLock;
  advice.count = 100;
  advice.each_ns = 30000000;
  ExpectAll(AdviceEvidence(advice), {"~100 waits of ~30.00 ms on average, ~33.3 %"});
}

TEST(Estimates, Predictions) {
  analyze::Prediction prediction;
  prediction.before_ns = 10000000000;
  prediction.after_ns = 8000000000;
  EXPECT_EQ(PredictionText(prediction, "x").find('~'), std::string::npos);
  ExpectAll(PredictionJson(prediction, "x"), {"\"estimated\": false", "\"ci95\": 0"});
  prediction.estimate = OffBy(1000, 90000);
  ExpectAll(PredictionText(prediction, "x"),
            {"  10.00 s  as recorded\n  ~8.00 s ±0.09  predicted (~-20.0 %, ~1.25 times as fast)\n",
             "  estimated: the waits behind the prediction (±: 95 % confidence)"});
  ExpectAll(PredictionJson(prediction, "x"), {"\"estimated\": true", "\"ci95\": 90000000"});
  prediction.error_known = false;
  ExpectAll(PredictionText(prediction, "x"),
            {"  ~8.00 s  predicted (~-20.0 %", "The error is not known", "--max-overhead=0"});
  ExpectAll(PredictionJson(prediction, "x"), {"\"estimated\": true", "\"ci95\": null"});
}

TEST(Estimates, GovernedEventsAreReported) {
  EstimatedRun run;
  EXPECT_EQ(GovernedNotes(run.view), std::vector<std::string>{kSentence});
  TextOptions options;
  options.full = true;
  ExpectAll(TextReport(run.view, analyze::Summarize(run.view), model::Symbolizer(), options), {kSentence});
  run.process().governed[0].observed = 4000000;
  EXPECT_TRUE(GovernedNotes(run.view).empty()) << "each was measured after all";
  EXPECT_EQ(BudgetText(5), "0.5 %");
  EXPECT_EQ(ClassName(CLASS_TASK_WAIT), "task_wait");
  EXPECT_EQ(ClassName(77), "class 77") << "of a newer collector";
}

TEST(Estimates, SeveralProcessesTogether) {
  EstimatedRun run;
  run.view.run.processes.resize(2, EstimatedRun().process());
  const std::vector<GovernedEvents> governed = GovernedIn(run.view);
  ASSERT_EQ(governed.size(), 1u);
  EXPECT_EQ(governed[0].events, 8000000u);
  EXPECT_DOUBLE_EQ(governed[0].observed_fraction(), 0.025);
}

TEST(Estimates, Json) {
  ExpectAll(
      EstimatedRun().Json(),
      {"\"governed\": [\n      {\n        \"class\": \"task\",\n        \"events\": 4000000,\n        "
       "\"observed_fraction\": 0.025\n      }\n    ]",
       "\"wait_ns\": 2000000000,\n      \"estimated\": true,\n      \"ci95\": 50000000",  // states
       "\"wait_ns\": 1000000000,\n      \"estimated\": false,\n      \"ci95\": 0",
       "\"last_by_ns\": 0,\n      \"estimated\": true,\n      \"ci95\": 30000000",  // waits
       "\"estimated\": true,\n      \"ci95\": {\n        \"barrier_wait_ns\": 0,\n        \"end_wait_ns\": 0,\n    "
       "    \"task_wait_ns\": 50000000,\n        \"lock_wait_ns\": 0,\n        \"useful_ns\": 50000000",  // regions
       "\"ci95\": {\n        \"wait_ns\": 0,\n        \"blame_ns\": 100000000,\n        \"total_blame_ns\": "
       "100000000",  // functions
       kSentence});
}

TEST(Estimates, Csv) {
  EstimatedRun run;
  ExpectAll(CsvWaits(run.view), {",last_by_ns,estimated,ci95\r\n", ",1,30000000\r\n", ",0,0\r\n"});
  ExpectAll(CsvStates(run.view), {",waits,estimated,ci95\r\n", ",1,40000000\r\n", ",0,0\r\n"});
  ExpectAll(CsvRegions(run.view),
            {",estimated,barrier_wait_ci95,end_wait_ci95,task_wait_ci95,lock_wait_ci95,useful_ci95",
             ",1,0,0,50000000,0,50000000,parallel,"});
  ExpectAll(CsvFunctions(run.view, model::Symbolizer()),
            {",wait_ci95,blame_ci95,total_blame_ci95\r\n", ",0,100000000,100000000\r\n", ",0,0,0\r\n"});
}

TEST(Estimates, Info) {
  EstimatedRun run;
  ExpectAll(InfoText(run.process(), ""),
            {"may cost 3 % of the CPU time", "task: 4,000,000 events, 2.5 % of them measured"});
  JsonText json;
  InfoJson(run.process(), "x", "", &json);
  ExpectAll(json.text(), {"\"max_overhead_percent\": 3", "\"observed\": 100000"});
}

}  // namespace
}  // namespace ompprof::report
