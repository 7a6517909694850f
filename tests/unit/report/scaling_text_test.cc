// The sentences of `ompprof scale`.
#include "profiler/report/sections/scaling.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ompprof::report {
namespace {

using analyze::ScalingPart;

analyze::ScalingRun ARun(uint32_t threads, double wall, double work, ScalingPart rest = ScalingPart::kBarriers) {
  analyze::ScalingRun run;
  run.threads = threads;
  run.processors = 8;
  run.wall_ns = wall * 1e9;
  run.work_ns = work * 1e9;
  run.parts[rest] = (threads * wall - work) * 1e9;
  return run;
}

void AddRegion(double elapsed, double work, double barriers, analyze::ScalingRun* run) {
  analyze::RunRegion& region = run->regions.emplace_back();
  region.name = "relax [omp parallel a.c:40]";
  region.times.elapsed_ns = elapsed * 1e9;
  region.times.work_ns = work * 1e9;
  region.times.parts[ScalingPart::kBarriers] = barriers * 1e9;
}

void AddCode(uint64_t samples, analyze::ScalingRun* run) {
  analyze::Amount amount;
  amount.AddSamples(samples, samples * 1000000);
  run->functions.functions.push_back({"sweep", "a.c", 0, amount, amount, "/src/a.c", 12});
  run->lines.functions.push_back({"sweep", "a.c", 14, amount, amount, "/src/a.c", 14});
}

std::string TextOf(const std::vector<analyze::ScalingRun>& runs) {
  ScalingOptions options;
  options.command = "./stencil";
  options.profile = "runs/a.ompprof";
  return ScalingText(analyze::MeasureScaling(runs), options);
}

void ExpectIn(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(ScalingText, WhereItEndsAndWhy) {
  analyze::ScalingRun one = ARun(1, 4, 4), two = ARun(2, 2.1, 4.1), four = ARun(4, 2.2, 8);
  AddRegion(4, 4, 0, &one);
  AddRegion(2.1, 4.1, 0.1, &two);
  AddRegion(2.2, 8, 0.8, &four);
  AddCode(4000, &one);
  AddCode(4100, &two);
  AddCode(8000, &four);
  const std::string text = TextOf({one, two, four});
  ExpectIn(text,
           "Beyond 2 threads it gets no faster: 4 threads take 1.05 times as long. With 2 it is 1.90 times as fast");
  ExpectIn(text,
           "With 4 threads, 45.5 % of the threads' time is the work that 1 thread did. The rest: 45.5 % work "
           "inflation, 9.1 % at barriers.");
  ExpectIn(text, "The same work takes 2.00 times the CPU time");
  ExpectIn(text, "100.0 % of what it grew by is in relax [omp parallel a.c:40].");
  ExpectIn(text, "sweep (a.c:12) grows most, at line 14.");
  ExpectIn(text,
           "relax [omp parallel a.c:40] is fastest with 2 threads: num_threads(2) there saves 100.00 ms of the 2.20 s");
  ExpectIn(text, "Of the time at barriers, 100.0 % is in relax [omp parallel a.c:40].");
  ExpectIn(text, "To do: run it with 2 threads, the fewest within 5.0 % of the best time.");
  ExpectIn(text, "Were the speed-up of relax [omp parallel a.c:40] ideal, 4 threads would take 1.20 s less (54.5 %).");
  ExpectIn(text, "More of one run: ompprof report runs/a.ompprof");
  ExpectIn(text, "One run each does not tell how much times vary");
}

TEST(ScalingText, WhereTheProgramIsWhileWorkersAreIdle) {
  analyze::ScalingRun two = ARun(2, 3, 4, ScalingPart::kIdle);
  two.serial.name = "read_input";
  two.serial.file = "input.c";
  two.serial.declared = 7;
  ExpectIn(TextOf({ARun(1, 4, 4), two}),
           "Outside of parallel regions, the program is mostly in read_input (input.c:7).");
}

TEST(ScalingText, ADifferenceWithinChanceIsNone) {
  ExpectIn(TextOf({ARun(1, 4, 4), ARun(2, 2, 4), ARun(4, 1.998, 4)}),
           "Beyond 2 threads it gets no faster: 4 threads take 1.00 times as long. With 2 it is 2.00 times as fast");
}

TEST(ScalingText, NothingToChange) {
  const std::string text = TextOf({ARun(1, 4, 4), ARun(2, 2.02, 4)});
  ExpectIn(text, "It gets faster up to 2 threads, the most with a processor each: 1.98 times as fast as with 1.");
  ExpectIn(text, "nothing else is worth a change");
  EXPECT_EQ(text.find("To do:"), std::string::npos) << text;
}

TEST(ScalingText, NoVerdictWithoutProcessors) {
  const std::string busy = TextOf({ARun(1, 4, 4), ARun(2, 3, 4, ScalingPart::kReady)});
  ExpectIn(busy, "No verdict: other programs took processors.");
  ExpectIn(busy, "ready without one for up to 33.3 % of their time");
  EXPECT_EQ(busy.find("To do:"), std::string::npos) << busy;
  analyze::ScalingRun crowded = ARun(16, 3, 4);
  ExpectIn(TextOf({ARun(1, 4, 4), crowded}), "only those with 1 thread had them.");
  ExpectIn(TextOf({crowded}), "All runs had 16 threads");
  crowded.threads = 32;
  ExpectIn(TextOf({ARun(1, 4, 4), ARun(2, 2, 4), crowded}),
           "32 threads shared 8 processors: shown below, and left out above.");
  crowded.bound = true;
  ExpectIn(TextOf({ARun(1, 4, 4), ARun(2, 2, 4), crowded}), "to which they were bound although the program may use");
}

TEST(ScalingText, NumbersOfThreadsThatTheProgramDidNotTake) {
  analyze::ScalingRun one = ARun(2, 2, 4), two = ARun(2, 2, 4), eight = ARun(2, 2, 4);
  one.asked = 1;
  two.asked = 2;
  eight.asked = 8;
  const std::string text = TextOf({one, two, eight});
  ExpectIn(text, "All runs had 2 threads");
  ExpectIn(text, "OMP_NUM_THREADS=1, 8 did not get its number of threads");
}

TEST(ScalingText, AnExtrapolationOrWhyNot) {
  const analyze::Scaling scaling = analyze::MeasureScaling({ARun(1, 4, 4), ARun(2, 2, 4)});
  ScalingOptions options;
  options.extrapolation.threads = 16;
  options.extrapolation.law_ns = 0.5e9;
  options.extrapolation.law_margin_ns = 0.1e9;
  options.extrapolation.amdahl_ns = 0.4e9;
  ExpectIn(ScalingText(scaling, options),
           "With 16 threads and as many processors: 500.00 ms ± 100.00 ms by the Universal "
           "Scalability Law; 400.00 ms by Amdahl's law with the measured inflation.");
  options.extrapolation.why_not = "no reason";
  ExpectIn(ScalingText(scaling, options), "No extrapolation to 16 threads and as many processors: no reason.");
}

TEST(ScalingText, EachFormatHasEachNumberOfThreads) {
  const analyze::Scaling scaling = analyze::MeasureScaling({ARun(1, 4, 4), ARun(2, 2.5, 4.5)});
  ScalingOptions options;
  options.command = "./stencil";
  options.extrapolation.threads = 16;
  options.extrapolation.why_not = "no reason";
  const nlohmann::json json = nlohmann::json::parse(ScalingJson(scaling, options));
  EXPECT_EQ(json["command"], "./stencil");
  EXPECT_EQ(json["extrapolation"]["why_not"], "no reason");
  EXPECT_EQ(json["points"][1]["threads"], 2);
  EXPECT_EQ(json["points"][1]["parts"]["work_inflation_ns"], 0.5e9);
  EXPECT_EQ(json["points"][1]["parts"]["at_barriers_ns"], 0.5e9);
  const std::string csv = ScalingCsv(scaling);
  ExpectIn(csv,
           "threads,processors,runs,wall_ns,speedup,work_ns,work_inflation_ns,in_the_OpenMP_runtime_ns,at_barriers_ns");
  ExpectIn(csv, "\r\n2,8,1,2500000000,1.6,4000000000,500000000,0,500000000");
}

}  // namespace
}  // namespace ompprof::report
