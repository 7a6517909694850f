// The proved pages and the price of their proofs. A page that has gone is not proved.
#include "profiler/collect/unwind/readable_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace ompprof::collect {
namespace {

constexpr uintptr_t kPage = ReadablePages::kSize;
constexpr uintptr_t kPages = 64;

class ReadablePagesTest : public ::testing::Test {
 protected:
  ReadablePagesTest() {
    void* memory = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_ = reinterpret_cast<uintptr_t>(memory);
    fuel_.Fill();
  }
  ~ReadablePagesTest() override { munmap(reinterpret_cast<void*>(base_), kPages * kPage); }

  uintptr_t Page(uintptr_t number) const { return base_ + number * kPage; }
  void Close(uintptr_t number) { ASSERT_EQ(mprotect(reinterpret_cast<void*>(Page(number)), kPage, PROT_NONE), 0); }
  // Proves a word. Returns the cost in system calls; 1000 if the proof failed.
  uint32_t Prove(uintptr_t address, StackPart within) {
    const uint32_t before = fuel_.Affordable(Cut::kFrames);
    const bool proved = pages_.Prove(address, address + 8, within, &fuel_);
    return proved ? (before - fuel_.Affordable(Cut::kFrames)) / Fuel::kProof : 1000;
  }
  uint32_t Prove(uintptr_t address) { return Prove(address, {base_, Page(kPages)}); }
  void ExpectRun(uintptr_t first, uintptr_t end) const {
    EXPECT_EQ(pages_.low(), Page(first));
    EXPECT_EQ(pages_.high(), Page(end));
  }

  uintptr_t base_;
  Fuel fuel_;
  ReadablePages pages_;
};

TEST_F(ReadablePagesTest, TwoPagesForOneCallAndThenNone) {
  EXPECT_EQ(Prove(Page(10) + 100), 1u);
  ExpectRun(10, 12);
  EXPECT_EQ(Prove(Page(11) + 4088), 0u);
  EXPECT_EQ(Prove(Page(12)), 1u);
  ExpectRun(10, 14);
  EXPECT_EQ(Prove(Page(9)), 1u);
  ExpectRun(8, 14);
  EXPECT_EQ(Prove(Page(8) + 8), 0u);
}

TEST_F(ReadablePagesTest, AWordInTwoPages) {
  EXPECT_EQ(Prove(Page(11) - 4), 1u);
  ExpectRun(10, 12);
  Close(13);
  EXPECT_EQ(Prove(Page(13) - 4), 1000u);
  EXPECT_GE(pages_.low(), Page(10));
  EXPECT_LE(pages_.high(), Page(13));
}

TEST_F(ReadablePagesTest, PagesBeyondTheStackAreNotAskedFor) {
  EXPECT_EQ(Prove(Page(10), {Page(10), Page(11)}), 1u);
  ExpectRun(10, 11);
  EXPECT_EQ(Prove(Page(9), {Page(9), Page(11)}), 1u);
  ExpectRun(9, 11);
}

TEST_F(ReadablePagesTest, AClosedPageEndsIt) {
  Close(12);
  EXPECT_EQ(Prove(Page(10)), 1u);
  EXPECT_EQ(Prove(Page(12)), 1000u);
  ExpectRun(10, 12);
  Close(9);
  EXPECT_EQ(Prove(Page(9)), 1000u);
  ExpectRun(10, 12);
  // The next page is closed: two calls for one page.
  Close(21);
  EXPECT_EQ(Prove(Page(40)), 1u);
  EXPECT_EQ(Prove(Page(20)), 2u);
  ExpectRun(20, 21);
}

TEST_F(ReadablePagesTest, ASmallGapIsProvedALargeOneIsNot) {
  EXPECT_EQ(Prove(Page(10)), 1u);
  EXPECT_EQ(Prove(Page(20)), 5u);
  ExpectRun(10, 22);
  EXPECT_EQ(Prove(Page(50)), 1u);
  ExpectRun(50, 52);
  // A gap that cannot be read. The known run is given up, because it cannot join the new run.
  Close(54);
  EXPECT_LT(Prove(Page(56)), 10u);
  ExpectRun(56, 58);
}

TEST_F(ReadablePagesTest, KnownPagesCostNothing) {
  pages_.Know(Page(10) + 5);
  ExpectRun(10, 11);
  EXPECT_EQ(Prove(Page(10) + 4000), 0u);
  pages_.Know(Page(9));
  ExpectRun(9, 11);
  pages_.Know(Page(11) + 1);
  ExpectRun(9, 12);
  pages_.Know(Page(14));  // near: the proved pages are worth more
  ExpectRun(9, 12);
  pages_.Know(Page(60));
  ExpectRun(60, 61);
}

TEST_F(ReadablePagesTest, WithoutFuelNothingIsProved) {
  fuel_.Spend(fuel_.Affordable(Cut::kFrames) - Fuel::kProof + 1);
  EXPECT_EQ(Prove(Page(10)), 1000u);
  EXPECT_TRUE(fuel_.Has(Cut::kFrames));
}

}  // namespace
}  // namespace ompprof::collect
