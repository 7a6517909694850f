// The first screen: it fits a terminal of 24 rows and 80 columns, and names what costs most, with places.
#include "profiler/report/whole/first_screen.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "profiler/report/basics/style.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

using analyze::AdviceKind;
using test::kSecond;
using test::MadeUpRun;

struct ShownRun : MadeUpRun {
  analyze::Answers answers;
  TextOptions options;

  explicit ShownRun(uint32_t threads) : MadeUpRun(threads, 10 * kSecond) {
    process().argv = {"./solver", "1000"};
    options.style.width = 80;
  }

  // A region whose second thread waits at its end.
  analyze::FunctionId AddLoss(const std::string& name, uint64_t ns) {
    const analyze::FunctionId region = AddRegion(name, 10, kSecond, 2 * kSecond - ns, kSecond, ns).construct;
    AddWait(2, OmptState::kWaitBarrierImplicitParallel, ns, 10, region);
    return region;
  }

  void Advise(AdviceKind kind, analyze::FunctionId where, uint64_t gain_ns) {
    analyze::Advice& advice = answers.findings.advice.emplace_back();
    advice.kind = kind;
    advice.where = where;
    advice.gain_ns = gain_ns;
  }

  std::string Text() {
    answers.efficiency = Measure();
    return FirstScreen(view, analyze::Summarize(view), model::Symbolizer(), options, answers);
  }
};

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void ExpectFits(const std::string& text, size_t width) {
  const std::vector<std::string> lines = LinesOf(text);
  EXPECT_LE(lines.size(), 23u) << text;
  for (const std::string& line : lines) EXPECT_LE(Columns(line), width) << text;
}

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(FirstScreen, ShowsTheLargestLossesAndTheBestChangesWithPlaces) {
  ShownRun run(2);
  run.AddLoss("small", kSecond / 100);
  run.AddLoss("fourth", kSecond / 10);
  const analyze::FunctionId first = run.AddLoss("first", 4 * kSecond / 5);
  run.AddLoss("second", 3 * kSecond / 5);
  run.AddLoss("third", 2 * kSecond / 5);
  run.Advise(AdviceKind::kStaticSchedule, first, 2 * kSecond / 5);
  const std::string text = run.Text();
  ExpectFits(text, 80);
  EXPECT_EQ(LinesOf(text)[0], "./solver 1000  at an unknown time");
  // 10 s of two threads; of these, 0.8 s, 0.6 s and 0.4 s.
  EXPECT_TRUE(Has(text,
                  "\n  4.0 %  at barriers  first [omp parallel a.c:1]\n"
                  "  3.0 %  at barriers  second [omp parallel a.c:1]\n"
                  "  2.0 %  at barriers  third [omp parallel a.c:1]\n\n"))
      << text;
  EXPECT_FALSE(Has(text, "fourth")) << text;
  EXPECT_TRUE(Has(text, "\n  4.0 %  400.00 ms  first [omp parallel a.c:1]\n")) << text;
  EXPECT_TRUE(Has(text, "2 threads on 2 processors")) << text;
  EXPECT_TRUE(Has(text, "\n  efficiency  90.5 %: 1.81 of 2 threads did useful work on average\n")) << text;
}

TEST(FirstScreen, FitsWithTheLongestOfEverything) {
  ShownRun run(2);
  run.process().argv.assign(100, "argument");
  run.process().complete = false;
  run.process().machine.load_duration_ns = 10 * kSecond;
  run.process().machine.busy_ns = 19 * kSecond;
  run.process().machine.online_cpus = 2;
  for (int i = 0; i < 20; ++i) run.process().notes.push_back("note " + std::to_string(i) + " of many: details");
  const std::string name = "space::" + std::string(200, 'x') + "::Solver<std::vector<double>>::relax(int)";
  for (int i = 0; i < 4; ++i) {
    const analyze::FunctionId where = run.AddLoss(name + std::to_string(i), kSecond / 2);
    run.Advise(AdviceKind::kFuseRegions, where, kSecond / 3);
  }
  for (const size_t width : {40, 80, 200}) {
    run.options.style.width = width;
    ExpectFits(run.Text(), width);
  }
  run.options.style.width = 80;
  const std::string text = run.Text();
  EXPECT_TRUE(Has(text, "caution")) << text;
  EXPECT_TRUE(Has(text, "the profile has no")) << text;
  EXPECT_TRUE(Has(text, "--full")) << text;
  // Into a file: nothing is cut, and the number of lines stays.
  run.options.style.width = 0;
  EXPECT_LE(LinesOf(run.Text()).size(), 23u);
  EXPECT_TRUE(Has(run.Text(), std::string(200, 'x')));
}

