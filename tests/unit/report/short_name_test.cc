// C++ names as a line of the text report has them.
#include "profiler/report/short_name.h"

#include <gtest/gtest.h>

namespace ompprof::report {
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

}  // namespace
}  // namespace ompprof::report
