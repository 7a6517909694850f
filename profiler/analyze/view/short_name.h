// Shortens C++ function names for a line of a report. Reports call it, unless the user asks for full names.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_SHORT_NAME_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_SHORT_NAME_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ompprof::analyze {

// A demangled name without parameters, template arguments, return type and anonymous namespaces. The part in brackets
// of a construct's name stays. Other names, such as "<omp idle>", stay unchanged.
//   "void (anonymous namespace)::Solve<double>(std::vector<double>&) const"  ->  "Solve"
//   "K<int>::run(int) [omp parallel k.cc:7]"                                 ->  "K::run [omp parallel k.cc:7]"
std::string ShortName(const std::string& name);

// A short name, and what it leaves out.
struct NameParts {
  struct Item {
    size_t begin;  // in the full name
    size_t end;
  };
  struct Bracket {
    size_t at;   // in `text`
    char opens;  // '<' or '('
    std::vector<Item> items;
  };
  std::string text;  // without the construct
  std::vector<Bracket> brackets;
  std::string construct;  // " [omp parallel k.cc:7]"
};

NameParts PartsOf(const std::string& name);

// The short names of all rows of a report. Two of them differ: where ShortName gives several names one short name, each
// has the template arguments by which they differ, or else the parameters, or else all of the name.
//   "void f<A>(int, A)", "void f<B>(int, B)"  ->  "f<A>", "f<B>"
class ShortNames {
 public:
  // Replaces the names by these. A name counts once.
  void Set(const std::vector<std::string>& names);

  // The short name of a full name. Of other names: ShortName.
  std::string Of(const std::string& name) const;
  bool Has(const std::string& name) const { return names_.count(name) != 0; }

 private:
  std::set<std::string> names_;
  std::unordered_map<std::string, std::string> longer_;  // by name, where it differs from ShortName
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_SHORT_NAME_H_
