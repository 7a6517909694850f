#include "profiler/cli/debug_packages.h"

#include <limits.h>
#include <stdlib.h>

#include <set>

namespace ompprof::cli {
namespace {

// The names under which a package manager may know the file. Debian 12's packages still have files in /lib, which is a
// link to /usr/lib.
std::vector<std::string> NamesOf(const std::string& path) {
  constexpr char kUsr[] = "/usr";
  std::set<std::string> names = {path};
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) != nullptr) names.insert(real);
  std::vector<std::string> all;
  for (const std::string& name : names) {
    // dpkg-query takes these characters for a pattern, and a word without a slash for any part of a path.
    if (name.empty() || name[0] != '/' || name.find_first_of("*?[\\") != std::string::npos) continue;
    all.push_back(name);
    if (name.rfind(std::string(kUsr) + "/", 0) == 0)
      all.push_back(name.substr(sizeof kUsr - 1));
    else
      all.push_back(kUsr + name);
  }
  return all;
}

// The package in a line of dpkg-query --search: "libgomp1:amd64: /usr/lib/x86_64-linux-gnu/libgomp.so.1".
std::string PackageInLine(const std::string& line) {
  const size_t end = line.find_first_of(":,\n");
  return end == std::string::npos || line.rfind("diversion by", 0) == 0 ? "" : line.substr(0, end);
}

bool HasLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

// The package with the debug symbols of `package`. Some sources have a -dbg package, which needs no further archive:
// the package's own (libc6-dbg), or one for all packages of the source (python3.11-dbg for python3.11-minimal).
std::string DebianSymbols(const RunCommand& run, const std::string& package) {
  std::string automatic = package + "-dbgsym";
  const std::string known = run({"apt-cache", "pkgnames", package + "-dbg"});
  if (HasLine(known, automatic)) return automatic;
  if (HasLine(known, package + "-dbg")) return package + "-dbg";
  const std::string source = run({"dpkg-query", "--show", "--showformat", "${source:Package}", package});
  const bool of_source = !source.empty() && HasLine(run({"apt-cache", "pkgnames", source + "-dbg"}), source + "-dbg");
  if (of_source) return source + "-dbg";
  return automatic;
}

bool FindDebianPackage(const RunCommand& run, analyze::UnnamedObject* object) {
  for (const std::string& name : NamesOf(object->path)) {
    object->package = PackageInLine(run({"dpkg-query", "--search", name}));
    if (object->package.empty()) continue;
    object->command = "apt install " + DebianSymbols(run, object->package);
    return true;
  }
  return false;
}

void FindRpmPackage(const RunCommand& run, analyze::UnnamedObject* object) {
  for (const std::string& name : NamesOf(object->path)) {
    object->package = run({"rpm", "--query", "--file", "--queryformat", "%{NAME}", name});
    if (object->package.empty()) continue;
    object->command = "dnf debuginfo-install " + object->package;
    return;
  }
}

}  // namespace

void FindDebugPackages(const RunCommand& run, std::vector<analyze::UnnamedObject>* objects) {
  for (analyze::UnnamedObject& object : *objects) {
    if (!FindDebianPackage(run, &object)) FindRpmPackage(run, &object);
  }
}

}  // namespace ompprof::cli
