#include "profiler/cli/files/staged_profiles.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "profiler/config/stage.h"
#include "profiler/model/profile_header.h"
#include "scripts/bazel/libc_floor/system_calls.h"

namespace ompprof::cli {
namespace {

constexpr int kProgram = 3;  // descriptor of the program's process

std::string RootOf(const std::string& stage) {
  char root[PATH_MAX];
  return config::StageRoot(stage.c_str(), geteuid(), root, sizeof root) ? root : "";
}

// 0 or an error number.
int CopyFile(const std::string& from, const std::string& to) {
  const std::string part = to + config::kPartSuffix + "." + std::to_string(getpid());
  std::error_code error;
  std::filesystem::copy_file(from, part, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) std::filesystem::rename(part, to, error);
  if (!error) return 0;
  unlink(part.c_str());
  return error.value();
}

// Removes the file, and its folders as far as they are empty then.
void RemoveBelow(const std::string& root, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  for (std::filesystem::path at = file.parent_path(); at.string().size() > root.size(); at = at.parent_path()) {
    if (rmdir(at.c_str()) != 0) return;
  }
}

bool BelongsTo(const std::string& file, const std::string& run) {
  Header header;
  return model::ReadHeader(file, &header) && header.run() == run;
}

// The process itself has tried to copy the file, and has told of it.
bool IsGivenUp(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) != 0 || (status.st_mode & S_IWUSR) == 0;
}

// Why the file cannot be copied to its name; empty: it was copied.
std::string Copy(const std::string& file, const std::string& name, const std::string& run) {
  if (access(name.c_str(), F_OK) == 0 && !BelongsTo(name, run)) return "another run has taken the name";
  const int error = CopyFile(file, name);
  return error != 0 ? std::strerror(error) : "";
}

// The lock of a file that no process writes to. A process that has just made its file takes the lock a moment later.
class FileLock {
 public:
  explicit FileLock(const std::string& file) : descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (!Try()) return;
    struct stat status;
    if (fstat(descriptor_, &status) != 0 || status.st_mtime + 1 < time(nullptr)) return;
    flock(descriptor_, LOCK_UN);
    sleep(1);
    Try();
  }
  ~FileLock() { Close(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool is_held() const { return descriptor_ >= 0; }

 private:
  bool Try() {
    if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0) Close();
    return is_held();
  }
  void Close() {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }

  int descriptor_;
};

// A sentence if the profile stays; empty: it was copied, or it is not to be copied now.
std::string CopyIfLeft(const std::string& root, const std::string& file, const std::string& run) {
  if (!BelongsTo(file, run) || IsGivenUp(file)) return "";
  const FileLock lock(file);
  // Another rank's `record` may have been here.
  if (!lock.is_held() || access(file.c_str(), F_OK) != 0) return "";
  const std::string name = file.substr(root.size());
  const std::string obstacle = Copy(file, name, run);
  if (!obstacle.empty())
    return "ompprof: the profile stays in " + file + " on this node: it cannot be copied to " + name + ": " + obstacle +
           "\n";
  RemoveBelow(root, file);
  return "";
}

// Returns when the program has ended.
void AwaitProgram() {
  pollfd program{kProgram, POLLIN, 0};
  while (poll(&program, 1, -1) < 0 && errno == EINTR) {
  }
}

}  // namespace

model::Status CheckStage(const std::string& folder) {
  const std::string root = RootOf(folder);
  if ((mkdir(root.c_str(), 0700) == 0 || errno == EEXIST) && access(root.c_str(), W_OK) == 0) return {};
  return model::Status("no profile can grow in the folder " + folder + " of --stage: " + std::strerror(errno) +
                       "; name another folder");
}

std::string CopyStaged(const std::string& stage, const std::string& run) {
  const std::string root = RootOf(stage);
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(root, error), last; !error && at != last; at.increment(error)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown)) files.push_back(at->path().string());
  }
  std::string sentences;
  for (const std::string& file : files) sentences += CopyIfLeft(root, file, run);
  return sentences;
}

void StartStageKeeper(const std::string& stage, const std::string& run) {
  const pid_t program = getpid();
  const long descriptor = syscall(SYS_pidfd_open, program, 0);
  if (descriptor < 0) return;  // before Linux 5.3
  const pid_t child = fork();
  if (child > 0) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (child != 0) {
    close(static_cast<int>(descriptor));
    return;
  }
  // The parent ends at once, so the program, which expects only its own children, has no further child.
  if (fork() != 0) _exit(0);
  setpgid(0, 0);  // away from keys typed for the program
  // Of a batch system that ends the job: the profile of the program, which ends now, is to be copied.
  for (const int ends : {SIGTERM, SIGHUP, SIGINT, SIGTTOU, SIGPIPE}) signal(ends, SIG_IGN);
  prctl(PR_SET_NAME, "ompprof-stage");
  // Readers of the program's output wait until every copy of it is closed.
  if (descriptor != kProgram) dup2(static_cast<int>(descriptor), kProgram);
  syscall(SYS_close_range, kProgram + 1, ~0u, 0);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  AwaitProgram();
  const std::string sentences = CopyStaged(stage, run);
  if (write(STDERR_FILENO, sentences.data(), sentences.size()) < 0) _exit(1);
  _exit(0);
}

}  // namespace ompprof::cli
