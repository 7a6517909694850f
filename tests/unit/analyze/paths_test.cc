// Call paths as `report` filters and cuts them: --hide, --show-from, --peek, --by, --regions --paths, --metric.
#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/analyze/account/breakdown.h"
#include "profiler/analyze/account/peek.h"
#include "profiler/analyze/account/region_paths.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/view/fold_paths.h"
#include "profiler/analyze/view/path_filter.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

using test::MadeUpView;
using Strings = std::vector<std::string>;

TEST(Hide, CostGoesToTheCaller) {
  MadeUpView run;
  run.Add({.path = {"main", "wrap", "work"}, .weight = 1});
  run.Add({.path = {"main", "work", "wrap"}, .weight = 2});
  HideFunctions(*NamePattern::Of("^wrap$"), &run.view);
  EXPECT_EQ(run.Stacks(), (Strings{"main;work 1", "main;work 2"}));
}

TEST(Hide, InlinedFunctionsGoWithoutTheirLocation) {
  MadeUpView run;
  run.Add({.path = {"main", "solve|wrap|kernel"}, .weight = 1});
  HideFunctions(*NamePattern::Of("wrap"), &run.view);
  EXPECT_EQ(run.Stacks(), (Strings{"main;solve;kernel 1"}));
}

TEST(Hide, ASampleOfWhichNothingIsLeftGoes) {
  MadeUpView run;
  run.Add({.path = {"wrap", "wrap"}, .weight = 1});
  run.Add({.path = {"main"}, .weight = 2});
  HideFunctions(*NamePattern::Of("wrap"), &run.view);
  EXPECT_EQ(run.Stacks(), (Strings{"main 2"}));
}

// The example of pprof's own ShowFrom: frames A, B, C, B, where A is the root. libstdc++'s matcher goes a frame of the
// stack deeper with each character.
TEST(Matching, ANameOfAMillionCharactersIsMatchedByItsBeginning) {
  MadeUpView run;
  run.Add({.path = {"main", "solve" + std::string(1000000, 'x')}, .weight = 1});
  const std::vector<bool> matches = MatchingFunctions(run.view, *NamePattern::Of("sol.*y"));
  EXPECT_EQ(std::count(matches.begin(), matches.end(), true), 0);
  const std::vector<bool> begins = MatchingFunctions(run.view, *NamePattern::Of("sol.*x"));
  EXPECT_EQ(std::count(begins.begin(), begins.end(), true), 1);
}

TEST(ShowFrom, AsPprof) {
  const auto from = [](const char* pattern) {
    MadeUpView run;
    run.Add({.path = {"A", "B", "C", "B"}, .weight = 1});
    ShowFrom(*NamePattern::Of(pattern), &run.view);
    return run.Stacks();
  };
  EXPECT_EQ(from("A"), (Strings{"A;B;C;B 1"}));
  EXPECT_EQ(from("B"), (Strings{"B;C;B 1"}));
  EXPECT_EQ(from("C"), (Strings{"C;B 1"}));
  EXPECT_EQ(from("D"), Strings{});
}

TEST(ShowFrom, InsideALocation) {
  MadeUpView run;
  run.Add({.path = {"main", "solve|inlined|kernel", "leaf"}, .weight = 1});
  ShowFrom(*NamePattern::Of("inlined"), &run.view);
  EXPECT_EQ(run.Stacks(), (Strings{"inlined;kernel;leaf 1"}));
}

std::string Name(const MadeUpView& run, FunctionId id) { return run.view.frames.function(id).name; }

TEST(Peek, CallersAndCallees) {
  MadeUpView run;
  run.Add({.path = {"main", "a", "f", "x"}, .weight = 10});
  run.Add({.path = {"main", "b", "f"}, .weight = 5});
  run.Add({.path = {"main", "b", "f", "y"}, .weight = 7});
  run.Add({.path = {"main", "other"}, .weight = 100});
  const CallTree tree = BuildCallTree(run.view, false);
  const auto peeks =
      PeekAt(tree, FunctionCosts(tree), MatchingFunctions(run.view, *NamePattern::Of("^f$")), Metric::kWeight);
  ASSERT_EQ(peeks.size(), 1u);
  EXPECT_EQ(peeks[0].function.self.weight, 5u);
  EXPECT_EQ(peeks[0].function.total.weight, 22u);
  ASSERT_EQ(peeks[0].callers.size(), 2u);
  EXPECT_EQ(Name(run, peeks[0].callers[0].function), "b");
  EXPECT_EQ(peeks[0].callers[0].cost.weight, 12u);
  EXPECT_EQ(peeks[0].callers[1].cost.weight, 10u);
  ASSERT_EQ(peeks[0].callees.size(), 2u);
  EXPECT_EQ(Name(run, peeks[0].callees[0].function), "x");
  EXPECT_EQ(peeks[0].callees[1].cost.weight, 7u);
}

