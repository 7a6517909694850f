#include "profiler/cli/files/find_log.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "profiler/model/record_log.h"

namespace ompprof::cli {
namespace {

// The name of the collector's thread, which has descriptors of its own (profiler/collect/write/writer.cc).
constexpr char kWriterName[] = "ompprof";

std::vector<std::string> Entries(const std::string& path) {
  std::vector<std::string> names;
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return names;
  for (const dirent* entry = readdir(folder); entry != nullptr; entry = readdir(folder)) {
    if (entry->d_name[0] != '.') names.push_back(entry->d_name);
  }
  closedir(folder);
  return names;
}

// Only for a regular file: reading from a pipe would take bytes from its reader.
bool IsProfile(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  char magic[model::kMagicSize];
  std::ifstream file(path, std::ios::binary);
  return file.read(magic, sizeof magic) && std::memcmp(magic, model::kMagic, sizeof magic) == 0;
}

}  // namespace

FoundLog FindLog(pid_t pid) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  for (const std::string& tid : Entries(tasks)) {
    std::string name;
    std::getline(std::ifstream(tasks + "/" + tid + "/comm"), name);
    if (name != kWriterName) continue;
    const std::string descriptors = tasks + "/" + tid + "/fd";
    for (const std::string& number : Entries(descriptors)) {
      const std::string path = descriptors + "/" + number;
      if (!IsProfile(path)) continue;
      char target[PATH_MAX];
      const ssize_t size = readlink(path.c_str(), target, sizeof target);
      return {path, size > 0 ? std::string(target, static_cast<size_t>(size)) : path};
    }
  }
  return {};
}

}  // namespace ompprof::cli
