// Damaged unwind tables: takes the real .eh_frame of libc and libstdc++, changes a few bytes, and reads the result.
// (cfi_fuzz.cc takes whole tables from a fuzzer, small ones.) The readers may give any answer, but must not read
// outside the object, overflow, or fail to end. The sanitizers watch (--config=asan, --config=ubsan), and so does the
// heap: the copy is exactly as long as the object says. The changes are seeded and counted, so that every run is the
// same.
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <random>
#include <typeinfo>
#include <vector>

#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/safe_read.h"
#include "tests/fuzz/cfi_reading.h"

namespace ompprof::collect {
namespace {

using Random = std::mt19937_64;

// A copy of an object's table and entries. They lie one after the other, and refer to each other and to code by
// distance. So the copy reads like the original, with all addresses shifted.
class TableCopy {
 public:
  explicit TableCopy(const void* address_in_object) {
    Object original;
    EXPECT_TRUE(FindObject(reinterpret_cast<uintptr_t>(address_in_object), &original));
    const auto begin = reinterpret_cast<uintptr_t>(original.eh_frame_hdr);
    constexpr size_t kPage = 4096;
    for (uintptr_t at = begin; at < original.end;) {
      const size_t size = std::min(kPage - at % kPage, original.end - at);
      uint8_t page[kPage];
      if (!SafeRead(at, page, size)) break;
      bytes_.insert(bytes_.end(), page, page + size);
      at += size;
    }
    bytes_.shrink_to_fit();
    memcpy(&count_, &bytes_[8], sizeof(count_));
    EXPECT_GT(count_, 100u);
  }

  // A fresh allocation of exactly `size` bytes from the start.
  std::unique_ptr<uint8_t[]> Cut(size_t size) const {
    auto copy = std::make_unique<uint8_t[]>(size);
    memcpy(copy.get(), bytes_.data(), size);
    return copy;
  }

  std::vector<uint8_t>& bytes() { return bytes_; }
  uint32_t count() const { return count_; }
  Object object(bool permanent = true) const { return ObjectOver(bytes_.data(), bytes_.size(), permanent); }

  // If `permanent`, the bytes are read in place. Else they are copied first, as with an object that may be unloaded.
  static Object ObjectOver(const uint8_t* bytes, size_t size, bool permanent = true) {
    const auto start = reinterpret_cast<uintptr_t>(bytes);
    return {start, start + size, bytes, permanent};
  }

  // The table's entry `index`: where the function begins, and the offset of its FDE.
  uintptr_t Function(uint32_t index) const { return reinterpret_cast<uintptr_t>(bytes_.data()) + Field(index, 0); }
  size_t FdeOffset(uint32_t index) const { return static_cast<size_t>(Field(index, 4)); }

 private:
  int64_t Field(uint32_t index, size_t offset) const {
    int32_t value;
    memcpy(&value, &bytes_[12 + size_t{8} * index + offset], sizeof(value));
    return value;
  }

