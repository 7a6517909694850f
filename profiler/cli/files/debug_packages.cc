#include "profiler/cli/files/debug_packages.h"

#include <limits.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <utility>

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

// The owners of files, in lines of dpkg-query --search: "libgomp1:amd64, other:
// /usr/lib/x86_64-linux-gnu/libgomp.so.1". Of several, the first.
std::map<std::string, std::string> OwnersIn(const std::string& text) {
  std::map<std::string, std::string> owners;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t file = line.find(": /");
    if (file == std::string::npos || line.rfind("diversion by", 0) == 0) continue;
    owners.emplace(line.substr(file + 2), line.substr(0, line.find_first_of(":,")));
  }
  return owners;
}

// Debian's package with the debug symbols of `package`. Two sources have one for all of their packages, in the usual
// archive. apt-cache would know, but it takes a second where apt keeps no cache of its own, as in containers.
std::string DebianSymbols(const std::string& package) {
  if (package == "libc6") return "libc6-dbg";
  // python3.11, libpython3.11, libpython3.11-minimal, libpython3.11-stdlib
  const std::string python = package.substr(package.rfind("lib", 0) == 0 ? 3 : 0);
  const size_t end = python.find_first_not_of("0123456789", std::strlen("python3."));
  const std::string rest = python.substr(std::min(end, python.size()));
  if (python.rfind("python3.", 0) == 0 && end > std::strlen("python3.") &&
      (rest.empty() || rest == "-minimal" || rest == "-stdlib"))
    return python.substr(0, end) + "-dbg";
  return package + "-dbgsym";
}

// False: there is no dpkg.
bool FindDebianPackages(const RunCommand& run, std::vector<analyze::UnnamedObject>* objects) {
  // One command for all files, because it reads the lists of all packages. It fails for the names that it does not
  // know.
  std::vector<std::string> words = {"dpkg-query", "--search"};
  for (const analyze::UnnamedObject& object : *objects) {
    for (std::string& name : NamesOf(object.path)) words.push_back(std::move(name));
  }
  if (words.size() == 2) return true;
  const model::CommandOutput found = run(words);
  if (!found.ran) return false;
  const std::map<std::string, std::string> owners = OwnersIn(found.text);
  for (analyze::UnnamedObject& object : *objects) {
    for (const std::string& name : NamesOf(object.path)) {
      const auto owner = owners.find(name);
      if (owner == owners.end()) continue;
      object.package = owner->second;
      object.command = "apt install " + DebianSymbols(object.package);
      break;
    }
  }
  return true;
}

void FindRpmPackage(const RunCommand& run, analyze::UnnamedObject* object) {
  for (const std::string& name : NamesOf(object->path)) {
    const model::CommandOutput found = run({"rpm", "--query", "--file", "--queryformat", "%{NAME}", name});
    if (!found.ran) return;
    if (!found.problem.empty() || found.text.empty()) continue;
    object->package = found.text;
    object->command = "dnf debuginfo-install " + object->package;
    return;
  }
}

}  // namespace

void FindDebugPackages(const RunCommand& run, std::vector<analyze::UnnamedObject>* objects) {
  if (FindDebianPackages(run, objects)) return;
  for (analyze::UnnamedObject& object : *objects) FindRpmPackage(run, &object);
}

}  // namespace ompprof::cli
