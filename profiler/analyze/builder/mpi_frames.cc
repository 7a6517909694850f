#include "profiler/analyze/builder/mpi_frames.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace ompprof::analyze {
namespace {

using FileNames = std::initializer_list<const char*>;

// Of Open MPI, MPICH and their kin. Open MPI's transports are plugins (mca_*.so). libmpir has large numbers.
constexpr FileNames kLibraries = {"libmpi*", "libopen-pal*", "libopen-rte*", "libpmix*", "libmca_*", "mca_*.so"};
constexpr FileNames kNoLibraries = {"libmpir*"};

// Below MPI, where a process uses it. Other programs have these libraries without MPI.
constexpr FileNames kTransports = {"libuc[pst].so*", "libuct_*.so*", "libfabric.so*", "libpsm2.so*"};

bool IsNamed(FileNames patterns, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const char* pattern) { return fnmatch(pattern, name.c_str(), FNM_NOESCAPE) == 0; });
}

bool BeginsWith(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

// Removes the ending; false if `text` has another one.
bool TakeEnding(const std::string& ending, std::string* text) {
  if (text->size() <= ending.size() || text->compare(text->size() - ending.size(), ending.size(), ending) != 0)
    return false;
  text->resize(text->size() - ending.size());
  return true;
}

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
char Upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// "MPI_" and "allreduce" of "pmpi_allreduce". The parts are empty if the name begins otherwise.
struct Parts {
  const char* prefix = "";
  std::string rest;
};

Parts Split(const std::string& name) {
  struct Beginning {
    const char* text;
    const char* prefix;
  };
  for (const Beginning& beginning : {Beginning{"MPI_", "MPI_"},
                                     {"PMPI_", "MPI_"},
                                     {"MPIX_", "MPIX_"},
                                     {"PMPIX_", "MPIX_"},
                                     {"mpi_", "MPI_"},
                                     {"pmpi_", "MPI_"},
                                     {"mpix_", "MPIX_"},
                                     {"pmpix_", "MPIX_"},
                                     {"ompi_", "MPI_"},
                                     {"ompix_", "MPIX_"},
                                     {"pompi_", "MPI_"}}) {
    if (BeginsWith(name, beginning.text)) return {beginning.prefix, name.substr(std::string(beginning.text).size())};
  }
  return {};
}

// "MPI_" and "ALLREDUCE", "allreduce_" or "allreduce_f08_". Open MPI's own functions are ompi_*; of these, bindings
// end in _f.
std::string FortranName(const std::string& name, Parts parts) {
  while (TakeEnding("_", &parts.rest)) continue;
  const bool bound =
      TakeEnding("_f08ts", &parts.rest) || TakeEnding("_f08", &parts.rest) || TakeEnding("_f", &parts.rest);
  if (!bound && name.find("ompi") < 2) return "";
  std::transform(parts.rest.begin(), parts.rest.end(), parts.rest.begin(), Lower);
  return parts.rest;
}

}  // namespace

bool IsMpiLibrary(const std::string& path) { return IsNamed(kLibraries, path) && !IsNamed(kNoLibraries, path); }

std::string MpiFunction(const std::string& linked_name, bool in_library) {
  const char first = linked_name.empty() ? '\0' : linked_name[0];
  if (first != 'M' && first != 'P' && !in_library) return "";
  const std::string name = linked_name.substr(0, linked_name.find('.'));  // compilers split functions: ".cold"
  if (in_library && name == "ompi_mpi_finalize") return "MPI_Finalize";   // which leaves its frame to this function
  Parts parts = Split(name);
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (parts.rest.empty() || !std::all_of(parts.rest.begin(), parts.rest.end(), belongs)) return "";
  if (in_library) parts.rest = FortranName(name, parts);
  // The standard (MPI 4.0, section 2.2) has MPI_Class_action for all C functions, and reserves MPI_ and PMPI_.
  if (parts.rest.empty() || (!in_library && !IsUpper(parts.rest[0]))) return "";
  parts.rest[0] = Upper(parts.rest[0]);
  return parts.prefix + parts.rest;
}

std::string MpiFrame(const std::string& function) { return "<mpi " + (function.empty() ? "library" : function) + ">"; }

MpiFrames::MpiFrames(const model::ProcessProfile* process, const model::Symbolizer* symbolizer)
    : symbolizer_(*symbolizer) {
  any_ = std::any_of(process->modules.begin(), process->modules.end(),
                     [](const auto& module) { return IsMpiLibrary(module.second.path()); });
}

bool MpiFrames::IsLibrary(uint32_t object) {
  if (!any_ || object == 0) return false;
  if (object >= kinds_.size()) kinds_.resize(symbolizer_.objects().size());
  if (kinds_[object] == 0) {
    const std::string& path = symbolizer_.objects()[object].path;
    kinds_[object] = IsMpiLibrary(path) || IsNamed(kTransports, path) ? 2 : 1;
  }
  return kinds_[object] == 2;
}

MpiFrames::Step MpiFrames::Go(const std::vector<model::SourceFrame>& functions, uint32_t object, MpiWalk* walk) {
  if (walk->inside && walk->can_return && object == walk->object) *walk = {};
  Step step = {walk->inside ? 0 : functions.size(), false, ""};
  if (walk->named) return step;
  const bool in_library = IsLibrary(object);
  size_t outer = 0;
  for (auto at = functions.rbegin(); at != functions.rend() && !walk->named; ++at, ++outer) {
    step.function = MpiFunction(at->function->system_name, in_library);
    walk->named = !step.function.empty();
    if (walk->named && !walk->inside) step.outside = outer;
  }
  if (walk->inside) return step;
  step.entered = in_library || walk->named;
  if (in_library) step.outside = 0;
  if (step.entered) {
    walk->inside = true;
    // A function that is inlined into its caller, or linked statically, shares its object with the program.
    walk->can_return = walk->object != 0 && walk->object != object;
  } else {
    walk->object = object;
  }
  return step;
}

}  // namespace ompprof::analyze
