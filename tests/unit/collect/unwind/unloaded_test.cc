// Objects that are unloaded while their tables are read, by a dlclose that the collector does not hear of.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "profiler/collect/unwind/cfi_row.h"
#include "profiler/collect/unwind/fde_finder.h"
#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/permanent_objects.h"
#include "profiler/collect/unwind/rule_finder.h"
#include "tests/unit/collect/unwind/cfi_image.h"

namespace ompprof::collect {
namespace {

constexpr uint32_t kFunctions = 400;  // more than one window of the table
constexpr uint32_t kStride = 0x40;

TEST(Unloaded, TablesThatComeAndGoNeverFault) {
  CfiImage image;
  for (uint32_t i = 0; i < kFunctions; ++i) image.AddFunction(i * kStride, kStride, {0x0e, 24});
  const Object original = image.Finish();
  const size_t size = (original.end - original.start + 4095) & ~size_t{4095};
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  memcpy(memory, reinterpret_cast<const void*>(original.start), original.end - original.start);
  const auto start = reinterpret_cast<uintptr_t>(memory);
  const Object object = {start, start + (original.end - original.start), static_cast<const uint8_t*>(memory)};
  const uintptr_t text = image.text() - original.start + start;

  std::atomic<bool> done{false};
  std::thread unloader([&] {
    while (!done) {
      mprotect(memory, size, PROT_NONE);  // as if unmapped, but nothing else can take the place
      mprotect(memory, size, PROT_READ);
      std::this_thread::yield();
    }
  });
  unsigned found = 0, gone = 0, wrong = 0;
  for (uint32_t i = 0; found < 20000 || gone < 2000; ++i) {
    EntryScratch scratch;
    RowScratch states;
    Fde fde;
    CfiRow row;
    const uintptr_t pc = text + (i * 7 % kFunctions) * kStride + 1;
    if (!FindFde(object, pc, &scratch, &fde) || !ComputeRow(object, fde, pc, &states, &row)) {
      ++gone;
      continue;
    }
    ++found;
    wrong += arch::CompileRule(fde, row, pc).cfa_offset != 24;
  }
  done = true;
  unloader.join();
  EXPECT_EQ(wrong, 0u);
  munmap(memory, size);
}

TEST(Unloaded, ALibraryThatComesAndGoesNeverFaults) {
  const char* const path = "tests/unit/collect/unwind/libreloaded.so";
  void* const first = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(first, nullptr) << dlerror();
  dlclose(first);
  std::atomic<uintptr_t> address{0};
  std::atomic<unsigned> loads{0};
  std::atomic<bool> done{false};
  std::thread unloader([&] {
    while (!done) {
      void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) abort();
      address = reinterpret_cast<uintptr_t>(dlsym(library, "Reloaded"));
      // Waits for none to some dozen microseconds, so that the object goes at every stage of a look-up.
      for (volatile unsigned turn = 0; turn < loads % 64 * 1000; ++turn) {
      }
      dlclose(library);
      ++loads;
    }
  });
  while (address == 0) std::this_thread::yield();
  RuleScratch scratch;
  unsigned with_rule = 0;
  unsigned without = 0;
  while (loads < 3000) {
    const unsigned before = loads;
    for (int i = 0; i < 20; ++i) {
      bool cacheable;
      const UnwindRule rule = FindRule(address + 4, true, &scratch, &cacheable);
      ++(rule.kind == UnwindRuleKind::kNone ? without : with_rule);
    }
    if (loads == before) std::this_thread::yield();
  }
  done = true;
  unloader.join();
  EXPECT_GE(loads, 3000u);
  EXPECT_GT(with_rule, 0u);
  EXPECT_GT(without, 0u);
}

class LongEntry : public testing::Test {
 protected:
  // Finds the row at `offset` in the function, with the entry copied or in place.
  bool FindRow(bool in_place, uint32_t offset) {
    object_.permanent = in_place;
    return FindFde(object_, image_.text() + offset, &scratch_, &fde_) &&
           ComputeRow(object_, fde_, image_.text() + offset, &states_, &row_);
  }

  void AddFunction(const Bytes& program) {
    image_.AddFunction(0, 0x10000, program);
    object_ = image_.Finish();
  }

  // A row of its own for each of `count` addresses: the CFA lies Offset(address) behind the stack pointer.
  static Bytes RowsFor(unsigned count) {
    Bytes program;
    for (unsigned i = 0; i < count; ++i) {
      for (const uint8_t byte : {0x41, 0x0e, 16 + 8 * static_cast<int>(i % 4)}) program.push_back(byte);
    }
    return program;
  }
  static int32_t Offset(uint32_t address) { return static_cast<int32_t>(16 + 8 * ((address - 1) % 4)); }

