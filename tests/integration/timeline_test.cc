// record --timeline: a sample lies where the program was when the sample was taken. A sleeping thread's wait begins and
// ends when the program says. The program (stages.cc) prints both by CLOCK_MONOTONIC. It runs on libomp and, through
// the shim, on libgomp; and at the default rate with other programs beside.
#include "profiler/analyze/account/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <sstream>

#include "profiler/analyze/builder/build_view.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/model/profile_reader.h"
#include "tests/integration/busy_loop.h"
#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

using analyze::View;

struct Span {
  double begin = 0;
  double end = 0;
  double length() const { return end > begin ? end - begin : 0; }
};

Span Intersection(const Span& a, const Span& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// The share of all that two spans cover that both cover.
double Likeness(const Span& a, const Span& b) {
  const double common = Intersection(a, b).length();
  return common / (a.length() + b.length() - common);
}

// `WHAT NAME BEGIN END` lines, in nanoseconds since the profile's start.
std::map<std::string, Span> Spans(const std::string& what, const std::string& out, double start_ns) {
  std::map<std::string, Span> spans;
  std::istringstream lines(out);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string kind, name;
    Span span;
    if (words >> kind >> name >> span.begin >> span.end && kind == what)
      spans[name] = {span.begin - start_ns, span.end - start_ns};
  }
  return spans;
}

std::string Leaf(const View& view, const analyze::ViewSample& sample) {
  if (sample.path == analyze::kEmptyPath) return "";
  const analyze::Location& location = view.frames.location(view.paths.node(sample.path).location);
  return view.frames.function(view.frames.line(location.first_line).function).name;
}

analyze::StateKind KindOf(const std::string& truth) {
  if (truth == "idle") return analyze::StateKind::kIdle;
  return truth == "barrier" ? analyze::StateKind::kRegionEnd : analyze::StateKind::kLock;
}

constexpr double kLeastWaitNs = 20e6;

struct Run {
  const char* name;
  const char* program;
  int frequency;
  int loops;  // beside it
};

class Timeline : public ::testing::TestWithParam<Run> {
 protected:
  // Each program runs once.
  void SetUp() override {
    static std::map<std::string, Outcome> outcomes;
    outcome_ = outcomes[GetParam().name];
    if (!outcome_.started) {
      std::vector<std::unique_ptr<BusyLoop>> beside;
      for (int i = 0; i < GetParam().loops; ++i) beside.push_back(std::make_unique<BusyLoop>());
      Launch launch{GetParam().program};
      launch.frequency = GetParam().frequency;
      launch.record_options = {"--timeline"};
      launch.environment = {{"OMP_WAIT_POLICY", "passive"}, {"KMP_BLOCKTIME", "0"}};
      outcome_ = outcomes[GetParam().name] = RunUntilItWaits(launch);
    }
    ASSERT_TRUE(outcome_.Exited(0)) << outcome_.Describe();
    ASSERT_EQ(outcome_.profiles.size(), 1u);
    read_ = model::ReadProfile(outcome_.profiles[0]);
    ASSERT_TRUE(read_.status.ok()) << read_.status.sentence();
    view_ = analyze::BuildView({&read_.profile}, analyze::ViewKind::kUser, &symbolizer_);
    start_ns_ = static_cast<double>(read_.profile.header.start_mono_ns());
  }

  // Beside other programs, thread 1 may come last to a barrier or first to the lock. It does not wait there, and the
  // run has nothing to claim of that wait. So the program runs again.
  static Outcome RunUntilItWaits(const Launch& launch) {
    constexpr int kMostRuns = 6;
    Outcome outcome;
    for (int run = 0; run < kMostRuns; ++run) {
      outcome = RunProgram(launch);
      const std::map<std::string, Span> waits = Spans("wait", outcome.out, 0);
      const bool waits_each_time = std::all_of(waits.begin(), waits.end(),
                                               [](const auto& wait) { return wait.second.length() >= kLeastWaitNs; });
      if (waits_each_time) break;
    }
    return outcome;
  }

  // Six standard deviations of the sum of `cpu_ns`'s samples, as a part of the sum. Samples are independent; beside
  // other programs they are fewer than the frequency says.
  double ErrorOf(double cpu_ns) const {
    double samples = 0;
    for (const analyze::ViewSample& sample : view_.samples) samples += static_cast<double>(sample.cost.samples);
    return 6 / std::sqrt(samples * cpu_ns / static_cast<double>(view_.total_weight));
  }

  struct Match {
    double likeness = 0;
    uint32_t thread = 0;
  };

  // The interval of the profile that is most like the program's wait of that name.
  Match MostAlike(const std::string& name, const Span& wait) const {
    Match best;
    for (const analyze::TimedSample& timed : view_.timed) {
      const analyze::ViewSample& sample = view_.samples[timed.sample];
      if (!sample.interval || analyze::KindOf(sample.state) != KindOf(name)) continue;
      const auto end = static_cast<double>(timed.time_ns);
      const double likeness = Likeness(wait, {end - static_cast<double>(timed.weight), end});
      if (likeness > best.likeness) best = {likeness, sample.thread};
    }
    return best;
  }

  double start_ns_ = 0;
  Outcome outcome_;
  model::ReadResult read_;
  model::Symbolizer symbolizer_;
  View view_;
};

TEST_P(Timeline, NoSampleIsMissingOrThereTwice) {
  EXPECT_TRUE(read_.profile.header.timeline());
  EXPECT_EQ(read_.profile.footer.intervals_lost(), 0u);
  uint64_t weight = 0;
  for (const analyze::TimedSample& timed : view_.timed) {
    if (!view_.samples[timed.sample].interval) weight += timed.weight;
  }
  EXPECT_EQ(weight, view_.total_weight);
}

