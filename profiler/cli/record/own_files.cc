#include "profiler/cli/record/own_files.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace ompprof::cli {
namespace {

// The folder below lib for the libraries of one package, as Debian has it.
#if defined(__x86_64__)
constexpr char kPackageLibraries[] = "/../lib/x86_64-linux-gnu/ompprof/";
#elif defined(__aarch64__)
constexpr char kPackageLibraries[] = "/../lib/aarch64-linux-gnu/ompprof/";
#else
constexpr char kPackageLibraries[] = "/../lib/ompprof/";
#endif

}  // namespace

std::string OwnFolder() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, size > 0 ? static_cast<size_t>(size) : 0);
  // A root without /proc: the name by which the program was executed, by getauxval(3).
  if (size <= 0) {
    const auto* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    if (executed != nullptr && realpath(executed, path) != nullptr) self = path;
  }
  return self.substr(0, self.rfind('/'));
}

std::vector<std::string> OwnPlaces(const std::string& name, const std::string& built) {
  const std::string folder = OwnFolder();
  return {folder + "/../lib/" + name, folder + kPackageLibraries + name, folder + "/" + built};
}

std::string FirstThere(const std::vector<std::string>& places, std::string* tried) {
  for (const std::string& place : places) {
    char resolved[PATH_MAX];
    if (realpath(place.c_str(), resolved) != nullptr) return resolved;
    *tried += (tried->empty() ? "" : ", ") + place;
  }
  return "";
}

}  // namespace ompprof::cli
