// Perf maps: what their lines mean, and that no text does harm.
#include "profiler/model/code_map.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ompprof::model {
namespace {

std::string NameAt(const CodeMap& map, uint64_t address) {
  const Function* function = map.Find(address);
  return function == nullptr ? "" : function->name;
}

TEST(CodeMap, Lines) {
  const CodeMap map("7f00 10 first\n0x7f20 0x8 second name (int, long)\n");
  EXPECT_EQ(NameAt(map, 0x7eff), "");
  EXPECT_EQ(NameAt(map, 0x7f00), "first");
  EXPECT_EQ(NameAt(map, 0x7f0f), "first");
  EXPECT_EQ(NameAt(map, 0x7f10), "");
  EXPECT_EQ(NameAt(map, 0x7f27), "second name (int, long)");
  EXPECT_EQ(map.malformed(), 0u);
}

TEST(CodeMap, NamesOfPython) {
  const CodeMap map("100 10 py::solve:/home/me/a:b.py\n200 10 py::odd\n300 10 py::<module>:/a.py\n");
  EXPECT_EQ(NameAt(map, 0x100), "py::solve");
  EXPECT_EQ(map.Find(0x100)->file, "/home/me/a:b.py");
  EXPECT_EQ(NameAt(map, 0x200), "py::odd");
  EXPECT_EQ(NameAt(map, 0x300), "py::module");
}

TEST(CodeMap, TheLaterLineIsRight) {
  const CodeMap map("100 100 old\n140 20 new\n1f0 20 edge\n90 20 before\n");
  EXPECT_EQ(NameAt(map, 0x9f), "before");
  EXPECT_EQ(NameAt(map, 0x100), "old");
  EXPECT_EQ(NameAt(map, 0x13f), "old");
  EXPECT_EQ(NameAt(map, 0x140), "new");
  EXPECT_EQ(NameAt(map, 0x160), "old");
  EXPECT_EQ(NameAt(map, 0x1f0), "edge");
  EXPECT_EQ(NameAt(map, 0x20f), "edge");
  EXPECT_EQ(NameAt(map, 0x210), "");
}

TEST(CodeMap, ALineOfTheSameNameIsTheSameFunction) {
  const CodeMap map("100 10 f\n200 10 f\n");
  EXPECT_EQ(map.Find(0x100), map.Find(0x200));
}

TEST(CodeMap, MalformedLinesAreCounted) {
  const CodeMap map(
      "no number\n100\n100 10\n100 10 \nffffffffffffffff 10 far\n-1 10 x\n11111111111111111 1 x\n\n300 0 nothing\n200 "
      "10 f\n");
  EXPECT_EQ(map.malformed(), 7u);
  EXPECT_EQ(NameAt(map, 0x200), "f");
  EXPECT_EQ(NameAt(map, 0x300), "");
}

// The process was writing.
TEST(CodeMap, ALastLineThatIsCutIsNoFault) {
  for (const char* text : {"200 10 f\n300", "200 10 f\n300 1", "200 10 f\n300 10 "})
    EXPECT_EQ(CodeMap(text).malformed(), 0u) << text;
  EXPECT_TRUE(CodeMap("").empty());
}

// Text of the characters that matter, against a slow and simple reading: the last line that covers an address.
TEST(CodeMap, AnyText) {
  std::mt19937 random(1);
  const std::string characters = "01289af xpy:\n\n -";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t left = random() % 200; left > 0; --left) text += characters[random() % characters.size()];
    const CodeMap map(text);
    for (uint64_t address = 0; address < 0x200; address += 7) map.Find(address);
  }
  for (int round = 0; round < 300; ++round) {
    std::string text;
    std::vector<std::string> expected(300);
    for (int line = 0; line < 20; ++line) {
      const unsigned low = random() % 200;
      const unsigned size = random() % 64;
      char name[16];
      snprintf(name, sizeof name, "f%d", line);
      char out[64];
      snprintf(out, sizeof out, "%x %x %s\n", low, size, name);
      text += out;
      for (unsigned at = low; at < low + size; ++at) expected[at] = name;
    }
    const CodeMap map(text);
    for (size_t at = 0; at < expected.size(); ++at) ASSERT_EQ(NameAt(map, at), expected[at]) << text << at;
  }
}

}  // namespace
}  // namespace ompprof::model
