// Shortens C++ function names for a line of a report. The text report calls it, unless the user asks for full names.
#ifndef OMPPROF_PROFILER_REPORT_SHORT_NAME_H_
#define OMPPROF_PROFILER_REPORT_SHORT_NAME_H_

#include <string>

namespace ompprof::report {

// A demangled name without parameters, template arguments, return type and anonymous namespaces. The part in brackets
// of a construct's name stays. Other names, such as "<omp idle>", stay unchanged.
//   "void (anonymous namespace)::Solve<double>(std::vector<double>&) const"  ->  "Solve"
//   "K<int>::run(int) [omp parallel k.cc:7]"                                 ->  "K::run [omp parallel k.cc:7]"
std::string ShortName(const std::string& name);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SHORT_NAME_H_