// f calls g calls f. Each call counts once in a stack. f's calls of itself do not count.
TEST(Peek, Recursion) {
  MadeUpView run;
  run.Add({.path = {"main", "f", "g", "f", "f", "g"}, .weight = 8});
  const CallTree tree = BuildCallTree(run.view, false);
  const auto peeks =
      PeekAt(tree, FunctionCosts(tree), MatchingFunctions(run.view, *NamePattern::Of("^f$")), Metric::kWeight);
  ASSERT_EQ(peeks.size(), 1u);
  EXPECT_EQ(peeks[0].function.total.weight, 8u);
  ASSERT_EQ(peeks[0].callers.size(), 2u);  // main and g
  for (const CallEdge& edge : peeks[0].callers) EXPECT_EQ(edge.cost.weight, 8u) << Name(run, edge.function);
  ASSERT_EQ(peeks[0].callees.size(), 1u);
  EXPECT_EQ(Name(run, peeks[0].callees[0].function), "g");
  EXPECT_EQ(peeks[0].callees[0].cost.weight, 8u);
}

TEST(Metric, SortsTreeAndFunctions) {
  MadeUpView run;
  run.Add({.path = {"main", "hot"}, .weight = 100, .wait = 1});
  run.Add({.path = {"main", "waits"}, .samples = 0, .weight = 0, .wait = 50});
  const CallTree by_wait = BuildCallTree(run.view, false, Metric::kWait);
  EXPECT_EQ(Name(run, by_wait.nodes[by_wait.children[by_wait.first_child[1]]].function), "waits");
  std::vector<FunctionCost> costs = FunctionCosts(by_wait);
  EXPECT_EQ(Name(run, costs[0].function), "hot");
  SortCosts(Metric::kWait, &costs);
  EXPECT_EQ(Name(run, costs[0].function), "waits");
  EXPECT_EQ(Total(run.view, Metric::kWait), 51u);
}

// The tree's sums stay exact, and each function keeps its own cost.
TEST(FoldCallTree, CostsAreCountedOnce) {
  MadeUpView run;
  run.Add({.path = {"main", "f", "task", "f", "task", "f", "work"}, .weight = 10, .wait = 1});
  run.Add({.path = {"main", "f", "task", "f", "work"}, .weight = 5});
  run.Add({.path = {"main", "f", "task", "f", "task"}, .weight = 3});
  run.Add({.path = {"main", "f", "<frames cut>", "task", "f", "work"}, .weight = 2});
  run.Add({.path = {"main", "other"}, .weight = 100});
  const CallTree whole = BuildCallTree(run.view, false);
  const CallTree tree = FoldCallTree(run.view, whole);
  std::vector<std::string> rows;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const CallNode& node = tree.nodes[i];
    rows.push_back(Name(run, tree.nodes[node.parent].function) + ">" + Name(run, node.function) + " " +
                   RecursionText(node.recursion) + " " + std::to_string(node.self.weight) + " of " +
                   std::to_string(node.total.weight));
  }
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, (Strings{"<frames cut>>task  0 of 0", ">main  0 of 120", "f><frames cut>  0 of 0", "f>task x2 3 of 3",
                           "f>work  17 of 17", "main>f x3 0 of 20", "main>other  100 of 100"}));
  EXPECT_EQ(tree.nodes[0].total.weight, run.view.total_weight);
  EXPECT_EQ(tree.nodes[0].total.wait, 1u);
  EXPECT_EQ(tree.node_of_path.size(), whole.node_of_path.size());
  EXPECT_EQ(tree.nodes[tree.node_of_path[run.view.samples[0].path]].self.weight, 17u);
}

// Functions' totals come from the whole tree: task is in every path of the recursion.
TEST(FoldCallTree, FunctionsTotalsComeFromTheWholeTree) {
  MadeUpView run;
  run.Add({.path = {"main", "f", "task", "f", "task", "f", "work"}, .weight = 10});
  for (const FunctionCost& cost : FunctionCosts(BuildCallTree(run.view, false)))
    EXPECT_EQ(cost.total.weight, 10u) << Name(run, cost.function);
}

