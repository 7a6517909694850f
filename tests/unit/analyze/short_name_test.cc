// C++ names as a line of the text report has them.
#include "profiler/analyze/view/short_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ompprof::analyze {
namespace {

TEST(ShortName, Names) {
  const std::pair<const char*, const char*> cases[] = {
      {"main", "main"},
      {"<omp barrier: implicit>", "<omp barrier: implicit>"},
      {"libomp.so.5+0x7489c", "libomp.so.5+0x7489c"},
      {"[vdso]+0x10", "[vdso]+0x10"},
      {"solve(int, double)", "solve"},
      {"(anonymous namespace)::Run(int)", "Run"},
      {"std::vector<double, std::allocator<double> >::operator[](unsigned long) const", "std::vector::operator[]"},
      {"void Solve<double>(std::vector<double>&)", "Solve"},
      {"std::ostream& std::operator<< <char>(std::ostream&, char)", "std::ostream& std::operator<<"},
      {"K<int>::run(int) [omp parallel k.cc:7]", "K::run [omp parallel k.cc:7]"},
      {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"},
      {"A::operator bool() const", "A::operator bool"},
      {"void f<int>(int) [clone .cold]", "f [clone .cold]"},
      {"my_operator(int)", "my_operator"},
      {"main program", "main program"},
      {"main program [omp parallel heat+0x10]", "main program [omp parallel heat+0x10]"},
      {"heat::relax [clone .constprop.0]", "heat::relax [clone .constprop.0]"},
      {"", ""},
      {"(", "("},
      {">>((", ">>(("},
  };
  for (const auto& [name, expected] : cases) {
    EXPECT_EQ(ShortName(name), expected) << name;
  }
}

// The short names of these names.
std::vector<std::string> Shown(const std::vector<std::string>& names) {
  ShortNames all;
  all.Set(names);
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(all.Of(name));
  return shown;
}

using Strings = std::vector<std::string>;

TEST(ShortNames, AreNoLongerThanTheyMust) {
  EXPECT_EQ(Shown({"main", "void f<A>(int, A)", "g(int)", "g(int)"}), (Strings{"main", "f", "g", "g"}));
}

TEST(ShortNames, TemplateArgumentsThatDiffer) {
  EXPECT_EQ(Shown({"void parallel_for<Alpha>(long, Alpha)", "void parallel_for<Beta>(long, Beta)"}),
            (Strings{"parallel_for<Alpha>", "parallel_for<Beta>"}));
  EXPECT_EQ(Shown({"void each<Range<int>, a::Alpha>(long)", "void each<Range<int>, a::Beta<int> >(long)"}),
            (Strings{"each<a::Alpha>", "each<a::Beta>"}));
  EXPECT_EQ(Shown({"std::vector<int, std::allocator<int> >::operator[](unsigned long)",
                   "std::vector<unsigned long, std::allocator<unsigned long> >::operator[](unsigned long)"}),
            (Strings{"std::vector<int>::operator[]", "std::vector<unsigned long>::operator[]"}));
  EXPECT_EQ(Shown({"std::vector<A<int> > f<int>()", "std::vector<A<int> > f<char>()"}), (Strings{"f<int>", "f<char>"}));
}

TEST(ShortNames, ConstructsOfTemplates) {
  EXPECT_EQ(Shown({"void f<A>(A) [omp parallel k.cc:4]", "void f<B>(B) [omp parallel k.cc:4]",
                   "void f<B>(B) [omp parallel k.cc:9]"}),
            (Strings{"f<A> [omp parallel k.cc:4]", "f<B> [omp parallel k.cc:4]", "f [omp parallel k.cc:9]"}));
}

TEST(ShortNames, ParametersThatDiffer) {
  EXPECT_EQ(Shown({"solve(int, double)", "solve(int, float)"}), (Strings{"solve(double)", "solve(float)"}));
  EXPECT_EQ(Shown({"solve()", "solve(float)"}), (Strings{"solve()", "solve(float)"}));
  EXPECT_EQ(Shown({"f<A>(int)", "f<A>(char)", "f<B>(int)"}), (Strings{"f<A>(int)", "f<A>(char)", "f<B>"}));
}

TEST(ShortNames, ArgumentsOfArguments) {
  EXPECT_EQ(Shown({"f<Range<int> >()", "f<Range<char> >()"}), (Strings{"f<Range<int>>", "f<Range<char>>"}));
}

TEST(ShortNames, OtherDifferences) {
  EXPECT_EQ(Shown({"K::get()", "K::get() const"}), (Strings{"K::get()", "K::get() const"}));
  EXPECT_EQ(Shown({"a", "(anonymous namespace)::a"}), (Strings{"a", "(anonymous namespace)::a"}));
}

TEST(ShortNames, NamesOfNoTable) {
  ShortNames names;
  EXPECT_EQ(names.Of("f<A>(int)"), "f");
  names.Set({"f<A>(int)", "f<B>(int)"});
  EXPECT_EQ(names.Of("f<C>(int)"), "f");
  EXPECT_TRUE(names.Has("f<A>(int)"));
  EXPECT_FALSE(names.Has("f<C>(int)"));
}

}  // namespace
}  // namespace ompprof::analyze
