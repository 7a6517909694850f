#include "profiler/cli/record/preload_check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "profiler/config/preload_fit.h"

namespace ompprof::cli {
namespace {

int RunError(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EACCES;
  return access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

long Call(long number, long a, long b, long c, long d, long e, long f) {
  const long result = syscall(number, a, b, c, d, e, f);
  return result == -1 ? -errno : result;
}

}  // namespace

FoundProgram FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name, RunError(name)};
  const char* variable = std::getenv("PATH");
  const std::string path = variable != nullptr ? variable : "/bin:/usr/bin";
  FoundProgram found = {name, ENOENT};
  for (size_t begin = 0; begin <= path.size() && !name.empty();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = end == begin ? "." : path.substr(begin, end - begin);
    const int error = RunError(folder + "/" + name);
    if (error == 0) return {folder + "/" + name, 0};
    if (error == EACCES) found = {folder + "/" + name, EACCES};  // a later folder may have a program that runs
    begin = end + 1;
  }
  return found;
}

std::string WhyNotPreloadable(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return "";
  // The loader ignores a preload with a slash if the program gets other rights than its caller (ld.so(8)).
  const bool other_user = (info.st_mode & S_ISUID) != 0 && info.st_uid != getuid();
  const bool other_group = (info.st_mode & S_ISGID) != 0 && info.st_gid != getgid();
  if (other_user || other_group) return "the program runs with another user's or group's rights";
  if (getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) {
    return "the program has capabilities of its own";
  }

  const char* why = config::WhyNoPreload(config::FitOfProgram(Call, AT_FDCWD, path.c_str(), /*by_shell=*/true));
  return why != nullptr ? why : "";
}

}  // namespace ompprof::cli
