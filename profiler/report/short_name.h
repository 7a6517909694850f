// C++ function names short enough for a line of a report. The text report uses them unless it is asked not to.
#ifndef OMPPROF_PROFILER_REPORT_SHORT_NAME_H_
#define OMPPROF_PROFILER_REPORT_SHORT_NAME_H_

#include <string>

namespace ompprof::report {

// A demangled name without parameters, template arguments, return type and anonymous namespaces; a construct's
// part in brackets is kept. A name that is no C++ function's, such as "<omp idle>", comes back as it is.
//   "void (anonymous namespace)::Solve<double>(std::vector<double>&) const"  ->  "Solve"
//   "K<int>::run(int) [omp parallel k.cc:7]"                                 ->  "K::run [omp parallel k.cc:7]"
std::string ShortName(const std::string& name);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SHORT_NAME_H_
