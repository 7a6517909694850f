#include "profiler/model/debug_identity.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace ompprof::model {
namespace {

constexpr char kDebugFolder[] = "/usr/lib/debug";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string BaseOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Of the file at `path`: its size, its number, and the time of its last change. "-" if there is none.
std::string Stamp(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return path + " -\n";
  return path + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_dev) + " " +
         std::to_string(info.st_ino) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec) + "\n";
}

// The build id and the debug link of a file, as its sections tell.
struct Links {
  std::string build_id;
  std::string debug_link;  // empty: none
};

Links LinksOf(const std::string& path) {
  Links links;
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return links;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return links;
  elf_version(EV_CURRENT);
  Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  const void* bytes = nullptr;
  if (const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes); size > 0)
    links.build_id.assign(static_cast<const char*>(bytes), static_cast<size_t>(size));
  GElf_Word checksum = 0;
  if (const char* name = dwelf_elf_gnu_debuglink(elf, &checksum)) links.debug_link = name;
  elf_end(elf);
  close(fd);
  return links;
}

// Where debug information of that name may be for a file in `folder`, which ends with a slash: beside the file, below
// it, and under the debug folder by the whole of the file's folder or a part of it.
void AddPlaces(const std::string& folder, const std::string& name, std::vector<std::string>* places) {
  places->push_back(folder + name);
  places->push_back(folder + ".debug/" + name);
  for (size_t slash = 0; slash != std::string::npos && slash < folder.size(); slash = folder.find('/', slash + 1))
    places->push_back(kDebugFolder + folder.substr(slash) + name);
}

std::string DebuginfodFolder() {
  if (std::string own = Environment("DEBUGINFOD_CACHE_PATH"); !own.empty()) return own;
  const std::string cache = Environment("XDG_CACHE_HOME");
  return (cache.empty() ? Environment("HOME") + "/.cache" : cache) + "/debuginfod_client";
}

}  // namespace

std::string Hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<uint8_t>(byte) >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string DebuginfodServers() { return Environment("DEBUGINFOD_URLS"); }

std::string DebugIdentity(const std::string& path, const std::string& build_id) {
  const Links links = LinksOf(path);
  if (build_id.empty() || links.build_id != build_id) return "";
  const std::string hex = Hex(build_id);
  std::vector<std::string> places = {std::string(kDebugFolder) + "/.build-id/" + hex.substr(0, 2) + "/" +
                                     hex.substr(2) + ".debug"};
  const std::string name = links.debug_link.empty() ? BaseOf(path) + ".debug" : links.debug_link;
  AddPlaces(FolderOf(path), name, &places);
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) != nullptr && path != resolved) AddPlaces(FolderOf(resolved), name, &places);
  places.push_back(path + ".dwp");
  const std::string servers = DebuginfodServers();
  if (!servers.empty()) places.push_back(DebuginfodFolder() + "/" + hex + "/debuginfo");
  std::string identity = Stamp(path) + servers + "\n";
  for (const std::string& place : places) identity += Stamp(place);
  return identity;
}

}  // namespace ompprof::model
