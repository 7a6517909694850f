// The text tables of waits: counts added up over the constructs of a line, and names of states that a terminal cannot
// obey.
#include "profiler/report/sections/waits.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

using test::MadeUpView;

// The thread that came last most often is counted over all constructs of a line. Thread 2 came last three times of
// five, although thread 1 came last more often in one construct.
TEST(WaitsText, AddsUpWhoCameLast) {
  MadeUpView run;
  const analyze::FunctionId region = run.Function("r [omp parallel r.c:1]");
  const auto add = [&](uint32_t thread, uint64_t last_count, uint64_t last_by_ns) {
    analyze::WaitTotal wait{};
    wait.thread = thread;
    wait.state = OmptState::kWaitBarrierImplicitParallel;
    wait.region = region;
    wait.place = {region, 7};
    wait.count = 5;
    wait.total_ns = 1000000;
    wait.last_count = last_count;
    wait.last_by_ns = last_by_ns;
    run.view.waits.push_back(wait);
  };
  add(1, 2, 9000000);
  add(2, 1, 1000000);
  add(2, 1, 3000000);
  add(2, 1, 2000000);
  const std::string text = WaitsText(run.view, TextOptions(), 20);
  EXPECT_NE(text.find("thread 2 in 60.0 % of 5, by 2.00 ms"), std::string::npos) << text;
}

// The runtime's names of states come from the file.
TEST(WaitsText, NamesOfStatesAreFitForATerminal) {
  MadeUpView run;
  run.process().states[static_cast<uint32_t>(OmptState::kWaitBarrierImplementation)] = "\033]0;owned\007";
  analyze::WaitTotal wait{};
  wait.state = OmptState::kWaitBarrierImplementation;
  wait.count = 1;
  wait.total_ns = 1000000;
  run.view.waits.push_back(wait);
  const std::string text = WaitsText(run.view, TextOptions(), 20);
  EXPECT_NE(text.find("?]0;owned?"), std::string::npos) << text;
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

}  // namespace
}  // namespace ompprof::report
