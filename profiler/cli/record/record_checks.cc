#include "profiler/cli/record/record_checks.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "profiler/config/mpi_ranks.h"
#include "profiler/config/output_name.h"
#include "profiler/config/perf_events.h"

namespace ompprof::cli {
namespace {

model::Status CannotCreate(const std::string& path, int error) {
  return model::Status("cannot create the profile " + path + ": " + std::strerror(error) +
                       "; name another file with -o");
}

// A file in `folder` that nobody sees, not even if this process is killed. Where this fails, maybe because the file
// system has no files without names, a file whose name is gone at once. Negative, with errno: not possible.
int OpenTrial(const std::string& folder) {
  const int nameless = open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (nameless >= 0) return nameless;
  const std::string name = folder + ".ompprof." + std::to_string(getpid());
  const int named = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

model::Status PlanProfile(const config::Config& config, const std::string& program, const std::string& folder,
                          std::string* path) {
  path->clear();
  if (folder.empty()) return {};
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "localhost");
  const std::string name = program.substr(program.rfind('/') + 1);
  const config::OutputNameParts parts{folder.c_str(),    name.c_str(), host, config::MpiRank(), getpid(), 0,
                                      config::MpiRanks()};
  char expanded[PATH_MAX];
  if (!config::ExpandOutputName(config.output, parts, expanded, sizeof expanded))
    return model::Status("'" + std::string(config.output) + "' is no usable name of a profile; only " +
                         config::kNamePatterns + " are expanded, and the name has at most " +
                         std::to_string(PATH_MAX - 1) + " bytes");
  *path = expanded;
  config::MakeRankFolder(config.output, parts, expanded);
  return {};
}

model::Status CheckWritable(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return model::Status(path + ": is a folder; name a file in it with -o");
    if (S_ISREG(info.st_mode) || access(path.c_str(), W_OK) == 0) return {};
    return CannotCreate(path, errno);
  }
  if (errno != ENOENT) return CannotCreate(path, errno);
  const int descriptor = OpenTrial(path.substr(0, path.rfind('/') + 1));
  if (descriptor < 0) return CannotCreate(path, errno);
  // Beyond RLIMIT_FSIZE, the kernel sends a signal.
  const auto former = signal(SIGXFSZ, SIG_IGN);
  const ssize_t written = write(descriptor, "", 1);
  const int error = errno;
  signal(SIGXFSZ, former);
  close(descriptor);
  return written == 1 ? model::Status() : CannotCreate(path, error);
}

namespace {

long OpenEvent(perf_event_attr* attributes, int leader) {
  const long descriptor = syscall(SYS_perf_event_open, attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
  return descriptor >= 0 ? descriptor : -errno;
}

// Opens the events as the collector does.
model::Status CheckCounts(const config::Config& config) {
  config::EventList list;
  if (config.count[0] == '\0' || !config::ParseEvents(config.count, &list)) return {};
  const char* failed = nullptr;
  int error = 0;
  for (const bool kernel : {true, false}) {
    int descriptors[kMostCountedEvents];
    const uint32_t opened = config::OpenGroup(list, kernel, OpenEvent, descriptors, &error);
    for (uint32_t i = 0; i < opened; ++i) close(descriptors[i]);
    if (opened == list.size) return {};
    failed = list.events[opened]->name;
    if (!config::IsKernelRefused(error)) break;
  }
  char refusal[1024];
  config::RefusalText(failed, error, refusal, sizeof refusal);
  return model::Status(refusal);
}

}  // namespace

model::Status CheckEvent(const config::Config& config) {
  if (config.event[0] == '\0') return CheckCounts(config);
  const config::PerfEvent* event = config::FindPerfEvent(config.event);
  perf_event_attr attributes = config::AttributesOf(*event, config::PeriodOf(*event, config.frequency));
  const long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (descriptor >= 0) {
    close(static_cast<int>(descriptor));
    return {};
  }
  char refusal[1024];
  config::RefusalText(config.event, errno, refusal, sizeof refusal);
  return model::Status(refusal);
}

}  // namespace ompprof::cli
