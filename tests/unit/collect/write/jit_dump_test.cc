// The copy of a jitdump: it has the names and the lines of the file, no machine code, and comes in pieces of any size.
#include "profiler/collect/write/generated/jit_dump.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "profiler/model/code_map.h"
#include "tests/unit/model/jit_dump_builder.h"

namespace ompprof::collect {
namespace {

using test::JitDumpBuilder;

// A file that grows.
class JitDumpCopy : public testing::Test {
 protected:
  void SetUp() override {
    strcpy(path_, (testing::TempDir() + "/dump-XXXXXX").c_str());
    fd_ = mkstemp(path_);
    strcpy(dump_.path, path_);
  }
  void TearDown() override {
    dump_.file.Close();
    close(fd_);
    unlink(path_);
  }
  void Write(const std::string& bytes) { ASSERT_EQ(write(fd_, bytes.data(), bytes.size()), ssize_t(bytes.size())); }
  void Read() {
    std::vector<uint8_t> room(JitDump::kLeastRoom);
    while (const size_t size = dump_.ReadMore(0, room.data(), room.size()))
      copy_.append(reinterpret_cast<const char*>(room.data()), size);
  }
  std::string NameAt(uint64_t address) const {
    const model::CodeMap map = model::CodeMap::OfJitDump(copy_);
    const model::Function* function = map.Find(address);
    return function == nullptr ? "" : function->name;
  }

  char path_[4096];
  int fd_ = -1;
  JitDump dump_;
  std::string copy_;
};

TEST_F(JitDumpCopy, HasNoCode) {
  for (const bool swapped : {false, true}) {
    JitDumpBuilder dump(swapped, 56), expected(swapped);
    for (uint64_t i = 1; i < 200; ++i) {
      const std::string name = "function" + std::to_string(i);
      dump.Lines(i << 16, {{i << 16, 5, "/f.jit"}});
      dump.Load(i << 16, 100 * i, i, name, std::string(100 * i, 'c'));
      dump.Record(4, std::string(i, 'u'));
      dump.Record(5, "new");
      dump.Move(i << 16, (i << 16) + 0x8000, 8, i);
      expected.Lines(i << 16, {{i << 16, 5, "/f.jit"}});
      expected.Load(i << 16, 100 * i, i, name);
      expected.Move(i << 16, (i << 16) + 0x8000, 8, i);
    }
    ASSERT_EQ(ftruncate(fd_, 0), 0);
    ASSERT_EQ(lseek(fd_, 0, SEEK_SET), 0);
    Write(dump.bytes());
    JitDump fresh;
    strcpy(fresh.path, path_);
    std::string copy;
    std::vector<uint8_t> room(JitDump::kLeastRoom);
    while (const size_t size = fresh.ReadMore(0, room.data(), room.size()))
      copy.append(reinterpret_cast<const char*>(room.data()), size);
    fresh.file.Close();
    EXPECT_TRUE(copy == expected.bytes()) << "swapped: " << swapped;
  }
}

TEST_F(JitDumpCopy, IsTheSameForAFileThatGrows) {
  JitDumpBuilder dump, expected;
  for (uint64_t i = 1; i < 6; ++i) {
    dump.Lines(i << 16, {{i << 16, 5, "/f.jit"}});
    dump.Load(i << 16, 64, i, "f", std::string(64, 'c'));
    expected.Lines(i << 16, {{i << 16, 5, "/f.jit"}});
    expected.Load(i << 16, 64, i, "f");
  }
  for (const char byte : dump.bytes()) {
    Write(std::string(1, byte));
    Read();
  }
  EXPECT_TRUE(copy_ == expected.bytes());
}

TEST_F(JitDumpCopy, OutlivesTheFile) {
  JitDumpBuilder dump;
  Write(dump.bytes());
  Read();
  unlink(path_);
  const size_t before = dump.bytes().size();
  dump.Load(0x100, 8, 1, "late");
  Write(dump.bytes().substr(before));
  Read();
  EXPECT_EQ(NameAt(0x100), "late");
}

TEST_F(JitDumpCopy, LongNamesAndLinesLoseTheirEnds) {
  JitDumpBuilder dump;
  std::vector<JitDumpBuilder::Line> lines;
  for (uint32_t i = 0; i < 1000; ++i) lines.push_back({0x1000 + i, i + 1, "/a/file/of/some/length.jit"});
  dump.Load(0x100, 8, 1, std::string(100000, 'n'), "code");
  dump.Lines(0x1000, lines);
  dump.Load(0x1000, 1000, 2, "f");
  Write(dump.bytes());
  Read();
  EXPECT_EQ(NameAt(0x100).find_first_not_of('n'), std::string::npos);
  EXPECT_GE(NameAt(0x100).size(), 2000u);
  const model::CodeMap map = model::CodeMap::OfJitDump(copy_);
  EXPECT_EQ(map.malformed(), 0u);
  EXPECT_EQ(map.FrameAt(0x1010).line, 17u);
  EXPECT_EQ(NameAt(0x1000), "f");
}

TEST_F(JitDumpCopy, EndsAtARecordOfNoLength) {
  JitDumpBuilder dump;
  dump.Load(0x100, 8, 1, "f");
  dump.Record(0, "", 7);
  dump.Load(0x200, 8, 2, "g");
  Write(dump.bytes());
  Read();
  EXPECT_EQ(NameAt(0x100), "f");
  EXPECT_EQ(NameAt(0x200), "");
  EXPECT_EQ(model::CodeMap::OfJitDump(copy_).malformed(), 1u) << "the report says that something is missing";
}

TEST_F(JitDumpCopy, OfAnotherFileIsEmpty) {
  Write(std::string(1000, 'x'));
  Read();
  EXPECT_EQ(copy_, "");
}

TEST(JitDumpOfMapping, ExecutableMappingsOfTheProcess) {
  const std::string line = "7f12-7f13 r-xp 00000000 08:01 1234    /tmp/my dumps/jit-42.dump";
  EXPECT_STREQ(JitDumpOfMapping(line.c_str(), 42), "/tmp/my dumps/jit-42.dump");
  EXPECT_EQ(JitDumpOfMapping(line.c_str(), 4), nullptr);
  EXPECT_EQ(JitDumpOfMapping(line.c_str(), 142), nullptr);
  EXPECT_EQ(JitDumpOfMapping("7f12-7f13 r--p 00000000 08:01 1234    /tmp/jit-42.dump", 42), nullptr);
  EXPECT_EQ(JitDumpOfMapping("7f12-7f13 r-xp 00000000 08:01 1234    /tmp/jit-42.dump (deleted)", 42), nullptr);
  EXPECT_EQ(JitDumpOfMapping("7f12-7f13 r-xp 00000000 00:00 0 ", 42), nullptr);
  EXPECT_EQ(JitDumpOfMapping("", 42), nullptr);
  EXPECT_EQ(JitDumpOfMapping("7f12 r", 42), nullptr);
}

}  // namespace
}  // namespace ompprof::collect
