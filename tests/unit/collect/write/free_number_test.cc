#include "profiler/collect/write/files/profile_file.h"

#include <gtest/gtest.h>

#include <set>

namespace ompprof::collect {
namespace {

// The result, with the numbers 1 to `taken` taken; how many numbers were looked at.
unsigned Search(unsigned taken, unsigned* looks) {
  *looks = 0;
  return FreeNumber(1000000, [&](unsigned number) {
    ++*looks;
    return number <= taken;
  });
}

TEST(FreeNumber, IsTheNextOne) {
  unsigned looks = 0;
  EXPECT_EQ(Search(0, &looks), 1u);
  EXPECT_EQ(looks, 1u);
  for (const unsigned taken : {1u, 2u, 3u, 4u, 7u, 8u, 1000u, 12345u, 524288u, 999998u}) {
    EXPECT_EQ(Search(taken, &looks), taken + 1) << taken;
    EXPECT_LE(looks, 40u) << taken;
  }
}

TEST(FreeNumber, IsFreeWhereThereAreGaps) {
  const std::set<unsigned> taken = {1, 2, 4, 5, 6, 9, 16};
  const unsigned number = FreeNumber(1000000, [&](unsigned each) { return taken.count(each) != 0; });
  EXPECT_EQ(taken.count(number), 0u) << number;
}

TEST(FreeNumber, AllAreTaken) {
  EXPECT_EQ(FreeNumber(1000, [](unsigned) { return true; }), 1000u) << "the caller's attempt fails";
}

}  // namespace
}  // namespace ompprof::collect
