#include "profiler/collect/process/last_line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer.h"
#include "profiler/config/last_line.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/config/output_name.h"

namespace ompprof::collect {
namespace {

// The working folder of `record`; empty: no line is wanted.
char folder[PATH_MAX];
char run[512];          // the name of the run, in the header of each of its profiles; empty: not known
struct stat first_err;  // standard error at the beginning
bool is_rank;

bool IsFirstErr() {
  struct stat now;
  return FileStatus(STDERR_FILENO, "", AT_EMPTY_PATH, &now) == 0 && now.st_dev == first_err.st_dev &&
         now.st_ino == first_err.st_ino && now.st_rdev == first_err.st_rdev;
}

enum class Place { kTerminal, kBackground, kOther };

Place PlaceOfErr() {
  pid_t foreground = 0;
  if (RawSyscall(SYS_ioctl, STDERR_FILENO, TIOCGPGRP, reinterpret_cast<long>(&foreground)) != 0) {
    // Another session's terminal is one as well.
    char settings[256];
    return RawSyscall(SYS_ioctl, STDERR_FILENO, TCGETS, reinterpret_cast<long>(settings)) == 0 ? Place::kBackground
                                                                                               : Place::kOther;
  }
  return foreground == RawSyscall(SYS_getpgid, 0) ? Place::kTerminal : Place::kBackground;
}

bool TakesBytesNow() {
  pollfd err{STDERR_FILENO, POLLOUT, 0};
  timespec none{0, 0};
  return RawSyscall(SYS_ppoll, reinterpret_cast<long>(&err), 1, reinterpret_cast<long>(&none), 0, 0) == 1 &&
         (err.revents & POLLOUT) != 0;
}

// Without SIGPIPE from a pipe that nobody reads, and without SIGXFSZ from a file at its limit.
void WriteQuietly(const char* text) {
  constexpr uint64_t kSignals = 1ull << (SIGPIPE - 1) | 1ull << (SIGXFSZ - 1);
  uint64_t mask = 0;
  uint64_t pending = 0;
  RawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&kSignals), reinterpret_cast<long>(&mask),
             sizeof(mask));
  RawSyscall(SYS_rt_sigpending, reinterpret_cast<long>(&pending), sizeof(pending));
  const long wrote =
      RawSyscall(SYS_write, STDERR_FILENO, reinterpret_cast<long>(text), static_cast<long>(strlen(text)));
  const uint64_t caused = kSignals & ~pending;
  const timespec none{0, 0};
  if (wrote == -EPIPE || wrote == -EFBIG)
    RawSyscall(SYS_rt_sigtimedwait, reinterpret_cast<long>(&caused), 0, reinterpret_cast<long>(&none), sizeof(caused));
  RawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), 0, sizeof(mask));
}

bool HadChildren() {
  rusage usage;
  return RawSyscall(SYS_getrusage, RUSAGE_CHILDREN, reinterpret_cast<long>(&usage)) == 0 && usage.ru_maxrss > 0;
}

// Whether the file `name` in the open folder is a profile of this run. The files of earlier runs are not opened.
// `opens` counts the files that are.
bool IsOfRun(int in_folder, const char* name, int* opens) {
  constexpr size_t kEnd = sizeof(config::kProfileSuffix) - 1;
  constexpr int64_t kClocksDiffer = 60;  // seconds: a file system's clock and this machine's
  constexpr size_t kHead = 64 << 10;     // has the header, behind the command line
  static char head[kHead];
  const size_t length = strlen(name);
  struct stat info;
  if (length < kEnd || strcmp(name + length - kEnd, config::kProfileSuffix) != 0) return false;
  if (FileStatus(in_folder, name, AT_SYMLINK_NOFOLLOW, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  if (info.st_mtim.tv_sec + kClocksDiffer < session.start_unix_ns / 1000000000) return false;
  const long file =
      RawSyscall(SYS_openat, in_folder, reinterpret_cast<long>(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
  ++*opens;
  if (file < 0) return false;
  const long got = RawSyscall(SYS_read, file, reinterpret_cast<long>(head), kHead);
  RawSyscall(SYS_close, file);
  return got > 0 && memmem(head, static_cast<size_t>(got), run, strlen(run)) != nullptr;
}

struct Entry {  // linux_dirent64
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[1];
};

// Counts the profiles of the processes that this one started. A large folder is looked at in part.
void CountProfiles(config::Written* written) {
  constexpr int kMostReads = 64;   // about 50,000 files
  constexpr int kMostOpens = 512;  // on a file system that may be slow
  alignas(Entry) static char entries[32 << 10];
  static char own_folder[PATH_MAX];
  const char* const slash = strrchr(written->path, '/');
  if (run[0] == '\0' || slash == nullptr || strlen(written->path) >= sizeof(own_folder)) return;
  memcpy(own_folder, written->path, static_cast<size_t>(slash + 1 - written->path));
  own_folder[slash + 1 - written->path] = '\0';
  const long opened =
      RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(own_folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (opened < 0) return;
  const int in_folder = static_cast<int>(opened);
  written->common = SIZE_MAX;
  int opens = 0;
  for (int reads = 0; reads < kMostReads && opens < kMostOpens; ++reads) {
    const long got = RawSyscall(SYS_getdents64, in_folder, reinterpret_cast<long>(entries), sizeof(entries));
    if (got <= 0) break;
    for (long at = 0; at < got && opens < kMostOpens;) {
      const auto* entry = reinterpret_cast<const Entry*>(entries + at);
      at += entry->size;
      if (strcmp(entry->name, slash + 1) == 0 || !IsOfRun(in_folder, entry->name, &opens)) continue;
      ++written->count;
      written->common = config::CommonPart(written->path, entry->name, written->common);
    }
  }
  RawSyscall(SYS_close, in_folder);
}

}  // namespace

void PrepareLastLine() {
  const char* of_record = getenv("OMPPROF_FOLDER");
  if (getenv("OMPPROF_LAST_LINE") == nullptr || of_record == nullptr || strlen(of_record) >= sizeof(folder)) return;
  if (FileStatus(STDERR_FILENO, "", AT_EMPTY_PATH, &first_err) != 0) return;
  strcpy(folder, of_record);
  const char* name = getenv("OMPPROF_RUN");
  if (name != nullptr && strlen(name) < sizeof(run)) strcpy(run, name);
  is_rank = config::MpiRank()[0] != '\0';
}

void ForgetLastLine() { folder[0] = '\0'; }

void PrintLastLine(const char* reason) {
  config::Written written{OutputPath()};
  if (folder[0] == '\0' || written.path[0] == '\0' || !config::EndsProcess(reason) || !IsFirstErr()) return;
  const Place place = PlaceOfErr();
  if (place == Place::kBackground || !TakesBytesNow()) return;
  written.is_rank = is_rank;
  if (!is_rank && HadChildren()) CountProfiles(&written);
  constexpr char kBegin[] = "ompprof: ";
  // The program may have left the terminal in its own mode.
  const char* const end = place == Place::kTerminal ? "\r\n" : "\n";
  static char line[4096];  // the stack of a signal handler, which may call _exit, can be small
  strcpy(line, kBegin);
  if (!config::LastLine(written, folder, line + strlen(kBegin), sizeof(line) - sizeof(kBegin) - strlen(end))) return;
  strcat(line, end);
  WriteQuietly(line);
}

}  // namespace ompprof::collect
