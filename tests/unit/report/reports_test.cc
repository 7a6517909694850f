// One small profile as each report shows it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_report.h"
#include "proto/ompt_state.h"
#include "proto/pprof_profile.pb.h"
#include "tests/unit/analyze/team.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::report {
namespace {

using test::FoldedText;
using test::PprofBytes;
using test::Team;

TextOptions AllTables() {
  TextOptions options;
  options.full = true;
  return options;
}

// A worker in a region, 3 samples of 1.5 ms in `compute` and 1 of 0.5 ms at the barrier.
class ReportsTest : public ::testing::Test {
 protected:
  ReportsTest() {
    team_.builder.AddThread(1, Thread::INITIAL, 1000000);
    team_.builder.AddThread(2, Thread::WORKER, 2000000);
    const uint32_t main = team_.Frames(1, team_.Root(1), {"in_main"});
    team_.builder.AddContext(1, team_.At("main_fork"), 1, main);
    const uint32_t worker = team_.Frames(2, team_.Root(2), {"~in_runtime"});
    const uint32_t task = team_.builder.AddNode(2, worker, NODE_IMPLICIT_TASK, team_.At("main_fork"));
    const uint32_t compute = team_.Frames(2, task, {"in_region", "in_compute"});
    team_.builder.AddSample({.tree = 2,
                             .node = compute,
                             .thread = 2,
                             .state = OmptState::kWorkParallel,
                             .splice = 1,
                             .region = 1,
                             .wait_id = 0,
                             .samples = 3,
                             .weight = 1500000});
    team_.builder.AddSample({.tree = 2,
                             .node = worker,
                             .thread = 2,
                             .state = OmptState::kWaitBarrierImplicit,
                             .splice = 1,
                             .region = 1,
                             .wait_id = 77,
                             .samples = 1,
                             .weight = 500000});
    Record record;
    record.mutable_region_stats()->set_codeptr_ra(team_.At("main_fork"));
    record.mutable_region_stats()->set_invocations(4);
    record.mutable_region_stats()->set_ended(4);
    record.mutable_region_stats()->set_elapsed_ns(1000000);
    record.mutable_region_stats()->set_actual_sum(8);
    record.mutable_region_stats()->set_actual_min(2);
    record.mutable_region_stats()->set_actual_max(2);
    record.mutable_region_stats()->set_requested_min(4);
    record.mutable_region_stats()->set_requested_max(4);
    // Two threads for 1 ms: one works 900 us, the other 600 us and waits 250 us at the end.
    record.mutable_region_stats()->set_useful_ns(1500000);
    record.mutable_region_stats()->set_useful_max_ns(900000);
    record.mutable_region_stats()->set_useful_min_ns(600000);
    record.mutable_region_stats()->set_end_wait_ns(250000);
    record.mutable_region_stats()->set_team_ns(2000000);
    team_.builder.Append(record);
    team_.builder.AddFooter(4, 3000000);
    team_.Build();
    summary_ = analyze::Summarize(team_.view);
  }

  std::string Text(const TextOptions& options) { return TextReport(team_.view, summary_, team_.symbolizer, options); }

