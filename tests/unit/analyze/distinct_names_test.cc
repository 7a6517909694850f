// Functions that would read the same.
#include "profiler/analyze/view/distinct_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiler/analyze/view/frame_table.h"

namespace ompprof::analyze {
namespace {

using Strings = std::vector<std::string>;

ViewFunction Function(const std::string& name, const std::string& file, uint32_t line, uint32_t object = 1) {
  return {name, name, file, line, object};
}

// The names that the functions get.
Strings Names(std::vector<ViewFunction> functions, const Strings& objects = {"", "/bin/app", "/lib/liba.so"}) {
  std::vector<ViewFunction*> all;
  for (ViewFunction& function : functions) all.push_back(&function);
  MakeNamesDistinct(all, objects);
  Strings names;
  for (const ViewFunction& function : functions) names.push_back(function.name);
  return names;
}

TEST(DistinctNames, OrdinaryNamesStay) {
  EXPECT_EQ(
      Names({Function("main", "a.c", 1), Function("work", "a.c", 2), Function("work [omp parallel a.c:3]", "a.c", 3),
             Function("solve<int>(int)", "a.cc", 4), Function("solve<double>(double)", "a.cc", 4)}),
      (Strings{"main", "work", "work [omp parallel a.c:3]", "solve<int>(int)", "solve<double>(double)"}));
}

TEST(DistinctNames, StaticFunctionsOfTwoFiles) {
  EXPECT_EQ(Names({Function("work", "/src/left.h", 3), Function("work", "/src/right.h", 3)}),
            (Strings{"work [left.h:3]", "work [right.h:3]"}));
  EXPECT_EQ(Names({Function("work", "/src/left/k.h", 3), Function("work", "/src/right/k.h", 3)}),
            (Strings{"work [left/k.h:3]", "work [right/k.h:3]"}));
  EXPECT_EQ(Names({Function("work", "", 0), Function("work", "/src/right/k.h", 3)}), (Strings{"work", "work [k.h:3]"}));
}

TEST(DistinctNames, ConstructsOfTwoFiles) {
  EXPECT_EQ(Names({Function("work [omp parallel k.c:3]", "/src/a/k.c", 3),
                   Function("work [omp parallel k.c:3]", "/src/b/k.c", 3)}),
            (Strings{"work [a/k.c:3] [omp parallel k.c:3]", "work [b/k.c:3] [omp parallel k.c:3]"}));
}

TEST(DistinctNames, OneTemplateInTwoObjects) {
  EXPECT_EQ(Names({Function("fill<int>", "/src/fill.h", 3, 1), Function("fill<int>", "/src/fill.h", 3, 2)}),
            (Strings{"fill<int> [app]", "fill<int> [liba.so]"}));
  EXPECT_EQ(Names({Function("fill", "/src/fill.h", 3, 1), Function("fill", "/src/fill.h", 3, 2)},
                  {"", "/one/app", "/two/app"}),
            (Strings{"fill [/one/app]", "fill [/two/app]"}));
}

TEST(DistinctNames, ATargetRegionHasCodeInTheProgramAndInImages) {
  EXPECT_EQ(Names({Function("work [omp target k.c:3]", "k.c", 3, 1), Function("work [omp target k.c:3]", "k.c", 3, 2)}),
            (Strings{"work [omp target k.c:3]", "work [omp target k.c:3]"}));
}

TEST(DistinctNames, ConstructsOnOneLineOfOneFunction) {
  ViewFunction first = Function("main [omp parallel a.c:3]", "a.c", 3);
  ViewFunction second = first;
  first.code = 0x2000;
  second.code = 0x1000;
  EXPECT_EQ(Names({first, second}), (Strings{"main [omp parallel a.c:3 #2]", "main [omp parallel a.c:3 #1]"}));
}

// Only their linked names differ. A number alone behind the name would be all of the short name.
TEST(DistinctNames, FunctionsThatReadTheSameHaveNumbers) {
  ViewFunction first = Function("void each<int>(int)", "a.h", 3);
  ViewFunction second = first;
  EXPECT_EQ(Names({first, second}), (Strings{"void each<int>(int) [#1]", "void each<int>(int) [#2]"}));
  EXPECT_EQ(ShortName("void each<int>(int) [#2]"), "each [#2]");
}

TEST(DistinctNames, LambdasHaveTheirLines) {
  // gcc's names.
  ViewFunction first = Function("each<run()::<lambda(int)> >", "each.h", 3);
  ViewFunction second = first;
  first.arguments = "a.cc:11:8;";
  second.arguments = "a.cc:12:8;";
  EXPECT_EQ(Names({first, second}), (Strings{"each<lambda a.cc:11>", "each<lambda a.cc:12>"}));
  // Two on a line.
  second.arguments = "a.cc:11:40;";
  EXPECT_EQ(Names({first, second}), (Strings{"each<lambda a.cc:11:8>", "each<lambda a.cc:11:40>"}));
  // A single instance keeps its name.
  EXPECT_EQ(Names({first}), Strings{"each<run()::<lambda(int)> >"});
}

TEST(DistinctNames, TheLastArgumentsAreTheFunctionsOwn) {
  // clang's names. The class has an argument before that was not looked at.
  ViewFunction first = Function("void Policy<int>::each<run::$_0>(run::$_0) [omp parallel each.h:4]", "each.h", 4);
  ViewFunction second = Function("void Policy<int>::each<run::$_1>(run::$_1) [omp parallel each.h:4]", "each.h", 4);
  first.arguments = "a.cc:11;";
  second.arguments = "a.cc:12;";
  EXPECT_EQ(Names({first, second}),
            (Strings{"void Policy<int>::each<lambda a.cc:11>(run::$_0) [omp parallel each.h:4]",
                     "void Policy<int>::each<lambda a.cc:12>(run::$_1) [omp parallel each.h:4]"}));
  // Two on a line, and clang does not know the column.
  second.arguments = "a.cc:11;";
  EXPECT_EQ(Names({first, second}), (Strings{first.name, second.name}));
}

TEST(DistinctNames, TypesOfTwoAnonymousNamespaces) {
  ViewFunction first = Function("each<(anonymous namespace)::Body>", "each.h", 3);
  ViewFunction second = first;
  first.arguments = "a.cc:5:8;";
  second.arguments = "b.cc:5:8;";
  EXPECT_EQ(Names({first, second}),
            (Strings{"each<(anonymous namespace)::Body a.cc:5>", "each<(anonymous namespace)::Body b.cc:5>"}));
  second.name = "each<(anonymous namespace)::Other>";
  EXPECT_EQ(Names({first, second}), (Strings{first.name, second.name}));
}

TEST(FrameTable, NamesAreMadeDistinctAgainAfterMoreWereAdded) {
  FrameTable frames;
  const FunctionId first = frames.AddFunction(Function("work", "left.h", 3));
  frames.Show(first);
  frames.TellNamesApart({});
  EXPECT_EQ(frames.function(first).name, "work");
  const FunctionId second = frames.AddFunction(Function("work", "right.h", 3));
  frames.Show(second);
  frames.TellNamesApart({});
  frames.TellNamesApart({});
  EXPECT_EQ(frames.function(first).name, "work [left.h:3]");
  EXPECT_EQ(frames.ShortName(second), "work [right.h:3]");
  // The table still knows the function by its own name.
  EXPECT_EQ(frames.AddFunction(Function("work", "left.h", 3)), first);
}

TEST(FrameTable, OneFunctionOfTwoCompilationsIsOne) {
  FrameTable frames;
  EXPECT_EQ(frames.AddFunction(Function("work", "left.h", 3)), frames.AddFunction(Function("work", "left.h", 3)));
  ViewFunction other = Function("each<run()::<lambda(int)> >", "each.h", 3);
  const FunctionId first = frames.AddFunction(other);
  other.arguments = "a.cc:12:8;";
  EXPECT_NE(frames.AddFunction(other), first);
}

}  // namespace
}  // namespace ompprof::analyze
