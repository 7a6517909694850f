#include "profiler/model/symbol_name.h"

#include <cxxabi.h>

#include <cstdlib>

namespace ompprof::model {
namespace {

struct Pattern {
  const char* text;
  Outlined construct;
};

// Where several fit, the one that begins first counts: foo.omp_outlined.omp_outlined is in foo.
constexpr Pattern kPatterns[] = {
    {".omp_outlined", Outlined::kParallel},    {"__omp_outlined__", Outlined::kParallel},
    {".omp_task_entry", Outlined::kTask},      {".omp_task_outlined", Outlined::kTask},
    {"._omp_fn.", Outlined::kUnknown},         {"..omp_par", Outlined::kParallel},
};

}  // namespace

std::string Demangle(const std::string& linked) {
  if (linked.compare(0, 2, "_Z") != 0) return linked;
  int status = 0;
  char* demangled = abi::__cxa_demangle(linked.c_str(), nullptr, nullptr, &status);
  if (demangled == nullptr) return linked;
  std::string name = demangled;
  std::free(demangled);
  return name;
}

OutlinedName ParseOutlined(const std::string& name) {
  OutlinedName result;
  size_t first = std::string::npos;
  for (const Pattern& pattern : kPatterns) {
    const size_t at = name.find(pattern.text);
    if (at >= first) continue;
    first = at;
    result.construct = pattern.construct;
  }
  if (result.construct == Outlined::kNo) return result;
  // A clone of a clone names the innermost construct last: foo.omp_outlined.omp_task_entry. is a task.
  result.task_entry = name.find(".omp_task_entry") != std::string::npos;
  if (result.task_entry) result.construct = Outlined::kTask;
  result.debug_body = name.find("_debug__") != std::string::npos;
  result.parent = name.substr(0, first);
  constexpr char kClone[] = " [clone ";
  const size_t clone = result.parent.rfind(kClone);
  if (clone != std::string::npos) result.parent.resize(clone);
  return result;
}

bool IsWrapper(const OutlinedName& outer, const OutlinedName& inner) {
  if (outer.construct == Outlined::kNo || inner.construct == Outlined::kNo) return false;
  return outer.task_entry ? !inner.task_entry : inner.debug_body && !outer.debug_body;
}

}  // namespace ompprof::model