TEST(FoldPaths, PathsHaveEachFunctionOfARecursionOnce) {
  MadeUpView run;
  run.Add({.path = {"main", "f", "task", "f", "task", "f", "work"}, .weight = 10});
  run.Add({.path = {"main", "f", "task", "f", "task"}, .weight = 3});
  run.Add({.path = {"main", "f", "<frames cut>", "f", "work"}, .weight = 2});
  run.Add({.path = {"main", "a", "<frames cut>", "b"}, .weight = 1});
  FoldPaths(&run.view);
  EXPECT_EQ(run.Stacks(), (Strings{"main;f;work 10", "main;f;task 3", "main;f;work 2", "main;a;<frames cut>;b 1"}));
  EXPECT_EQ(run.view.samples[0].path, run.view.samples[2].path);
}

TEST(FoldPaths, LocationsStayWholeWhereTheyCan) {
  MadeUpView run;
  run.Add({.path = {"main|start", "f|g", "f|g", "f|work"}, .weight = 10});
  run.Add({.path = {"main|start", "f|f|work"}, .weight = 5});
  const LocationId leaf = run.view.paths.node(run.view.samples[0].path).location;
  const PathId start = run.Path({"main|start"});
  FoldPaths(&run.view);
  EXPECT_EQ(run.Stacks(), (Strings{"main;start;f;work 10", "main;start;f;work 5"}));
  EXPECT_EQ(run.view.paths.node(run.view.samples[0].path).location, leaf);
  EXPECT_EQ(run.view.paths.node(run.view.samples[0].path).parent, start);
  EXPECT_EQ(run.view.paths.node(run.view.samples[1].path).parent, start);
}

TEST(FoldPaths, WithoutRecursionNothingChanges) {
  MadeUpView run;
  run.Add({.path = {"main", "sort", "rows", "sort", "columns"}, .weight = 10});
  const size_t paths = run.view.paths.size();
  FoldPaths(&run.view);
  EXPECT_EQ(run.Stacks(), Strings{"main;sort;rows;sort;columns 10"});
  EXPECT_EQ(run.view.paths.size(), paths);
}

TEST(FoldCallTree, LinesFoldByFunction) {
  MadeUpView run;
  const FunctionId f = run.Function("f");
  PathId path = run.Path({"main"});
  for (const uint32_t line : {10u, 12u, 10u, 15u})
    path = run.view.paths.Child(path, run.view.frames.AddLocation({0, 0}, {{f, line}}));
  run.Add({.path = {"main"}, .weight = 7});
  run.view.samples[0].path = path;
  const CallTree tree = FoldCallTree(run.view, BuildCallTree(run.view, true));
  const CallNode& leaf = tree.nodes[tree.node_of_path[path]];
  EXPECT_EQ(leaf.line, 15u);
  EXPECT_EQ(leaf.recursion.calls, 4u);
  EXPECT_EQ(leaf.self.weight, 7u);
  EXPECT_EQ(Name(run, tree.nodes[leaf.parent].function), "main");
}

TEST(BreakDown, SlicesAddUp) {
  MadeUpView run;
  run.Add({.path = {"main", "f"}, .weight = 10, .thread = 1});
  run.Add({.path = {"main", "f", "f"}, .weight = 5, .thread = 2});
  run.Add({.path = {"main"}, .weight = 3, .thread = 2});
  const auto slices = BreakDown(run.view, Dimension::kThread, false, Metric::kWeight);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0].name, "thread 1");
  EXPECT_EQ(slices[1].cost.weight, 8u);
  ASSERT_EQ(slices[1].functions.size(), 2u);
  EXPECT_EQ(Name(run, slices[1].functions[0].function), "f");
  EXPECT_EQ(slices[1].functions[0].self.weight, 5u);
  EXPECT_EQ(slices[1].functions[0].total.weight, 5u);  // once, although it calls itself
  EXPECT_EQ(slices[1].functions[1].total.weight, 8u);
}

