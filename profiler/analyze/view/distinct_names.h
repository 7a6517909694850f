// Gives functions whose names read the same names that tell them apart. FrameTable calls it once all functions of a
// report are known.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_DISTINCT_NAMES_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_DISTINCT_NAMES_H_

#include <string>
#include <vector>

namespace ompprof::analyze {

struct ViewFunction;

// Changes names, and only of functions of which two would read the same:
//   a lambda in a template argument, if the short names are equal   parallel_for<lambda solve.cc:12>(long, main::$_0)
//   the declaration's place, if the full names are equal            work [left.h:3]
//   the object file, if also the places are equal                   work [liba.so]
//   a number, if the constructs have one line in one function       main [omp parallel solve.cc:12 #2]
// The object does not tell target regions apart: they have code in the program and in the devices' images.
// `objects`: paths, by ViewFunction::object.
void MakeNamesDistinct(const std::vector<ViewFunction*>& functions, const std::vector<std::string>& objects);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_DISTINCT_NAMES_H_
