// Tables that a program registers for generated code.
#include "profiler/collect/unwind/registered_frames.h"

#include <gtest/gtest.h>
#include <string.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

// An .eh_frame section with absolute addresses. Functions need not exist.
class Section {
 public:
  Section() {
    // Length 20, a CIE of version 1 with augmentation "zR", absolute pointers, CFA = rsp + 8.
    bytes_ = {20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0, 0x0c, 7, 8, 0x90, 1, 0, 0};
  }
  size_t AddFunction(uintptr_t begin, uintptr_t size) {
    const size_t at = bytes_.size();
    Add<uint32_t>(28);
    Add<uint32_t>(static_cast<uint32_t>(at + 4));
    Add<uintptr_t>(begin);
    Add<uintptr_t>(size);
    Add<uint64_t>(0);  // no augmentation data; instructions that do nothing
    return at;
  }
  const uint8_t* Finish() {
    Add<uint32_t>(0);
    return bytes_.data();
  }
  const uint8_t* at(size_t place) const { return bytes_.data() + place; }

 private:
  template <class Value>
  void Add(Value value) {
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof(value));
  }
  std::vector<uint8_t> bytes_;
};

// The first address of the function at `pc`; 0: there is none.
uintptr_t Begin(uintptr_t pc) {
  EntryScratch scratch;
  Fde fde;
  return FindRegisteredFde(pc, &scratch, &fde) ? fde.pc_begin : 0;
}

constexpr uintptr_t kCode = 0x700000000000;

TEST(RegisteredFrames, EachFunctionIsFoundUntilItsSectionIsRemoved) {
  Section section;
  section.AddFunction(kCode, 16);
  section.AddFunction(kCode + 16, 4000);  // in many granules, with its neighbours at both ends
  section.AddFunction(kCode + 4016, 16);
  const uint8_t* begin = section.Finish();
  EXPECT_EQ(Begin(kCode), 0u);
  AddRegisteredFrames(begin);
  EXPECT_EQ(Begin(kCode - 1), 0u);
  EXPECT_EQ(Begin(kCode), kCode);
  EXPECT_EQ(Begin(kCode + 15), kCode);
  for (uintptr_t pc = kCode + 16; pc < kCode + 4016; pc += 100) EXPECT_EQ(Begin(pc), kCode + 16) << pc - kCode;
  EXPECT_EQ(Begin(kCode + 4016), kCode + 4016);
  EXPECT_EQ(Begin(kCode + 4032), 0u);
  RemoveRegisteredFrames(begin);
  for (uintptr_t pc = kCode; pc < kCode + 4032; pc += 8) EXPECT_EQ(Begin(pc), 0u) << pc - kCode;
}

TEST(RegisteredFrames, OneEntryAlone) {
  Section section;
  const size_t entry = section.AddFunction(kCode, 100);
  section.AddFunction(kCode + 100, 100);
  section.Finish();
  AddRegisteredFrames(section.at(entry));
  EXPECT_EQ(Begin(kCode + 99), kCode);
  EXPECT_EQ(Begin(kCode + 100), 0u);
  RemoveRegisteredFrames(section.at(entry));
  EXPECT_EQ(Begin(kCode + 99), 0u);
}

// A section that is gone without a word: its entry is not read, or is another's.
TEST(RegisteredFrames, AnEntryThatIsGone) {
  Section section;
  const size_t entry = section.AddFunction(kCode, 100);
  const uint8_t* begin = section.Finish();
  AddRegisteredFrames(begin);
  memset(const_cast<uint8_t*>(section.at(entry)), 0xee, 32);
  EXPECT_EQ(Begin(kCode), 0u);
}

// More functions than the table holds: those that are found are right, and the places serve again.
TEST(RegisteredFrames, AFullTable) {
  constexpr uintptr_t kBase = kCode + (1ull << 40);
  constexpr uintptr_t kFunctions = 100000;
  constexpr uintptr_t kSize = 256;
  for (int round = 0; round < 3; ++round) {
    Section section;
    for (uintptr_t i = 0; i < kFunctions; ++i) section.AddFunction(kBase + i * kSize, kSize);
    const uint8_t* begin = section.Finish();
    AddRegisteredFrames(begin);
    uintptr_t found = 0;
    for (uintptr_t i = 0; i < kFunctions; ++i) {
      const uintptr_t function = Begin(kBase + i * kSize + 5);
      if (function == 0) continue;
      EXPECT_EQ(function, kBase + i * kSize);
      ++found;
    }
    EXPECT_GT(found, 50000u) << round;
    RemoveRegisteredFrames(begin);
    for (uintptr_t i = 0; i < kFunctions; i += 10) EXPECT_EQ(Begin(kBase + i * kSize), 0u);
  }
}

TEST(RegisteredFrames, SearchesBesideChanges) {
  constexpr uintptr_t kBase = kCode + (2ull << 40);
  std::atomic<bool> done{false};
  std::vector<std::thread> makers;
  for (uintptr_t maker = 0; maker < 2; ++maker) {
    makers.emplace_back([&done, maker] {
      Section section;
      for (uintptr_t i = 0; i < 100; ++i) section.AddFunction(kBase + i * 512 + maker * 256, 256);
      const uint8_t* begin = section.Finish();
      while (!done) {
        AddRegisteredFrames(begin);
        RemoveRegisteredFrames(begin);
      }
    });
  }
  for (uintptr_t i = 0, found = 0; found < 10000; ++i) {
    const uintptr_t function = kBase + i % 200 * 256;
    const uintptr_t begin = Begin(function + i % 256);
    if (begin == 0) continue;
    EXPECT_EQ(begin, function);
    ++found;
  }
  done = true;
  for (std::thread& maker : makers) maker.join();
}

}  // namespace
}  // namespace ompprof::collect