// Containers and hosts number their processes themselves.
TEST(BreakDown, ThreadsOfProcessesWithOneIdStayApart) {
  const auto names = [](const std::vector<std::pair<uint32_t, std::string>>& processes) {
    View view;
    for (uint32_t i = 0; i < processes.size(); ++i) {
      ProcessFacts& facts = view.run.processes.emplace_back();
      facts.pid = processes[i].first;
      facts.host = processes[i].second;
      ViewSample sample{};
      sample.process = i;
      sample.thread = 1;
      sample.cost.weight = 100 - i;
      view.samples.push_back(sample);
    }
    std::vector<std::string> found;
    for (const Slice& slice : BreakDown(view, Dimension::kThread, false, Metric::kWeight)) found.push_back(slice.name);
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({{7, "a"}}), Names{"thread 1"});
  EXPECT_EQ(names({{7, "a"}, {8, "a"}}), (Names{"7/1", "8/1"}));
  EXPECT_EQ(names({{7, "a"}, {7, "b"}}), (Names{"7@a/1", "7@b/1"}));
  EXPECT_EQ(names({{7, "a"}, {7, "a"}, {8, "a"}}), (Names{"7@a#1/1", "7@a#2/1", "8@a#3/1"}));
}

TEST(BreakDown, StatesAndRegions) {
  MadeUpView run;
  run.Add({.path = {"main", "f"}, .weight = 10, .state = OmptState::kWorkParallel, .region = "r [omp parallel r.c:1]"});
  run.Add({.path = {"main"}, .weight = 4, .state = OmptState::kWorkSerial});
  const auto states = BreakDown(run.view, Dimension::kState, false, Metric::kWeight);
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].name, "ompt_state_work_parallel");
  const auto regions = BreakDown(run.view, Dimension::kRegion, false, Metric::kWeight);
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, "r [omp parallel r.c:1]");
  EXPECT_EQ(regions[1].name, "<no region>");
}

TEST(BreakDown, RanksAreThereIfTheProfileHasThem) {
  MadeUpView run;
  run.Add({.path = {"main"}, .weight = 4});
  EXPECT_FALSE(HasDimension(run.view, Dimension::kRank));
  EXPECT_TRUE(BreakDown(run.view, Dimension::kRank, false, Metric::kWeight).empty());
  run.process().rank = "3";
  EXPECT_TRUE(HasDimension(run.view, Dimension::kRank));
  EXPECT_EQ(BreakDown(run.view, Dimension::kRank, false, Metric::kWeight)[0].name, "rank 3");
}

TEST(BreakDown, Phases) {
  MadeUpView run;
  run.Add({.path = {"main"}, .weight = 4});
  EXPECT_FALSE(HasDimension(run.view, Dimension::kPhase));
  run.view.phases.push_back("solve/assemble");
  run.view.phases_around.push_back(0);
  run.Add({.path = {"main", "f"}, .weight = 6});
  run.view.samples.back().phase = 1;
  EXPECT_TRUE(HasDimension(run.view, Dimension::kPhase));
  const auto phases = BreakDown(run.view, Dimension::kPhase, false, Metric::kWeight);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].name, "solve/assemble");
  EXPECT_EQ(phases[1].name, "<no phase>");
}

TEST(StateTimes, SampledAndExactByThread) {
  MadeUpView run;
  run.Add({.path = {"main"}, .samples = 2, .weight = 20, .thread = 1, .state = OmptState::kWorkParallel});
  run.Add({.path = {"main"}, .samples = 1, .weight = 5, .thread = 2, .state = OmptState::kWaitBarrierImplicit});
  WaitTotal wait{};
  wait.thread = 2;
  wait.state = OmptState::kWaitBarrierImplicit;
  wait.total_ns = 700;
  wait.count = 4;
  run.view.waits.push_back(wait);
  wait.charge = true;  // time that others waited for thread 2: none of its own time
  run.view.waits.push_back(wait);
  const StateTimes times = MeasureStates(run.view);
  ASSERT_EQ(times.names, (Strings{"ompt_state_work_parallel", "ompt_state_wait_barrier_implicit"}));
  EXPECT_EQ(times.all[1].weight, 5u);
  EXPECT_EQ(times.all[1].wait_ns, 700u);
  ASSERT_EQ(times.threads.size(), 2u);
  EXPECT_EQ(times.threads[0].times[0].samples, 2u);
  EXPECT_EQ(times.threads[0].times[1].wait_ns, 0u);
  EXPECT_EQ(times.threads[1].times[1].wait_count, 4u);
}

