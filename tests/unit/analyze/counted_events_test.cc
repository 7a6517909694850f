// Processes that counted events: their order does not matter, and a report has the events that all of them counted.
#include "profiler/analyze/builder/counted_events.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "profiler/analyze/builder/build_view.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::analyze {
namespace {

Header HeaderOf(std::initializer_list<const char*> events) {
  Header header;
  for (const char* event : events) header.add_counted_events(event);
  return header;
}

std::vector<std::string> Names(const std::vector<CountedEvent>& events) {
  std::vector<std::string> names;
  for (const CountedEvent& event : events) names.push_back(event.name);
  return names;
}
using List = std::vector<std::string>;

TEST(CountedEvents, AnotherOrder) {
  CountedEvents events;
  EXPECT_EQ(AtPlaces(events.Add(HeaderOf({"cycles", "branches"})), {1, 2}), (Counts{1, 2}));
  EXPECT_EQ(AtPlaces(events.Add(HeaderOf({"branches", "cycles"})), {30, 40}), (Counts{40, 30}));
  EXPECT_EQ(Names(events.InAll()), (List{"cycles", "branches"}));
  EXPECT_EQ(events.Warning(), "");
}

TEST(CountedEvents, OnlyTheEventsOfAll) {
  CountedEvents events;
  events.Add(HeaderOf({"cycles", "branches", "instructions"}));
  EXPECT_EQ(AtPlaces(events.Add(HeaderOf({"page-faults", "instructions"})), {5, 6}), (Counts{0, 0, 6}));
  ASSERT_EQ(Names(events.InAll()), List{"instructions"});
  EXPECT_EQ(events.InAll()[0].at, 2u);
  EXPECT_EQ(events.Warning(),
            "the processes counted different events (--count); the report has the events that all of them counted");
}

TEST(CountedEvents, FewerEventsAreDifferentEvents) {
  CountedEvents events;
  events.Add(HeaderOf({"cycles"}));
  events.Add(HeaderOf({"cycles", "branches"}));
  EXPECT_EQ(Names(events.InAll()), List{"cycles"});
  EXPECT_NE(events.Warning(), "");
}

TEST(CountedEvents, ProcessesThatCountedNothing) {
  CountedEvents events;
  EXPECT_TRUE(events.Add(HeaderOf({})).empty());
  EXPECT_EQ(events.Warning(), "") << "nobody counted anything";
  events.Add(HeaderOf({"cycles"}));
  EXPECT_EQ(Names(events.InAll()), List{"cycles"});
  EXPECT_EQ(events.Warning(), "1 of 2 processes counted no events (--count); the counts are those of the others");
}

TEST(CountedEvents, InstructionsPerCycle) {
  const std::vector<CountedEvent> both = {{"instructions", 2}, {"cycles", 0}};
  EXPECT_EQ(Ipc(both, {4, 7, 6}), 1.5);
  EXPECT_EQ(Ipc(both, {0, 7, 6}), std::nullopt) << "no cycles";
  EXPECT_EQ(Ipc({{"cycles", 0}}, {4, 7, 6}), std::nullopt);
}

// A process with one sample, whose counts are these.
model::ProcessProfile Process(uint64_t pid, std::initializer_list<const char*> events, const Counts& counts) {
  test::ProfileBuilder builder(pid);
  builder.AddThread(1, Thread::INITIAL, 1000);
  const uint32_t leaf = builder.AddNode(1, builder.AddNode(1, 0, NODE_ROOT), NODE_FRAME, 0x1000);
  builder.AddSample({.node = leaf});
  model::ProcessProfile process = test::Read(builder).profile;
  for (const char* event : events) process.header.add_counted_events(event);
  process.samples.at(0).cost.counts = counts;
  return process;
}

TEST(CountedEvents, AreAddedUpInAView) {
  const model::ProcessProfile first = Process(1, {"cycles", "instructions"}, {10, 20});
  const model::ProcessProfile second = Process(2, {"instructions", "cycles", "branches"}, {200, 100, 7});
  model::Symbolizer symbolizer;
  const View view = BuildView({&first, &second}, ViewKind::kUser, &symbolizer);
  ASSERT_EQ(Names(view.counted), (List{"cycles", "instructions"}));
  EXPECT_EQ(view.total_counts[view.counted[0].at], 110u);
  EXPECT_EQ(view.total_counts[view.counted[1].at], 220u);
  Counts sum{};
  for (const ViewSample& sample : view.samples) model::AddCounts(sample.cost.counts, &sum);
  EXPECT_EQ(sum, view.total_counts);
  ASSERT_EQ(view.warnings.size(), 1u);
  EXPECT_NE(view.warnings[0].find("different events"), std::string::npos) << view.warnings[0];
}

}  // namespace
}  // namespace ompprof::analyze
