// The places of constructs, as LLVM's compilers tell them to the OpenMP runtime. (flang_test reads them from programs.)
#include "profiler/model/construct_places.h"

#include <gtest/gtest.h>

namespace ompprof::model {
namespace {

TEST(ConstructLine, IsTheThirdField) {
  EXPECT_EQ(ConstructLine(";FIRModule;_QQmain;63;9;;"), 63u);
  EXPECT_EQ(ConstructLine(";a;b.f90;solve;7;11;;"), 7u);  // a semicolon in the file's name
  EXPECT_EQ(ConstructLine(";unknown;unknown;0;0;;"), 0u);
}

TEST(ConstructLine, IsNoneForOtherText) {
  for (const char* text : {"", ";", ";;", ";;;", ";;;;", ";;;;;;", ";a;b;c;d;;", "7;;", ";7;;", "63"})
    EXPECT_EQ(ConstructLine(text), 0u) << text;
}

}  // namespace
}  // namespace ompprof::model
