#include <gtest/gtest.h>

#include "profiler/analyze/view/view.h"
#include "profiler/report/exports/exports.h"

namespace ompprof::report {
namespace {

TEST(WithoutOtf2Test, SaysWhyAndWhatToDo) {
  const model::Status status = Otf2(analyze::View(), "trace");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.sentence().find("trace: "), 0u);
  EXPECT_NE(status.sentence().find("libopen-trace-format2-dev"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::report