  CfiImage image_;
  Object object_ = {};
  EntryScratch scratch_;
  RowScratch states_;
  Fde fde_;
  CfiRow row_;
};

TEST_F(LongEntry, IsReadToItsEnd) {
  AddFunction(RowsFor(2000));  // 6,000 bytes
  for (const uint32_t offset : {1u, 100u, 300u, 340u, 341u, 342u, 600u, 1000u, 1999u, 2000u, 3000u}) {
    for (const bool in_place : {true, false}) {
      ASSERT_TRUE(FindRow(in_place, offset)) << offset;
      EXPECT_EQ(row_.cfa_value, Offset(offset < 2000 ? offset : 2000)) << offset;
    }
  }
}

TEST_F(LongEntry, OfMoreThanSixteenWindowsHasNoRuleBehindThem) {
  Bytes program = {0x44, 0x0e, 32};  // the first row ends after four bytes of code
  for (int i = 0; i < 3000; ++i) {   // GNU_args_size of a padded 0: 18,000 bytes, but fewer than kMaxInstructions
    for (const uint8_t byte : {0x2e, 0x80, 0x80, 0x80, 0x80, 0x00}) program.push_back(byte);
  }
  AddFunction(program);
  EXPECT_TRUE(FindRow(false, 1));
  EXPECT_TRUE(FindRow(true, 5));
  EXPECT_FALSE(FindRow(false, 5));
  const uint32_t most_reads = 4 + 16;  // header, table, FDE, CIE; then windows
  EXPECT_LE(scratch_.reads, most_reads);
}

TEST_F(LongEntry, HasExpressionsInItsBeginningAndInTheLastWindow) {
  Bytes program = {0x41, 0x0f, 2, 0x77, 40};  // CFA = the expression breg7 40
  const Bytes middle = RowsFor(1000);
  program.insert(program.end(), middle.begin(), middle.end());
  for (const uint8_t byte : {0x41, 0x0f, 2, 0x77, 48}) program.push_back(byte);
  AddFunction(program);
  for (const auto& [offset, value] : {std::pair<uint32_t, uint8_t>{1, 40}, {1002, 48}}) {
    for (const bool in_place : {true, false}) {
      ASSERT_TRUE(FindRow(in_place, offset));
      ASSERT_TRUE(row_.cfa_is_expression);
      ExpressionBytes expression;
      ASSERT_TRUE(ExpressionAt(fde_, row_.cfa_value, &expression)) << offset;
      ASSERT_EQ(expression.end - expression.begin, 2);
      EXPECT_EQ(expression.begin[1], value);
    }
  }
}

TEST_F(LongEntry, RecallsAnExpressionOfItsBeginningOnly) {
  // The expression lies in a middle window when the program's end recalls it. It is no longer at hand, and refused.
  Bytes program = RowsFor(600);
  for (const uint8_t byte : {0x41, 0x0f, 2, 0x77, 40, 0x0a}) program.push_back(byte);  // ..., remember_state
  const Bytes rest = RowsFor(800);
  program.insert(program.end(), rest.begin(), rest.end());
  for (const uint8_t byte : {0x41, 0x0b}) program.push_back(byte);  // restore_state
  AddFunction(program);
  ExpressionBytes expression;
  ASSERT_TRUE(FindRow(false, 601));
  EXPECT_TRUE(ExpressionAt(fde_, row_.cfa_value, &expression));
  ASSERT_TRUE(FindRow(false, 1402));
  EXPECT_FALSE(ExpressionAt(fde_, row_.cfa_value, &expression));
}

TEST(PermanentObjects, AreFoundByAddressWhateverTheirOrder) {
  const PermanentObject objects[] = {
      {0x5000, 0x6000, 0, 0}, {0x1000, 0x2000, 0, 0}, {0x3000, 0x3800, 0, 0}, {0x8000, 0x9000, 0, 0}};
  SetPermanentObjects(objects, 4);
  for (const uintptr_t inside : {0x1000u, 0x1fffu, 0x3000u, 0x37ffu, 0x5000u, 0x5fffu, 0x8000u, 0x8fffu}) {
    EXPECT_TRUE(IsPermanent(inside)) << inside;
  }
  for (const uintptr_t outside : {0x0u, 0xfffu, 0x2000u, 0x2fffu, 0x3800u, 0x4fffu, 0x6000u, 0x7fffu, 0x9000u}) {
    EXPECT_FALSE(IsPermanent(outside)) << outside;
  }
  SetPermanentObjects(nullptr, 0);
  EXPECT_FALSE(IsPermanent(0x1000));
}

TEST(PermanentObjects, CodeIsReadPlainlyOnlyInsideTheCode) {
  static const uint8_t bytes[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto at = reinterpret_cast<uintptr_t>(bytes);
  // Claims a page that is not there. Bytes that the claim does not call code must be read with checks.
  const PermanentObject object = {at, ~uintptr_t{0} - 4096, at, at + 8};
  SetPermanentObjects(&object, 1);
  uint8_t copy[8] = {};
  EXPECT_TRUE(ReadCode(at, copy, 8));
  EXPECT_EQ(copy[7], 8);
  EXPECT_TRUE(ReadCode(at + 1, copy, 8));
  EXPECT_EQ(copy[7], 9);
  EXPECT_FALSE(ReadCode(~uintptr_t{0} - 8192, copy, 8));
  SetPermanentObjects(nullptr, 0);
}

}  // namespace
}  // namespace ompprof::collect
