// CSV tables: cells by RFC 4180, raw numbers with units in the heading, and rectangular tables. Figures are made up.
#include <gtest/gtest.h>

#include <sstream>

#include "profiler/report/basics/csv_writer.h"
#include "profiler/report/whole/csv_report.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

using test::MadeUpView;

// RFC 4180, section 2: CRLF; fields with commas or quotes in quotes, quotes doubled.
TEST(CsvWriter, Rfc4180) {
  CsvWriter csv({"name", "time_ns", "share"});
  csv.Text("f(int, char const*)").Number(uint64_t{18446744073709551615u}).Number(0.25);
  csv.End();
  csv.Text("operator\"\"_s").Number(uint64_t{0}).Number(1.0);
  csv.End();
  EXPECT_EQ(csv.text(),
            "name,time_ns,share\r\n"
            "\"f(int, char const*)\",18446744073709551615,0.25\r\n"
            "\"operator\"\"\"\"_s\",0,1\r\n");
}

TEST(CsvWriter, TextStaysInItsCell) {
  CsvWriter csv({"a"});
  csv.Text("one\r\ntwo\x1b[2J");
  csv.End();
  EXPECT_EQ(csv.text(), "a\r\none??two?[2J\r\n");
}

TEST(CsvFunctions, RawNumbersWithUnitsInTheHeader) {
  MadeUpView run;
  run.Add({.path = {"main", "f(int, int)"}, .samples = 3, .weight = 3000, .wait = 7});
  run.Add({.path = {"main"}, .samples = 1, .weight = 1000, .blame = 9});
  model::Symbolizer symbolizer;
  // Errors: 0.75 and 0.25 of 4 samples are 0.4494 either way, 1 of 4 is 0.4899.
  EXPECT_EQ(CsvFunctions(run.view, symbolizer),
            "name,file,line,module,self_cpu_ns,self_cpu_error_ns,total_cpu_ns,total_cpu_error_ns,self_samples,"
            "total_samples,wait_ns,blame_ns,total_blame_ns,wait_ci95,blame_ci95,total_blame_ci95\r\n"
            "\"f(int, int)\",\"f(int, int).c\",1,,3000,1552,3000,1552,3,3,7,0,0,0,0,0\r\n"
            "main,main.c,1,,1000,1552,4000,1470,1,4,0,9,9,0,0,0\r\n");
  const std::string by = CsvFunctions(run.view, symbolizer, false, analyze::Dimension::kThread);
  EXPECT_EQ(by.substr(0, 12), "thread,name,");
  EXPECT_NE(by.find("\r\nthread 1,main,"), std::string::npos) << by;
}

TEST(CsvFunctions, EventsAreNoTimes) {
  MadeUpView run;
  run.process().sampling.weight_unit = "events";
  run.process().sampling.clock = "cache-misses";
  run.Add({.path = {"main"}});
  EXPECT_NE(CsvFunctions(run.view, model::Symbolizer()).find("self_events,self_error_events"), std::string::npos);
}

// Every row has as many cells as the header.
TEST(CsvReport, TablesAreRectangular) {
  MadeUpView run;
  run.Add({.path = {"main"}});
  analyze::Region region;
  region.construct = run.Function("r [omp parallel r.c:1]");
  run.view.regions.push_back(region);
  run.process().threads.emplace_back().id = 1;
  analyze::WaitTotal wait{};
  wait.thread = 1;
  run.view.waits.push_back(wait);
  analyze::Locks locks;
  locks.locks.emplace_back();
  for (const std::string& text : {CsvRegions(run.view), CsvThreads(run.view, analyze::Summarize(run.view)),
                                  CsvLocks(run.view, locks), CsvWaits(run.view), CsvStates(run.view)}) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    const auto cells = std::count(line.begin(), line.end(), ',');
    int rows = 0;
    for (; std::getline(lines, line); ++rows) EXPECT_EQ(std::count(line.begin(), line.end(), ','), cells) << text;
    EXPECT_EQ(rows, 1) << text;
  }
}

}  // namespace
}  // namespace ompprof::report
