// The outcome of a comparison for a continuous integration: what is in it, and that hostile names stay data.
#include "profiler/report/diff/diff_gate.h"

#include <gtest/gtest.h>

#include "profiler/analyze/compare/diff.h"

namespace ompprof::report {
namespace {

using analyze::GatedFigure;

constexpr char kHostile[] = "evil<&\"'>\x1b[2J\n::error::x%0A,\xef\xbf\xbf";

analyze::FunctionFigures Function(const std::string& name, uint64_t samples, const std::string& path, uint32_t line) {
  analyze::FunctionFigures figures;
  figures.name = name;
  figures.file = path.substr(path.rfind('/') + 1);
  figures.self.AddSamples(samples, samples * 1000000);
  figures.total = figures.self;
  figures.path = path;
  figures.declared = line;
  return figures;
}

analyze::RunFigures OneRun(uint64_t hot, uint64_t warm, uint64_t hostile) {
  analyze::RunFigures run;
  run.functions = {Function("hot", hot, "/work/src/a,b.c", 12), Function("warm", warm, "/elsewhere/b.c", 0),
                   Function(kHostile, hostile, "", 0), Function("<omp overhead>", hot, "", 0)};
  for (const analyze::FunctionFigures& function : run.functions) {
    run.cpu.value += function.self.value;
    run.cpu.variance += function.self.variance;
  }
  run.wall = analyze::Amount::Unknown(2e9);
  return run;
}

// hot takes 50 % more, warm 20 %, and the function with the hostile name 100 %.
std::vector<GatedFigure> Figures(double percent) {
  return analyze::TestFigures(analyze::Compare({OneRun(4000, 2000, 1000)}, {OneRun(6000, 2400, 2000)}), percent);
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

DiffGateOptions Options(double percent) {
  DiffGateOptions options;
  options.percent = percent;
  options.before = "old <1>";
  options.after = "new";
  options.folder = "/work";
  return options;
}

TEST(DiffJunit, ATestCaseForEachFigureAndAFailureForEachRegression) {
  const std::string xml = DiffJunit(Figures(30), Options(30));
  // Wall time, CPU time, hot, warm and the hostile name. <omp overhead> is no code.
  EXPECT_EQ(CountOf(xml, "<testcase "), 5u) << xml;
  EXPECT_EQ(CountOf(xml, "<failure "), 3u) << xml;
  EXPECT_EQ(CountOf(xml, " tests=\"5\" failures=\"3\" errors=\"0\""), 2u) << xml;
  EXPECT_EQ(CountOf(xml, " skipped=\"1\""), 1u) << xml;
  EXPECT_EQ(xml.find("overhead"), std::string::npos);
  EXPECT_NE(xml.find("<testcase name=\"hot (a,b.c)\" classname=\"ompprof.functions\" time=\"6.000000\">\n"
                     "      <failure message=\"slower beyond noise and by more than 30 %: CPU time of function hot "
                     "(a,b.c): 4.00 s before, 6.00 s after, +50.0 %\" type=\"regression\">"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("+50.0 %\n/work/src/a,b.c:12</failure>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<testcase name=\"warm (b.c)\" classname=\"ompprof.functions\" time=\"2.400000\"/>"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<testcase name=\"wall time\" classname=\"ompprof.run\" time=\"2.000000\">\n      <skipped "),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("name=\"evil&lt;&amp;&quot;'&gt;?[2J?::error::x%0A,?\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<property name=\"before\" value=\"old &lt;1&gt;\"/>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<property name=\"fail-on-regression\" value=\"30\"/>"), std::string::npos) << xml;
}

TEST(DiffJunit, WithoutAGateNothingFails) {
  const std::string xml = DiffJunit(Figures(1e300), Options(-1));
  EXPECT_EQ(CountOf(xml, "<failure "), 0u) << xml;
  EXPECT_EQ(CountOf(xml, "<testcase "), 5u) << xml;
  EXPECT_EQ(xml.find("fail-on-regression"), std::string::npos) << xml;
}

TEST(DiffGithub, ErrorsForRegressionsAndThenWarnings) {
  const std::string text = DiffGithub(Figures(30), Options(30));
  EXPECT_EQ(text,
            "::error title=ompprof%3A CPU time::slower beyond noise and by more than 30 %25: CPU time: 11.00 s before, "
            "16.40 s after, +49.1 %25\n"
            "::error file=src/a%2Cb.c,line=12,title=ompprof%3A function hot (a%2Cb.c)::slower beyond noise and by more "
            "than 30 %25: CPU time of function hot (a,b.c): 4.00 s before, 6.00 s after, +50.0 %25\n"
            "::error title=ompprof%3A function evil<&\"'>?[2J?%3A%3Aerror%3A%3Ax%250A%2C\xef\xbf\xbf::slower beyond "
            "noise and by more than 30 %25: CPU time of function evil<&\"'>?[2J?::error::x%250A,\xef\xbf\xbf: 1.00 s "
            "before, 2.00 s after, +100.0 %25\n"
            "::warning file=/elsewhere/b.c,title=ompprof%3A function warm (b.c)::slower beyond noise: CPU time of "
            "function warm (b.c): 2.00 s before, 2.40 s after, +20.0 %25\n");
}

TEST(DiffGithub, EventsAreMoreAndWallTimeIsATime) {
  DiffGateOptions options = Options(5);
  options.nanoseconds = false;
  options.measured = "cache-misses";
  const analyze::RunFigures before = OneRun(4000, 2000, 1000);
  const analyze::RunFigures after = OneRun(6000, 2000, 1000);
  analyze::RunFigures slow = after;
  slow.wall = analyze::Amount::Unknown(4.001e9);
  analyze::RunFigures slower = after;
  slower.wall = analyze::Amount::Unknown(4e9);
  analyze::RunFigures fast = before;
  fast.wall = analyze::Amount::Unknown(2.001e9);
  const std::string text =
      DiffGithub(analyze::TestFigures(analyze::Compare({before, fast}, {slow, slower}), 5, "cache-misses"), options);
  EXPECT_NE(
      text.find("::error title=ompprof%3A wall time::slower beyond noise and by more than 5 %25: wall time: 2.00 s "
                "before, 4.00 s after"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("::more beyond noise and by more than 5 %25: cache-misses of function hot (a,b.c): 4.00 G before, "
                "6.00 G after"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace ompprof::report
