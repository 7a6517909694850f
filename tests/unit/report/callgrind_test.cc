// Functions, lines and calls of callgrind's format; tests/integration/report/formats_test.py reads it by its own tool.
#include <gtest/gtest.h>

#include <string>

#include "profiler/model/symbolizer.h"
#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::report {
namespace {

using test::CallgrindText;
using test::MadeUpView;

std::string Body(const analyze::View& view) {
  const model::Symbolizer symbolizer;
  const std::string text = CallgrindText(view, symbolizer);
  const size_t summary = text.find("summary:");
  return text.substr(summary);
}

TEST(Callgrind, LinesAndCalls) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "solve"}, .samples = 2, .weight = 700, .wait = 5, .blame = 9});
  made_up.Add({.path = {"main"}, .weight = 300});
  EXPECT_EQ(Body(made_up.view),
            "summary: 1000 3 5 9\n"
            "\nob=(1) ???\nfl=(1) main.c\nfn=(1) main\n1 300 1 0 0\n"
            "cob=(1)\ncfi=(2) solve.c\ncfn=(2) solve\ncalls=1 1\n1 700 2 5 9\n"
            "\nob=(1)\nfl=(2)\nfn=(2)\n1 700 2 5 9\n");
}

// f is called by main once for each stack, however often it is on the stack.
TEST(Callgrind, ARecursionIsAFunctionOfItsOwn) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "f", "g", "f", "g", "f"}, .weight = 700});
  EXPECT_EQ(Body(made_up.view),
            "summary: 700 1 0 0\n"
            "\nob=(1) ???\nfl=(1) main.c\nfn=(1) main\n"
            "cob=(1)\ncfi=(2) f.c\ncfn=(2) f\ncalls=1 1\n1 700 1 0 0\n"
            "\nob=(1)\nfl=(2)\nfn=(2)\n"
            "cob=(1)\ncfi=(3) g.c\ncfn=(3) g\ncalls=1 1\n1 700 1 0 0\n"
            "\nob=(1)\nfl=(2)\nfn=(4) f'2\n1 700 1 0 0\n"
            "cob=(1)\ncfi=(3)\ncfn=(5) g'2\ncalls=1 1\n1 700 1 0 0\n"
            "\nob=(1)\nfl=(3)\nfn=(3)\n"
            "cob=(1)\ncfi=(2)\ncfn=(4)\ncalls=1 1\n1 700 1 0 0\n"
            "\nob=(1)\nfl=(3)\nfn=(5)\n");
}

TEST(Callgrind, SamplesWithoutAStackCount) {
  MadeUpView made_up;
  made_up.Add({.path = {}, .weight = 400});
  EXPECT_EQ(Body(made_up.view), "summary: 400 1 0 0\n\nob=(1) ???\nfl=(1) ???\nfn=(1) <no stack>\n0 400 1 0 0\n");
}

TEST(Callgrind, NamesAreOneLine) {
  MadeUpView made_up;
  made_up.Add({.path = {"a\nb"}});
  EXPECT_NE(Body(made_up.view).find("fn=(1) a b\n"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::report
