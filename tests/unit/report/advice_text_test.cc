// Numbers in sentences of advice.
#include "profiler/report/sections/advice.h"

#include <gtest/gtest.h>

namespace ompprof::report {
namespace {

TEST(AdviceText, HasWholeNumbersOfProcessors) {
  analyze::Advice advice{};
  advice.kind = analyze::AdviceKind::kTooManyThreads;
  for (const auto& [cpus, number] :
       {std::pair(0.0, "1"), std::pair(2.5, "2"), std::pair(64.0, "64"), std::pair(3888420000.0, "3888420000")}) {
    advice.cpus = cpus;
    const std::string text = AdviceText(advice);
    EXPECT_NE((text + "\n").find("OMP_NUM_THREADS=" + std::string(number) + "\n"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ompprof::report
