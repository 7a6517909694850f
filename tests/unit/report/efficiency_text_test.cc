#include "profiler/report/sections/efficiency.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

constexpr uint64_t kSecond = 1000000000;

TEST(EfficiencyText, NamesEachLossInPlainWords) {
  const test::MadeUpView run;
  analyze::Efficiency efficiency;
  efficiency.known = true;
  efficiency.threads = 2;
  efficiency.duration_ns = 2 * kSecond;
  efficiency.useful_ns = 2 * kSecond;
  efficiency.useful_max_ns = 3 * kSecond / 2;
  efficiency.wait_ns = kSecond;
  efficiency.idle_ns = kSecond / 4;
  efficiency.partial_ns = kSecond / 2;
  const std::string text = EfficiencyText(run.view, efficiency, {});
  for (const char* expected :
       {"x busiest thread 75.0 %\n", "1.00 s of thread time in regions; workers idle between regions: 250.00 ms",
        "team waiting         500.00 ms of parallel time in which some threads waited for others\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in " << text;
  for (const char* jargon : {"communication", "partly busy"}) EXPECT_EQ(text.find(jargon), std::string::npos) << text;
}

}  // namespace
}  // namespace ompprof::report