// One region on two paths, nested in itself on one of them. It counts once there.
TEST(RegionPaths, EachPathHasItsShare) {
  const std::string region = "r [omp parallel r.c:1]";
  MadeUpView run;
  run.Add({.path = {"main", "a", "r", region, "work"}, .weight = 10, .state = OmptState::kWorkParallel});
  run.Add({.path = {"main", "b", "r", region}, .weight = 4, .wait = 9, .state = OmptState::kWaitBarrierImplicit});
  run.Add({.path = {"main", "b", "r", region, "r", region}, .weight = 2, .state = OmptState::kWorkParallel});
  run.Add({.path = {"main"}, .weight = 100, .state = OmptState::kWorkSerial});
  Region known;
  known.construct = run.Function(region);
  known.ended = 20;
  known.elapsed_ns = 1000;
  run.view.regions.push_back(known);
  // A path where no sample ends, a path where one does, and a path that is empty, after another filter for example.
  run.view.region_runs.push_back({known.construct, run.Path({"main", "a", "r", region}), {3, 300}});
  run.view.region_runs.push_back(
      {known.construct, run.Path({"main", "b", "r", region}), {.ended = 4, .elapsed_ns = 400, .estimated = 2}});
  run.view.region_runs.push_back({known.construct, run.Path({"main", "b", "r", region, "r", region}), {5, 50}});
  run.view.region_runs.push_back({known.construct, run.Path({"main", "c", "r", region}), {1, 20}});
  const auto regions = PathsOfRegions(run.view);
  ASSERT_EQ(regions.size(), 1u);
  ASSERT_EQ(regions[0].paths.size(), 2u);
  const RegionPath& a = regions[0].paths[0];
  const RegionPath& b = regions[0].paths[1];
  ASSERT_EQ(a.callers.size(), 3u);
  EXPECT_EQ(Name(run, a.callers[1]), "a");
  EXPECT_EQ(a.cost.weight, 10u);
  EXPECT_EQ(a.runs.ended, 3u);
  EXPECT_EQ(a.runs.elapsed_ns, 300u);
  EXPECT_EQ(b.runs.ended, 4u) << "those inside of one are in it";
  EXPECT_EQ(b.runs.elapsed_ns, 400u);
  EXPECT_TRUE(b.estimated);
  EXPECT_FALSE(a.estimated) << "its runs were measured";
  EXPECT_EQ(regions[0].other_runs, 7u);
  EXPECT_EQ(regions[0].other_elapsed_ns, 230u);
  EXPECT_EQ(Name(run, b.callers[1]), "b");
  EXPECT_EQ(b.cost.weight, 6u);
  EXPECT_EQ(b.cost.wait, 9u);
  EXPECT_EQ(b.by_activity[static_cast<int>(Activity::kWait)].weight, 4u);
  EXPECT_EQ(b.by_activity[static_cast<int>(Activity::kWork)].weight, 2u);
  run.view.regions[0].lock_wait_estimate.ns = 1;
  EXPECT_TRUE(PathsOfRegions(run.view)[0].paths[0].estimated) << "useful time is what waits for locks leave";
  run.view.kind = ViewKind::kMachine;
  EXPECT_TRUE(PathsOfRegions(run.view).empty());
}

// A region that is reached through 1, 2 and 3 calls of a function is on one folded path, with all its costs and runs.
TEST(RegionPaths, RecursionIsOnePath) {
  const std::string region = "r [omp parallel r.c:1]";
  MadeUpView run;
  Region known;
  known.construct = run.Function(region);
  known.ended = 100;
  known.elapsed_ns = 1000;
  run.view.regions.push_back(known);
  Strings path = {"main"};
  for (uint64_t calls = 1; calls <= 3; ++calls) {
    path.push_back("visit");
    Strings whole = path;
    whole.push_back(region);
    run.view.region_runs.push_back({known.construct, run.Path(whole), {.ended = calls, .elapsed_ns = 10 * calls}});
    whole.push_back("work");
    run.Add({.path = whole, .weight = calls, .state = OmptState::kWorkParallel});
  }
  EXPECT_EQ(PathsOfRegions(run.view)[0].paths.size(), 3u);
  const auto regions = PathsOfRegions(run.view, /*fold=*/true);
  ASSERT_EQ(regions[0].paths.size(), 1u);
  const RegionPath& folded = regions[0].paths[0];
  ASSERT_EQ(folded.callers.size(), 2u);
  EXPECT_EQ(Name(run, folded.callers[1]), "visit");
  EXPECT_EQ(folded.calls[0].calls, 1u);
  EXPECT_EQ(folded.calls[1].calls, 3u);
  EXPECT_EQ(folded.cost.weight, 6u);
  EXPECT_EQ(folded.runs.ended, 6u);
  EXPECT_EQ(folded.runs.elapsed_ns, 60u);
  EXPECT_EQ(regions[0].other_runs, 94u);
}

}  // namespace
}  // namespace ompprof::analyze