TEST(FirstScreen, SaysWhatMakesTheFiguresDoubtful) {
  ShownRun run(2);
  run.AddLoss("solve", kSecond / 10);
  EXPECT_TRUE(Has(run.Text(), "no samples: ")) << run.Text();
  run.view.total_samples = 10000;
  run.view.total_weight = 19 * kSecond;
  run.view.weight_squares = 10000.0 * 1.9e6 * 1.9e6;
  EXPECT_FALSE(Has(run.Text(), "caution")) << run.Text();
  run.process().machine.load_duration_ns = 10 * kSecond;
  run.process().machine.online_cpus = 2;
  run.process().machine.busy_ns = 20 * kSecond;
  run.process().machine.process_cpu_ns = 5 * kSecond;
  EXPECT_TRUE(Has(run.Text(), "caution     other programs used 1.50 of 2 processors")) << run.Text();
  run.process().machine.busy_ns = 5 * kSecond;
  run.process().machine.cpus = 1;
  EXPECT_TRUE(Has(run.Text(), "caution     2 threads shared 1 processor")) << run.Text();
}

TEST(FirstScreen, TellsWhyNoChangeIsKnown) {
  ShownRun run(2);
  run.AddLoss("solve", kSecond / 10);
  EXPECT_TRUE(Has(run.Text(),
                  "\n  none known that would save 3 %; one run does not tell what slows the work\n"
                  "  itself: compare with OMP_NUM_THREADS=1 (ompprof diff)\n"))
      << run.Text();
  run.answers.findings.disturbed = true;
  run.answers.findings.others_cpus = 1.5;
  // Nothing is said of a quiet machine.
  EXPECT_TRUE(Has(run.Text(), "\n  none: the run was disturbed: other programs used 1.5 of 2 processors."))
      << run.Text();
  ShownRun waiting(2);
  waiting.AddWait(2, OmptState::kWaitBarrierImplicitParallel, 8 * kSecond);
  EXPECT_TRUE(Has(waiting.Text(), "\n  none known that would save 3 %\n")) << waiting.Text();
}

TEST(FirstScreen, TellsTheEfficiencyOfTheProcessors) {
  ShownRun run(4);
  run.process().machine.cpus = 2;
  for (analyze::ThreadFacts& thread : run.process().threads) {
    thread.cpu_ns = 4 * kSecond;
    thread.ready_ns = 6 * kSecond;
    thread.ready_of_ns = thread.lifetime_ns;
  }
  EXPECT_TRUE(Has(run.Text(),
                  "4 threads shared 2 processors, and had none for 60.0 % of the time\n"
                  "              they could run"))
      << run.Text();
  EXPECT_TRUE(Has(run.Text(), "40.0 %: 1.60 of 4 threads did useful work, 80.0 % of 2 processors\n")) << run.Text();
}

TEST(FirstScreen, OfAProgramWithoutOpenmpHasFunctions) {
  ShownRun run(1);
  run.process().runtimes.clear();
  analyze::ViewSample sample{};
  const analyze::FunctionId function = run.view.frames.AddFunction({"relax", "", "solve.c", 7, 0});
  sample.path = run.view.paths.Child(analyze::kEmptyPath, run.view.frames.AddLocation({0, 0}, {{function, 7}}));
  sample.thread = 1;
  sample.cost.samples = run.view.total_samples = 100;
  sample.cost.weight = run.view.total_weight = kSecond;
  run.view.weight_squares = 1e16;
  run.view.samples.push_back(sample);
  const std::string text = run.Text();
  ExpectFits(text, 80);
  EXPECT_TRUE(Has(text, "no OpenMP seen")) << text;
  EXPECT_TRUE(Has(text, "\nHottest functions")) << text;
  EXPECT_TRUE(Has(text, "relax  solve.c:7\n")) << text;
  EXPECT_FALSE(Has(text, "Largest losses")) << text;
  EXPECT_FALSE(Has(text, "Best changes")) << text;
}

}  // namespace
}  // namespace ompprof::report