  std::vector<uint8_t> bytes_;
  uint32_t count_;
};

const void* const kObjects[] = {reinterpret_cast<const void*>(&snprintf), &typeid(int)};  // libc, libstdc++

class CfiFuzzTest : public testing::Test {
 protected:
  std::vector<uintptr_t> words_ = std::vector<uintptr_t>(512);
  StackBounds bounds_ = {reinterpret_cast<uintptr_t>(words_.data()),
                         reinterpret_cast<uintptr_t>(words_.data() + words_.size())};
  StackReader stack_{bounds_, bounds_.low};
  Random random_{20240229};
};

TEST_F(CfiFuzzTest, EveryUndamagedFunctionHasARow) {
  for (const void* address : kObjects) {
    TableCopy table(address);
    const Registers registers = RandomRegisters(&random_, words_);
    unsigned rows = 0;
    for (uint32_t i = 0; i < table.count(); ++i) rows += ReadAll(table.object(), table.Function(i), registers, &stack_);
    EXPECT_EQ(rows, table.count());
  }
}

// An object that may be unloaded is read by windows and copies, with the same result everywhere.
TEST_F(CfiFuzzTest, CopiedTablesGiveTheSameRows) {
  for (const void* address : kObjects) {
    TableCopy table(address);
    unsigned different = 0;
    for (uint32_t i = 0; i < table.count(); ++i) {
      for (const uintptr_t pc : {table.Function(i), table.Function(i) + 5, table.Function(i) - 1}) {
        EntryScratch scratch;
        RowScratch states;
        Fde fde[2];
        CfiRow row[2];
        bool found[2];
        for (const int copied : {0, 1}) {
          const Object object = table.object(/*permanent=*/copied == 0);
          memset(&row[copied], 0, sizeof(row[copied]));
          found[copied] =
              FindFde(object, pc, &scratch, &fde[copied]) && ComputeRow(object, fde[copied], pc, &states, &row[copied]);
        }
        different += found[0] != found[1] || (found[0] && memcmp(&row[0], &row[1], sizeof(row[0])) != 0);
      }
    }
    EXPECT_EQ(different, 0u);
  }
}

TEST_F(CfiFuzzTest, ChangedBytes) {
  constexpr unsigned kRounds = 1500000;
  for (const void* address : kObjects) {
    TableCopy table(address);
    unsigned rows = 0;
    for (unsigned round = 0; round < kRounds; ++round) {
      const auto function = static_cast<uint32_t>(random_() % table.count());
      const size_t fde = table.FdeOffset(function);
      uint32_t to_cie;
      memcpy(&to_cie, &table.bytes()[fde + 4], sizeof(to_cie));
      const size_t cie = fde + 4 - to_cie;

      // Up to six changes, in the entry, in the data that it refers to, or in the table's header; undone afterwards.
      struct Change {
        size_t at;
        uint8_t was;
      };
      std::vector<Change> changes;
      for (uint64_t n = 1 + random_() % 6; n > 0; --n) {
        const uint64_t r = random_();
        const size_t base = r % 8 == 0 ? 0 : r % 8 == 1 ? cie : fde;
        const size_t at = std::min<size_t>(base + (r >> 8) % (base == 0 ? 12 : 40), table.bytes().size() - 1);
        changes.push_back({at, table.bytes()[at]});
        constexpr uint8_t kTelling[] = {0x00, 0x7f, 0x80, 0xff, 0x0a, 0x0b, 0x0f, 0x10, 0x16, 0x06, 0x28, 0x2f};
        table.bytes()[at] = (r >> 40) % 2 == 0 ? kTelling[(r >> 48) % sizeof(kTelling)] : static_cast<uint8_t>(r >> 48);
      }
      rows += ReadAll(table.object(/*permanent=*/round % 64 != 0), table.Function(function) + random_() % 64,
                      RandomRegisters(&random_, words_), &stack_);
      for (auto change = changes.rbegin(); change != changes.rend(); ++change) table.bytes()[change->at] = change->was;
    }
    EXPECT_GT(rows, kRounds / 20);  // much of it still gets through to the interpreter
  }
}

TEST_F(CfiFuzzTest, CutShort) {
  for (const void* address : kObjects) {
    TableCopy table(address);
    for (unsigned round = 0; round < 200; ++round) {
      const size_t size = round < 100 ? round : random_() % table.bytes().size();
      const auto copy = table.Cut(size);
      const Object object = TableCopy::ObjectOver(copy.get(), size, /*permanent=*/round % 2 == 0);
      const auto shift = object.start - table.object().start;
      for (unsigned i = 0; i < 50; ++i) {
        const auto function = static_cast<uint32_t>(random_() % table.count());
        ReadAll(object, table.Function(function) + shift, RandomRegisters(&random_, words_), &stack_);
      }
    }
  }
}

TEST_F(CfiFuzzTest, RandomExpressions) {
  constexpr unsigned kRounds = 2400000;
  unsigned evaluated = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    const size_t size = 1 + random_() % 24;
    auto bytes = std::make_unique<uint8_t[]>(size);
    for (size_t i = 0; i < size; ++i) {
      const uint64_t r = random_();
      // Mostly literals, registers and operations on them, so that evaluation gets somewhere.
      bytes[i] = static_cast<uint8_t>(r % 3 == 0   ? 0x30 + (r >> 8) % 0x50
                                      : r % 3 == 1 ? 0x06 + (r >> 8) % 0x2a
                                                   : r >> 8);
    }
    uintptr_t result;
    const uintptr_t cfa = bounds_.low;
    evaluated += EvaluateExpression({bytes.get(), bytes.get() + size}, RandomRegisters(&random_, words_),
                                    round % 2 == 0 ? &cfa : nullptr, &stack_, &result);
  }
  EXPECT_GT(evaluated, kRounds / 100);
}

}  // namespace
}  // namespace ompprof::collect