  Team team_;
  analyze::Summary summary_;
};

TEST_F(ReportsTest, MostImportantTables) {
  const std::string text = Text(AllTables());
  EXPECT_EQ(text.substr(0, 7), "./team\n");
  EXPECT_NE(text.find("samples   4, 2.00 ms in all; 0 lost\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1.50 ms  75.0 %  ±38.8 %        3  work in regions\n"), std::string::npos) << text;
  EXPECT_NE(text.find("2.00 ms  100.0 %  ±36.7 %  1.00 ms     4     2      4     20.0 %  12.5 %  main [omp parallel "
                      "team.c:42]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("at end: the team's time spent waiting for its last thread"), std::string::npos) << text;
  EXPECT_NE(text.find("compute  team.c:10\n"), std::string::npos) << text;
  EXPECT_NE(text.find("no OMPT"), std::string::npos) << text;
}

TEST_F(ReportsTest, Tree) {
  TextOptions options;
  options.tree = true;
  const std::string text = Text(options);
  EXPECT_NE(text.find("main\n"), std::string::npos);
  EXPECT_NE(text.find("└ main [omp parallel team.c:42]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  ├ compute\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  └ <omp barrier: implicit>\n"), std::string::npos) << text;
  options.min_percent = 50;
  EXPECT_NE(Text(options).find("500.00 us (25.0 %) is in branches too small to show"), std::string::npos);
}

TEST_F(ReportsTest, TheLimitCountsRowsOfTheTree) {
  TextOptions options;
  options.tree = true;
  options.limit = 3;
  const std::string text = Text(options);
  EXPECT_NE(text.find("main\n"), std::string::npos) << text;
  EXPECT_NE(text.find("└ compute\n"), std::string::npos) << "the last row that is shown: " << text;
  EXPECT_EQ(text.find("<omp barrier: implicit>"), std::string::npos) << text;
  EXPECT_NE(text.find("500.00 us (25.0 %) is in branches not shown; --min-percent=0 --limit=0 shows them"),
            std::string::npos)
      << text;
}

TEST_F(ReportsTest, TheLimitCountsRowsOfTheTables) {
  TextOptions options = AllTables();
  options.limit = 1;
  const std::string text = Text(options);
  EXPECT_NE(text.find("work in regions\n  ... and 1 more states (--limit=N shows N)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("more functions (--limit=N shows N)\n"), std::string::npos) << text;
}

// compute calls leaf, which calls compute again.
TEST_F(ReportsTest, TreeFoldsRecursion) {
  const auto sample = [this](const std::vector<std::string>& labels) {
    const uint32_t node = team_.Frames(3, team_.Root(3), labels);
    team_.builder.AddSample({.tree = 3, .node = node, .thread = 1, .state = OmptState::kWorkSerial});
  };
  sample({"in_main", "in_compute", "in_leaf", "in_compute", "in_leaf", "helper_create"});
  sample({"in_main", "in_compute", "in_leaf", "in_compute", "helper_create"});
  sample({"in_main", "in_compute", "in_leaf", "in_compute", "in_leaf", "in_compute"});
  team_.Build();
  TextOptions options;
  options.tree = true;
  options.min_percent = 0;
  const std::string text = Text(options);
  EXPECT_NE(text.find("└ compute x3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("├ leaf x2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("│ └ helper\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  x46 marks a folded recursion"), std::string::npos) << text;
  options.style.width = 80;
  EXPECT_NE(Text(options).find("were in one call\n  path. --no-fold"), std::string::npos) << Text(options);
  options.no_fold = true;
  const std::string whole = Text(options);
  EXPECT_EQ(whole.find(" x2"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("x46"), std::string::npos) << whole;
  EXPECT_NE(whole.find("  └ leaf\n"), std::string::npos) << whole;
}

TEST_F(ReportsTest, Threads) {
  TextOptions options;
  options.threads = true;
  EXPECT_NE(Text(options).find(
                "worker     1.00 s  2.00 ms     0 s  998.00 ms      0 s    2.00 ms  2.00 ms        4  75.0 %  25.0 %"),
            std::string::npos)
      << Text(options);
}

TEST_F(ReportsTest, Json) {
  const std::string json = JsonReport(team_.view, summary_, team_.symbolizer);
  for (const char* expected : {
           "\"program\": \"/bin/team\"",
           "\"duration_ns\": 1000000000",
           "\"cpu_ns\": 3000000",
           "\"samples\": 4",
           "\"complete\": true",
           "\"tree_unspliced_ns\": 0",
           "\"clock\": \"cpu\"",
           "\"runtime\": \"\"",
           "\"ompt_state_work_parallel\": {\n      \"cpu_ns\": 1500000",
           "\"ompt_state_wait_barrier_implicit\": {\n      \"cpu_ns\": 500000",
           "\"wait_ns\": 0",
           "\"kind\": \"worker\"",
           "\"function\": \"main\"",
           "\"line\": 42",
           "\"invocations\": 4",
           "\"elapsed_ns\": 1000000",
           "\"team_size\": 2",
           "\"barrier_wait_ns\": 250000",
           "\"max\": 900000",
           "\"mean\": 750000",
           "\"min\": 600000",
           "\"self_cpu_ns\": 1500000",
           "\"total_cpu_ns\": 2000000",
           "team.so\"",
       }) {
    EXPECT_NE(json.find(expected), std::string::npos) << expected << "\n" << json;
  }
}

TEST_F(ReportsTest, Folded) {
  EXPECT_EQ(FoldedText(team_.view),
            "main;main [omp parallel team.c:42];<omp barrier: implicit> 1\n"
            "main;main [omp parallel team.c:42];compute 3\n");
}

// No sample stands for the rows of a wait and of a lock holder's blame. Stacks of samples leave these rows out. The
// report and pprof's other sample types have them.
TEST_F(ReportsTest, WaitsAreNoSamples) {
  const std::string folded = FoldedText(team_.view);
  const std::string pprof = test::Unzipped(PprofBytes(team_.view, team_.symbolizer));
  analyze::ViewSample row = team_.view.samples.front();
  row.cost.samples = 0;
  row.cost.weight = 0;
  row.wait_id = 77;
  row.cost.lock_blame = 123000000;
  team_.view.samples.push_back(row);
  EXPECT_EQ(FoldedText(team_.view), folded);
  pprof::Profile before;
  pprof::Profile after;
  ASSERT_TRUE(before.ParseFromString(pprof));
  ASSERT_TRUE(after.ParseFromString(test::Unzipped(PprofBytes(team_.view, team_.symbolizer))));
  const auto sum = [](const pprof::Profile& profile, int type) {
    int64_t all = 0;
    for (const pprof::Sample& sample : profile.sample()) all += sample.value(type);
    return all;
  };
  for (const int type : {0, 1, 2}) EXPECT_EQ(sum(after, type), sum(before, type)) << type;
  EXPECT_EQ(sum(after, 3) - sum(before, 3), 123000000);
  EXPECT_NE(Text(AllTables()).find("123.00 ms"), std::string::npos) << Text({});
}

TEST_F(ReportsTest, FoldedNamesHaveNoSeparator) {
  analyze::View view;
  view.run = team_.view.run;
  const auto path = view.paths.Child(analyze::kEmptyPath, view.frames.AddPseudo("a;b\nc"));
  view.samples.push_back({path, 0, 1, OmptState::kNone, 0, 0, {2, 2}});
  EXPECT_EQ(FoldedText(view), "a:b c 2\n");
}

TEST_F(ReportsTest, Pprof) {
  pprof::Profile profile;
  ASSERT_TRUE(profile.ParseFromString(test::Unzipped(PprofBytes(team_.view, team_.symbolizer))));
  const auto text = [&](int64_t index) { return profile.string_table(static_cast<int>(index)); };
  EXPECT_EQ(profile.string_table(0), "");
  ASSERT_EQ(profile.sample_type_size(), 4);
  EXPECT_EQ(text(profile.sample_type(0).type()) + "/" + text(profile.sample_type(0).unit()), "samples/count");
  EXPECT_EQ(text(profile.sample_type(1).type()) + "/" + text(profile.sample_type(1).unit()), "cpu/nanoseconds");
  EXPECT_EQ(text(profile.sample_type(2).type()) + "/" + text(profile.sample_type(2).unit()), "wait/nanoseconds");
  EXPECT_EQ(text(profile.sample_type(3).type()) + "/" + text(profile.sample_type(3).unit()), "blame/nanoseconds");
  EXPECT_EQ(profile.default_sample_type(), profile.sample_type(1).type());
  EXPECT_EQ(profile.duration_nanos(), 1000000000);
  ASSERT_EQ(profile.mapping_size(), 1);
  EXPECT_EQ(text(profile.mapping(0).filename()), Team::kLibrary);
  EXPECT_EQ(text(profile.mapping(0).build_id()), "");
  ASSERT_EQ(profile.sample_size(), 2);

  int64_t weight = 0;
  for (const pprof::Sample& sample : profile.sample()) {
    weight += sample.value(1);
    std::map<std::string, std::string> labels;
    for (const pprof::Label& label : sample.label()) {
      labels[text(label.key())] = label.str() != 0 ? text(label.str()) : std::to_string(label.num());
    }
    EXPECT_EQ(labels["thread"], "2");
    EXPECT_EQ(labels["region"], "main [omp parallel team.c:42]");
    const bool waits = labels["omp_state"] == "ompt_state_wait_barrier_implicit";
    EXPECT_EQ(labels.count("wait_id"), waits ? 1u : 0u);
    EXPECT_EQ(labels["wait_id"], waits ? "77" : "");
    // Leaf first.
    const pprof::Location& leaf = profile.location(static_cast<int>(sample.location_id(0)) - 1);
    const pprof::Function& function = profile.function(static_cast<int>(leaf.line(0).function_id()) - 1);
    EXPECT_EQ(text(function.name()), waits ? "<omp barrier: implicit>" : "compute");
    EXPECT_EQ(leaf.mapping_id(), waits ? 0u : 1u);
    EXPECT_EQ(leaf.address(), waits ? 0 : team_.At("in_compute"));
  }
  EXPECT_EQ(weight, 2000000);
}

// Names are short; the second name has what the short name leaves out. Equal names would make pprof cut the text in
// brackets off.
TEST_F(ReportsTest, PprofHasShortAndFullNames) {
  analyze::View view;
  view.run = team_.view.run;
  analyze::PathId path = analyze::kEmptyPath;
  for (const auto& [name, linked] : std::vector<std::pair<std::string, std::string>>{
           {"void Solve<double>(int) const", "_ZN5SolveIdE"},
           {"Solve<int>(int) [omp critical (sum) a.cc:7]", "_ZN5SolveIiE._omp_fn.0"},
           {"step [omp critical (sum) a.c:9]", "step._omp_fn.0"},
           {"step", "step"}}) {
    path = view.paths.Child(path, view.frames.AddSynthesized(view.frames.AddFunction({name, linked, "a.cc", 3, 0})));
  }
  path = view.paths.Child(path, view.frames.AddPseudo("<omp idle>"));
  view.samples.push_back({path, 0, 1, OmptState::kNone, 0, 0, {2, 2}});
  pprof::Profile profile;
  ASSERT_TRUE(profile.ParseFromString(test::Unzipped(PprofBytes(view, team_.symbolizer))));
  std::map<std::string, std::string> names;
  for (const pprof::Function& function : profile.function()) {
    names[profile.string_table(static_cast<int>(function.name()))] =
        profile.string_table(static_cast<int>(function.system_name()));
  }
  EXPECT_EQ(names, (std::map<std::string, std::string>{
                       {"Solve", "void Solve<double>(int) const"},
                       {"Solve [omp critical (sum) a.cc:7]", "Solve<int>(int) [omp critical (sum) a.cc:7]"},
                       {"step [omp critical (sum) a.c:9]", "step._omp_fn.0"},
                       {"step", "step"},
                       {"<omp idle>", ""}}));
}

}  // namespace
}  // namespace ompprof::report
