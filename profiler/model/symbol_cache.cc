#include "profiler/model/symbol_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <tuple>
#include <vector>

#include "profiler/model/debug_identity.h"

namespace ompprof::model {
namespace {

// Longer build ids are no linker's.
constexpr size_t kLongestBuildId = 64;
constexpr char kEnding[] = ".names";
constexpr char kPartEnding[] = ".part";
// A file that is still being written after a day belongs to a command that was killed.
constexpr time_t kOldestPartS = 24 * 3600;

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// A folder of this user. Makes it, and the folder around it.
bool IsOwnFolder(const std::string& folder) {
  mkdir(folder.substr(0, folder.rfind('/')).c_str(), 0700);
  mkdir(folder.c_str(), 0700);
  struct stat info;
  return stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid();
}

// "5f3a...-0123456789abcdef.names": the build id, and a hash of the identity. A program and its copy elsewhere have
// files of their own.
std::string FileName(const std::string& build_id, const std::string& identity) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char byte : identity) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3u;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016" PRIx64, hash);
  return Hex(build_id) + "-" + hex + kEnding;
}

// Whether this program may have made a file of that name.
bool IsOwnName(const std::string& name) {
  if (!EndsWith(name, kEnding) && !EndsWith(name, kPartEnding)) return false;
  const std::string begin = name.substr(0, name.find('.'));
  return begin.size() > 17 && begin.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

// The content of a plain file of this user. Empty if there is none, or if it is longer than `most_bytes`.
std::string ReadOwn(const std::string& path, uint64_t most_bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return "";
  std::string bytes;
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_size > 0 &&
      static_cast<uint64_t>(info.st_size) <= most_bytes) {
    bytes.resize(static_cast<size_t>(info.st_size));
    size_t done = 0;
    for (ssize_t got = 1; done < bytes.size() && got > 0; done += static_cast<size_t>(std::max<ssize_t>(got, 0)))
      got = read(fd, &bytes[done], bytes.size() - done);
    bytes.resize(done);
    futimens(fd, nullptr);  // the file was used now
  }
  close(fd);
  return bytes;
}

// The file appears whole or not at all. A crash of the machine may damage it: readers find that out.
bool WriteOwn(const std::string& path, const std::string& bytes) {
  const std::string part = path + "." + std::to_string(getpid()) + kPartEnding;
  unlink(part.c_str());  // of a process with the same number, which was killed
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = write(fd, &bytes[done], bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    done += static_cast<size_t>(wrote);
  }
  const bool written = close(fd) == 0 && done == bytes.size() && std::rename(part.c_str(), path.c_str()) == 0;
  if (!written) unlink(part.c_str());
  return written;
}

}  // namespace

SymbolCache::SymbolCache(const std::string& folder, uint64_t most_bytes) : most_bytes_(most_bytes) {
  if (!folder.empty() && most_bytes > 0 && IsOwnFolder(folder)) folder_ = folder;
}

std::string SymbolCache::UsualFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/ompprof";
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/ompprof" : "";
}

std::shared_ptr<KnownNames> SymbolCache::Open(const std::string& path, const std::string& build_id, Status* status) {
  auto known = opened_.find({path, build_id});
  if (known == opened_.end()) known = opened_.emplace(std::make_pair(path, build_id), OpenNew(path, build_id)).first;
  *status = known->second.status;
  return known->second.names;
}

SymbolCache::Opened SymbolCache::OpenNew(const std::string& path, const std::string& build_id) {
  Opened opened;
  opened.names = std::make_shared<KnownNames>(path, build_id);
  if (!folder_.empty() && path[0] == '/' && build_id.size() <= kLongestBuildId) {
    opened.identity = DebugIdentity(path, build_id);
    if (!opened.identity.empty() &&
        opened.names->Take(ReadOwn(folder_ + "/" + FileName(build_id, opened.identity), most_bytes_), opened.identity))
      return opened;
  }
  opened.status = opened.names->Open();
  if (!opened.status.ok()) opened.names = nullptr;
  return opened;
}

SymbolCache::~SymbolCache() {
  bool written = false;
  for (const auto& [key, opened] : opened_) {
    if (opened.identity.empty() || opened.names == nullptr || !opened.names->IsWorthKeeping()) continue;
    // A server may have the debug information later.
    if (!opened.names->has_lines() && !DebuginfodServers().empty()) continue;
    // The file or its debug information may have changed, or have been fetched, since it was opened.
    if (DebugIdentity(key.first, key.second) != opened.identity) continue;
    const std::string bytes = opened.names->Bytes(opened.identity, most_bytes_ / 4);
    if (bytes.size() > most_bytes_ / 4) continue;
    written |= WriteOwn(folder_ + "/" + FileName(key.second, opened.identity), bytes);
  }
  if (written) RemoveOldest();
}

void SymbolCache::RemoveOldest() const {
  DIR* folder = opendir(folder_.c_str());
  if (folder == nullptr) return;
  std::vector<std::tuple<int64_t, int64_t, std::string, uint64_t>> files;  // the time of the last use, name, size
  uint64_t bytes = 0;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    struct stat info;
    if (!IsOwnName(name) || fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (EndsWith(name, kPartEnding)) {
      if (info.st_mtim.tv_sec + kOldestPartS < std::time(nullptr)) unlinkat(dirfd(folder), entry->d_name, 0);
      continue;
    }
    const auto size = static_cast<uint64_t>(info.st_size);
    files.emplace_back(info.st_mtim.tv_sec, info.st_mtim.tv_nsec, name, size);
    bytes += size;
  }
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i < files.size() && bytes > most_bytes_; ++i) {
    unlinkat(dirfd(folder), std::get<2>(files[i]).c_str(), 0);
    bytes -= std::get<3>(files[i]);
  }
  closedir(folder);
}

}  // namespace ompprof::model
