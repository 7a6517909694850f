// Jitdumps: what their records mean, and that no bytes do harm.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "profiler/model/code_map.h"
#include "tests/unit/model/jit_dump_builder.h"

namespace ompprof::model {
namespace {

using test::JitDumpBuilder;

std::string NameAt(const CodeMap& map, uint64_t address) {
  const Function* function = map.Find(address);
  return function == nullptr ? "" : function->name;
}

std::string LineAt(const CodeMap& map, uint64_t address) {
  const SourceFrame frame = map.FrameAt(address);
  return frame.file + ":" + std::to_string(frame.line);
}

TEST(JitDump, LoadsInBothByteOrders) {
  for (const bool swapped : {false, true}) {
    JitDumpBuilder dump(swapped, 48);
    dump.Load(0x7f00, 0x10, 1, "first", "machine code");
    dump.Load(0x7f20, 8, 2, "_ZN4heat6secondEi");
    const CodeMap map = CodeMap::OfJitDump(dump.bytes());
    EXPECT_EQ(NameAt(map, 0x7eff), "");
    EXPECT_EQ(NameAt(map, 0x7f00), "first");
    EXPECT_EQ(NameAt(map, 0x7f0f), "first");
    EXPECT_EQ(NameAt(map, 0x7f10), "");
    EXPECT_EQ(NameAt(map, 0x7f27), "heat::second(int)");
    EXPECT_EQ(map.malformed(), 0u);
  }
}

TEST(JitDump, CodeThatMovesKeepsItsNameAtBothPlaces) {
  JitDumpBuilder dump;
  dump.Lines(0x100, {{0x100, 5, "/a.jit"}, {0x108, 6, "/a.jit"}});
  dump.Load(0x100, 0x10, 9, "f");
  dump.Move(0x100, 0x500, 0x10, 9);
  const CodeMap map = CodeMap::OfJitDump(dump.bytes());
  EXPECT_EQ(NameAt(map, 0x104), "f");
  EXPECT_EQ(LineAt(map, 0x504), "/a.jit:5");
  EXPECT_EQ(LineAt(map, 0x50f), "/a.jit:6");
}

TEST(JitDump, TheLaterRecordIsRight) {
  JitDumpBuilder dump;
  dump.Lines(0x100, {{0x100, 1, "/old"}, {0x180, 2, "/old"}});
  dump.Load(0x100, 0x100, 1, "old");
  dump.Load(0x140, 0x20, 2, "new");
  const CodeMap map = CodeMap::OfJitDump(dump.bytes());
  EXPECT_EQ(NameAt(map, 0x140), "new");
  EXPECT_EQ(LineAt(map, 0x140), ":0");
  EXPECT_EQ(LineAt(map, 0x160), "/old:1") << "the lines count from the function's beginning";
  EXPECT_EQ(LineAt(map, 0x180), "/old:2");
}

TEST(JitDump, LinesOfTheFunctionThatFollows) {
  JitDumpBuilder dump;
  dump.Lines(0x200, {{0x204, 7, "/g"}, {0x200, 6, "/g"}, {0x208, 8, "\xff"}});
  dump.Load(0x100, 0x10, 1, "f");
  dump.Load(0x200, 0x10, 2, "g");
  dump.Load(0x200, 0x10, 3, "h");
  const CodeMap map = CodeMap::OfJitDump(dump.bytes());
  EXPECT_EQ(LineAt(map, 0x100), ":0");
  EXPECT_EQ(NameAt(map, 0x200), "h");
  EXPECT_EQ(LineAt(map, 0x200), ":0");
  JitDumpBuilder earlier;
  earlier.Lines(0x200, {{0x204, 7, "/g"}, {0x200, 6, "/g"}, {0x208, 8, "/g"}, {0x20c, 9, "\xff"}});
  earlier.Load(0x200, 0x10, 2, "g");
  const CodeMap lines = CodeMap::OfJitDump(earlier.bytes());
  EXPECT_EQ(LineAt(lines, 0x203), "/g:6");
  EXPECT_EQ(LineAt(lines, 0x204), "/g:7");
  EXPECT_EQ(LineAt(lines, 0x20f), "/g:9");
}

TEST(JitDump, LinesCountedFromAnElfHeader) {
  JitDumpBuilder dump;
  dump.Lines(0x1000, {{0x1040, 1, "/v8"}, {0x1060, 2, "/v8"}});
  dump.Load(0x1000, 0x100, 1, "f");
  const CodeMap map = CodeMap::OfJitDump(dump.bytes());
  EXPECT_EQ(LineAt(map, 0x1000), "/v8:1");
  EXPECT_EQ(LineAt(map, 0x1020), "/v8:2");
}

TEST(JitDump, OtherKindsAreSteppedOver) {
  JitDumpBuilder dump;
  dump.Record(3, "");
  dump.Record(4, "tables");
  dump.Record(1000, "later version");
  dump.Load(0x100, 0x10, 1, "f");
  const CodeMap map = CodeMap::OfJitDump(dump.bytes());
  EXPECT_EQ(NameAt(map, 0x100), "f");
  EXPECT_EQ(map.malformed(), 0u);
}

TEST(JitDump, MalformedRecordsAreCounted) {
  JitDumpBuilder dump;
  dump.Record(0, "");
  dump.Record(0, std::string(50, 'x'));  // a name without an end
  dump.Record(1, "short");
  dump.Record(2, "short");
  dump.Move(0x100, 0x200, 0x10, 77);  // of code that was never loaded
  dump.Load(UINT64_MAX - 4, 0x10, 1, "far");
  dump.Load(0x100, 0x10, 2, "");
  dump.Load(0x300, 0x10, 3, "f");
  dump.Record(0, "", 15);
  dump.Load(0x400, 0x10, 4, "not found");
  const CodeMap map = CodeMap::OfJitDump(dump.bytes());
  EXPECT_EQ(map.malformed(), 8u);
  EXPECT_EQ(NameAt(map, 0x300), "f");
  EXPECT_EQ(NameAt(map, 0x400), "");
  EXPECT_EQ(CodeMap::OfJitDump(std::string(60, 'x')).malformed(), 1u) << "no jitdump";
}

// The process was writing.
TEST(JitDump, ALastRecordThatIsCutIsNoFault) {
  JitDumpBuilder dump;
  dump.Lines(0x100, {{0x100, 1, "/f"}});
  dump.Load(0x100, 0x10, 1, "f");
  const std::string& whole = dump.bytes();
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(CodeMap::OfJitDump(whole.substr(0, size)).malformed(), 0u) << size;
}

TEST(JitDump, AnyBytes) {
  JitDumpBuilder dump;
  dump.Lines(0x100, {{0x100, 1, "/f"}, {0x101, 1, "\xff"}});
  dump.Load(0x100, 0x10, 1, "f");
  dump.Move(0x100, 0x108, 0x10, 1);
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = dump.bytes();
    for (size_t changes = 1 + random() % 4; changes > 0; --changes) {
      const size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(random() % 2 == 0 ? random() : bytes[at] ^ (1 << random() % 8));
    }
    const CodeMap map = CodeMap::OfJitDump(bytes.substr(0, bytes.size() - random() % 8));
    for (uint64_t address = 0xf0; address < 0x130; address += 3) map.FrameAt(address);
  }
}

}  // namespace
}  // namespace ompprof::model
