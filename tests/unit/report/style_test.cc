// Text that fits a terminal: shortened names, wrapped lines, colours, and columns that give way in order.
#include "profiler/report/basics/style.h"

#include <gtest/gtest.h>

#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

TEST(Shorten, KeepsBothEnds) {
  EXPECT_EQ(Shorten("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(Shorten("abcdefghijk", 10), "abcde…hijk");
  EXPECT_EQ(Columns(Shorten("äöüäöüäöüäöü", 7)), 7u);
  EXPECT_EQ(Shorten("abc", 0), "");
}

// The place says more than the middle of the name.
TEST(Shorten, KeepsWhatFollowsTheName) {
  EXPECT_EQ(Shorten("space::Solver::relax_rows  solver.cc:120", 32), "space::S…lax_rows  solver.cc:120");
  EXPECT_EQ(Shorten("space::Solver::relax_rows [omp parallel s.cc:7]", 37), "space::…ax_rows [omp parallel s.cc:7]");
  // In a construct's name, the file's name is cut before the function's.
  EXPECT_EQ(Shorten("count_tracers [omp parallel demo_heat.cc:164]", 38), "count_tracers [omp parallel …:164]");
  EXPECT_EQ(Shorten("count_all_tracers [omp parallel demo_heat.cc:164]", 34), "count_…racers [omp parallel …:164]");
  // Unless it leaves no room for the name.
  EXPECT_EQ(Columns(Shorten("function  a_file_with_a_long_name.cc:120", 20)), 20u);
}

TEST(Wrap, BetweenWords) {
  EXPECT_EQ(Wrap("  one two three", 4, 10), "  one two\n    three");
  EXPECT_EQ(Wrap("  one two three", 4, 0), "  one two three");
  EXPECT_EQ(Wrap("an unbreakable word", 2, 8), "an\n  unb…le\n  word");
}

TEST(Paint, OnlyWhereThereAreColours) {
  EXPECT_EQ(Paint({}, Color::kHot, "x"), "x");
  EXPECT_EQ(Paint({true, 0}, Color::kTitle, "x"), "\033[1mx\033[0m");
  EXPECT_EQ(Paint({true, 0}, Color::kTitle, "x\ny\n"), "\033[1mx\033[0m\n\033[1my\033[0m\n");
  EXPECT_EQ(Paint({true, 0}, Color::kNone, "x"), "x");
  EXPECT_EQ(ShareColor(10, 100), Color::kHot);
  EXPECT_EQ(ShareColor(9, 100), Color::kWarm);
  EXPECT_EQ(ShareColor(1, 100), Color::kNone);
  EXPECT_EQ(NameColor("<omp critical>"), Color::kWait);
  EXPECT_EQ(NameColor("f [omp parallel f.c:1]"), Color::kConstruct);
}

TextTable Table() {
  TextTable table({{"time", Align::kRight},
                   {"rarely read", Align::kRight, Fit::kKeep, 2},
                   {"read", Align::kRight, Fit::kKeep, 1},
                   {"function", Align::kLeft, Fit::kShorten}});
  table.Add({"1.00 s", "7", "8", TextTable::Cell("a_function_with_a_name_that_goes_on_and_on", Color::kWait)});
  table.Add({"20 ms", "", "9", ""});
  return table;
}

TEST(TextTable, WithoutALimit) {
  EXPECT_EQ(Table().Text(),
            "    time  rarely read  read  function\n"
            "  1.00 s            7     8  a_function_with_a_name_that_goes_on_and_on\n"
            "   20 ms                  9\n");
}

TEST(TextTable, NamesGiveBeforeColumnsGo) {
  EXPECT_EQ(Table().Text({false, 62}),
            "    time  rarely read  read  function\n"
            "  1.00 s            7     8  a_function_with_…t_goes_on_and_on\n"
            "   20 ms                  9\n");
}

TEST(TextTable, ColumnsGoInOrderAndAreNamed) {
  EXPECT_EQ(Table().Text({false, 48}),
            "    time  read  function\n"
            "  1.00 s     8  a_function_with_…_goes_on_and_on\n"
            "   20 ms     9\n"
            "  (left out, the terminal is too narrow: rarely\n"
            "   read)\n");
}

TEST(TextTable, NoLineIsLongerThanTheTerminal) {
  for (size_t width = 40; width < 90; ++width) {
    const std::string text = Table().Text({false, width});
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      EXPECT_LE(Columns(text.substr(at, end - at)), width) << text;
      at = end + 1;
    }
  }
}

TEST(TextTable, ColoursDoNotCount) {
  const std::string text = Table().Text({true, 0});
  EXPECT_NE(text.find("\033[35ma_function_with_a_name_that_goes_on_and_on\033[0m\n"), std::string::npos) << text;
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\033')
      at = text.find('m', at);
    else
      plain += text[at];
  }
  EXPECT_EQ(plain, Table().Text());
}

TEST(TextTable, TextGoesOnInTheNextLine) {
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft, Fit::kWrap}});
  table.Add({"note", "one two three four five six seven eight nine ten"});
  EXPECT_EQ(table.Text({false, 40}), "  note  one two three four five six\n        seven eight nine ten\n");
}

TEST(Printable, NothingThatATerminalObeys) {
  EXPECT_EQ(Printable("a\x1b]0;title\x07"), "a?]0;title?");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "?31m");  // CSI as one character
  EXPECT_EQ(Printable("\xe2\x80\xae"
                      "abc"),
            "?abc");  // right to left from here on
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "\xef\xbf\xbd"
            "31m");  // no UTF-8
  EXPECT_EQ(Printable("größer → …"), "größer → …");
}

}  // namespace
}  // namespace ompprof::report