// A timer's signal is late by a tick at most.
TEST_P(Timeline, SamplesOfAFunctionLieWhereItRan) {
  const std::map<std::string, Span> stages = Spans("stage", outcome_.out, start_ns_);
  const Truth truth = Truth::Parse(outcome_.out);
  EXPECT_EQ(stages.size(), 6u);
  const auto tick = static_cast<double>(read_.profile.header.tick_ns());
  for (const auto& [function, stage] : stages) {
    double sum = 0;
    for (const analyze::TimedSample& timed : view_.timed) {
      if (Leaf(view_, view_.samples[timed.sample]) != function) continue;
      sum += static_cast<double>(timed.weight);
      EXPECT_GE(static_cast<double>(timed.time_ns), stage.begin - 1000) << function;
      EXPECT_LE(static_cast<double>(timed.time_ns), stage.end + tick) << function;
    }
    EXPECT_NEAR(sum / truth.functions.at(function), 1, ErrorOf(truth.functions.at(function))) << function;
  }
}

// One thread slept in all three waits. Nine tenths of each wait and of its interval are common to both.
TEST_P(Timeline, WaitsOfASleepingThreadAreIntervals) {
  std::set<uint32_t> threads;
  const std::map<std::string, Span> waits = Spans("wait", outcome_.out, start_ns_);
  for (const auto& [name, wait] : waits) {
    const Match match = MostAlike(name, wait);
    EXPECT_GT(match.likeness, 0.9) << name;
    threads.insert(match.thread);
  }
  EXPECT_EQ(waits.size(), 3u);
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads.count(1), 0u) << "the initial thread does not sleep";
}

TEST_P(Timeline, TheWaitAtARegionsEndIsUnderTheRegion) {
  for (const analyze::ViewSample& sample : view_.samples) {
    if (!sample.interval || analyze::KindOf(sample.state) != analyze::StateKind::kRegionEnd) continue;
    EXPECT_EQ(Leaf(view_, sample).rfind("<omp barrier", 0), 0u);
    EXPECT_NE(sample.region, analyze::kNoFunction);
    std::string path;
    for (const analyze::LocationId id : view_.paths.Locations(sample.path))
      path += view_.frames.function(view_.frames.line(view_.frames.location(id).first_line).function).name + ";";
    EXPECT_EQ(path.rfind("main;main [omp parallel stages.cc:", 0), 0u) << path;
  }
}

// A loaded machine may keep the thread from its processor: such time is neither work nor a wait.
TEST_P(Timeline, AllWorkAndWaitsOfTheSleepingThreadAreCovered) {
  const Truth truth = Truth::Parse(outcome_.out);
  double known = truth.functions.at("share_short") + truth.functions.at("after_holding");
  uint32_t sleeper = 0;
  for (const auto& [name, wait] : Spans("wait", outcome_.out, start_ns_)) {
    known += wait.length();
    sleeper = MostAlike(name, wait).thread;
  }
  double covered = 0;
  for (const analyze::ThreadTimeline& timeline : analyze::Timelines(view_)) {
    if (timeline.thread != sleeper) continue;
    for (const analyze::Stretch& stretch : timeline.stretches)
      covered += static_cast<double>(stretch.end_ns - stretch.begin_ns);
  }
  EXPECT_GT(covered / known, 0.95);
}

// The labels of stages.cc: a sample has its thread's own label, its region's label, or none.
TEST_P(Timeline, PhasesAreTheProgramsLabels) {
  const std::map<std::string, std::string> expected = {
      {"prepare", "setup"}, {"share_long", "solve/uneven"}, {"share_short", "solve/uneven/mine"}, {"between", ""},
      {"holding", "held"},  {"after_holding", "held"}};
  std::map<std::string, uint64_t> seen;
  for (const analyze::ViewSample& sample : view_.samples) {
    const auto function = expected.find(Leaf(view_, sample));
    if (function == expected.end()) continue;
    EXPECT_EQ(view_.phases[sample.phase], function->second) << function->first;
    seen[function->first] += sample.cost.samples;
  }
  for (const auto& [function, phase] : expected) EXPECT_GT(seen[function], 0u) << function;

  // The sums of the report agree as well.
  const Truth truth = Truth::Parse(outcome_.out);
  const Profile profile(outcome_.profiles[0]);
  const nlohmann::json& phases = profile.report()["phases"];
  const double uneven = truth.functions.at("share_long") + truth.functions.at("share_short");
  EXPECT_NEAR(phases["setup"]["cpu_ns"].get<double>() / truth.functions.at("prepare"), 1,
              ErrorOf(truth.functions.at("prepare")));
  EXPECT_NEAR(phases["solve"]["total_cpu_ns"].get<double>() / uneven, 1, ErrorOf(uneven));
  EXPECT_GT(phases["held"]["wait_ns"].get<double>(), 0.9 * Spans("wait", outcome_.out, 0)["critical"].length());
}

TEST(WithoutTimeline, ThereAreNoTimes) {
  const auto recorded = Record({"flat", {"200"}});
  ASSERT_TRUE(recorded);
  const model::ReadResult read = model::ReadProfile(recorded->outcome.profiles[0]);
  EXPECT_FALSE(read.profile.header.timeline());
  EXPECT_TRUE(read.profile.timed.empty());
  EXPECT_FALSE(read.profile.samples.empty());
}

INSTANTIATE_TEST_SUITE_P(Runtimes, Timeline,
                         ::testing::Values(Run{"libomp", "stages", 8000, 0}, Run{"libgomp", "stages_gcc", 8000, 0},
                                           Run{"beside", "stages_gcc", 199, 2}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ompprof::testing
