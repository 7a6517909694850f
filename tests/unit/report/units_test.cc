// Numbers and columns as the text report shows them.
#include "profiler/report/basics/units.h"

#include <gtest/gtest.h>

#include "profiler/report/basics/text_table.h"

namespace ompprof::report {
namespace {

TEST(Units, Durations) {
  EXPECT_EQ(Duration(0), "0 s");
  EXPECT_EQ(Duration(999), "999 ns");
  EXPECT_EQ(Duration(1500), "1.50 us");
  EXPECT_EQ(Duration(999999), "1.00 ms");
  EXPECT_EQ(Duration(12345678), "12.35 ms");
  EXPECT_EQ(Duration(61000000000), "61.00 s");
}

TEST(Units, CountsAndShares) {
  EXPECT_EQ(Count(0), "0");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1234567), "1,234,567");
  EXPECT_EQ(Share(1, 3), "33.3 %");
  EXPECT_EQ(Share(1, 0), "-");
  EXPECT_EQ(Weight(1250000, false), "1.25 M");
  EXPECT_EQ(Weight(12, false), "12");
}

TEST(Units, ControlCharactersDoNotReachTheTerminal) { EXPECT_EQ(Printable("a\x1b[2Jb\n"), "a?[2Jb?"); }

TEST(Units, LineByLine) {
  EXPECT_EQ(PrintableLines("a\x1b[2J\nb\rc\n\nd"), "a?[2J\nb?c\n\nd");
  EXPECT_EQ(PrintableLines(""), "");
}

TEST(TextTable, ColumnsLineUp) {
  TextTable table({{"n", TextTable::Align::kRight}, {"name", TextTable::Align::kLeft}, {"", TextTable::Align::kLeft}});
  table.Add({"1", "é", "x"});
  table.Add({"10", "abcdef", ""});
  EXPECT_EQ(table.Text(), "   n  name\n   1  é       x\n  10  abcdef\n");
}

}  // namespace
}  // namespace ompprof::report
