#include "profiler/model/symbol_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

// libiberty's demangler of Rust's names. RHEL and Fedora have the library without this header, demangle.h. NULL: the
// name is no name of Rust. The caller frees the result. 0: no options.
extern "C" char* rust_demangle(const char* mangled, int options);

namespace ompprof::model {
namespace {

// LLVM's Fortran compiler appends this suffix for the body of any construct.
constexpr char kFlangBody[] = "..omp_par";

// glibc calls its own functions by names with this prefix (include/libc-symbols.h), and its debug information has
// these.
constexpr char kOfLibc[] = "__GI_";

constexpr char kTaskCopies[] = ".omp_task_privates_map";

struct Pattern {
  const char* text;
  Outlined construct;
};

// If several suffixes fit, the first in the name counts: foo.omp_outlined.omp_outlined lies in foo.
constexpr Pattern kPatterns[] = {
    {".omp_outlined", Outlined::kParallel}, {"__omp_outlined__", Outlined::kParallel},
    {".omp_task_entry", Outlined::kTask},   {".omp_task_outlined", Outlined::kTask},
    {kTaskCopies, Outlined::kTask},         {".omp.reduction.", Outlined::kReduction},
    {"._omp_fn.", Outlined::kUnknown},      {kFlangBody, Outlined::kUnknown},
};

constexpr char kClone[] = " [clone ";

// gfortran's names: MAIN__ for the main program, __heat_MOD_relax for the procedure relax of the module heat.
std::string DemangleGfortran(const std::string& stem) {
  if (stem == "MAIN__") return kFortranMain;
  constexpr char kModule[] = "_MOD_";
  const size_t module_end = stem.find(kModule);
  if (stem.compare(0, 2, "__") != 0 || module_end == std::string::npos || module_end <= 2) return "";
  return stem.substr(2, module_end - 2) + "::" + stem.substr(module_end + sizeof kModule - 1);
}

// Names from LLVM's Fortran compiler (flang/docs/BijectiveInternalNameUniquing.md). _QQmain is the main program. Other
// names begin with _Q; then come the enclosing scopes and the name, each behind a capital letter. _QMheatPrelax is the
// procedure relax of the module heat. _QMheatSimplFrelaxEcalls is a variable in a procedure of a submodule. _QFPinner
// is a procedure in the main program, which is an F without a name.
std::string DemangleFlang(const std::string& stem) {
  if (stem == "_QQmain") return kFortranMain;
  if (stem.compare(0, 2, "_Q") != 0) return "";
  std::string name;
  for (size_t at = 2; at < stem.size();) {
    const char kind = stem[at];
    size_t end = at + 1;
    while (end < stem.size() && (stem[end] < 'A' || stem[end] > 'Z')) ++end;
    const std::string part = stem.substr(at + 1, end - at - 1);
    const bool last = end == stem.size();
    // Scopes: module, submodule, procedure, block. Last: the procedure or variable itself.
    if (std::strchr(last ? "PE" : "MSFB", kind) == nullptr || (part.empty() && kind != 'F')) return "";
    if (!part.empty() && kind != 'B') name += part + (last ? "" : "::");
    if (last) return name;
    at = end;
  }
  return "";
}

// A clone's suffix is shown in the C++ demangler's way. Empty: the name is not from a Fortran compiler.
std::string DemangleFortran(const std::string& linked) {
  const size_t dot = linked.find('.');
  const std::string stem = linked.substr(0, dot);
  std::string name = DemangleGfortran(stem);
  if (name.empty()) name = DemangleFlang(stem);
  if (name.empty() || dot == std::string::npos) return name;
  return name + kClone + linked.substr(dot) + "]";
}

// The name before cloning: foo, for "foo(int) [clone .constprop.0]" and for "foo.constprop.0".
std::string WithoutClones(const std::string& name) {
  const size_t clone = name.find(kClone);
  if (clone != std::string::npos) return name.substr(0, clone);
  // A C or Fortran name has no dot. A C++ name has brackets, and may have dots between them.
  return name.find('(') == std::string::npos ? name.substr(0, name.find('.')) : name;
}

// clang's name for the body of a target construct: numbers of the file, the function, the line, and a rest.
struct OffloadEntry {
  std::string parent;  // empty: the name is not of this kind
  std::string rest;
};

OffloadEntry ParseOffloadEntry(const std::string& name) {
  constexpr char kPrefix[] = "__omp_offloading_";
  if (name.rfind(kPrefix, 0) != 0) return {};
  size_t begin = sizeof kPrefix - 1;
  for (int numbers = 0; numbers < 2; ++numbers) {
    begin = name.find('_', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  for (size_t line = name.find("_l", begin + 1); line != std::string::npos; line = name.find("_l", line + 1)) {
    const size_t end = std::min(name.find_first_not_of("0123456789", line + 2), name.size());
    const std::string rest = name.substr(end);
    if (end > line + 2 && (rest.empty() || rest[0] == '.' || rest[0] == ' ' || rest.rfind("_debug__", 0) == 0))
      return {Demangle(name.substr(begin, line - begin)), rest};
  }
  return {};
}

}  // namespace

const char kFortranMain[] = "main program";

std::string Demangle(const std::string& linked) {
  // Rust's older names are C++ names, with a hash behind them.
  if (char* rust = rust_demangle(linked.c_str(), 0); rust != nullptr) {
    std::string name = rust;
    std::free(rust);
    // As in C++: "a::hot<f64>" for "a::hot::<f64>".
    for (size_t at = name.find("::<"); at != std::string::npos; at = name.find("::<", at)) name.erase(at, 2);
    return name;
  }
  if (linked.compare(0, sizeof kOfLibc - 1, kOfLibc) == 0) return linked.substr(sizeof kOfLibc - 1);
  if (linked.compare(0, 2, "_Z") != 0) {
    const std::string fortran = DemangleFortran(linked);
    return fortran.empty() ? linked : fortran;
  }
  int status = 0;
  char* demangled = abi::__cxa_demangle(linked.c_str(), nullptr, nullptr, &status);
  if (demangled == nullptr) return linked;
  std::string name = demangled;
  std::free(demangled);
  return name;
}

OutlinedName ParseOutlined(const std::string& name) {
  OutlinedName result;
  const OffloadEntry entry = ParseOffloadEntry(name);
  if (!entry.parent.empty()) {
    // The body of a target construct, or of a construct inside it.
    result = ParseOutlined(entry.rest);
    if (result.construct == Outlined::kNo) result.construct = Outlined::kTarget;
    result.debug_body = entry.rest.find("_debug__") != std::string::npos;
    result.parent = entry.parent;
    return result;
  }
  size_t first = std::string::npos;
  for (const Pattern& pattern : kPatterns) {
    const size_t at = name.find(pattern.text);
    if (at >= first) continue;
    first = at;
    result.construct = pattern.construct;
  }
  if (result.construct == Outlined::kNo) return result;
  // A clone of a clone has the innermost construct last: foo.omp_outlined.omp_task_entry. is a task.
  result.task_entry = name.find(".omp_task_entry") != std::string::npos;
  if (result.task_entry) result.construct = Outlined::kTask;
  result.task_copies = name.compare(first, sizeof kTaskCopies - 1, kTaskCopies) == 0;
  if (name.find(".omp.reduction.") != std::string::npos) result.construct = Outlined::kReduction;
  result.debug_body = name.find("_debug__") != std::string::npos;
  result.parent = WithoutClones(name.substr(0, first));
  result.flang_body = name.compare(first, sizeof kFlangBody - 1, kFlangBody) == 0;
  // The linked name of a procedure outside modules has one more letter than its own name.
  if (result.flang_body && result.parent.size() > 1 && result.parent.back() == '_') result.parent.pop_back();
  return result;
}

bool IsWrapper(const OutlinedName& outer, const OutlinedName& inner) {
  if (outer.construct == Outlined::kNo || inner.construct == Outlined::kNo) return false;
  if (inner.task_copies) return true;
  return outer.task_entry ? !inner.task_entry : inner.debug_body && !outer.debug_body;
}

}  // namespace ompprof::model
