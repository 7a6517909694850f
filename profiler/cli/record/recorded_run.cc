#include "profiler/cli/record/recorded_run.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "profiler/cli/options/complaint.h"

namespace ompprof::cli {
namespace {

// A shell's exit status for a command that it cannot run.
constexpr int kNotRunnable = 126;

// The keys' signals go to the program, and what it does then is the run's outcome.
class KeysIgnored {
 public:
  KeysIgnored() {
    struct sigaction ignored = {};
    ignored.sa_handler = SIG_IGN;
    for (size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &ignored, &before_[i]);
  }
  ~KeysIgnored() { Restore(); }
  KeysIgnored(const KeysIgnored&) = delete;
  KeysIgnored& operator=(const KeysIgnored&) = delete;

  void Restore() const {
    for (size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int kSignals[2] = {SIGINT, SIGQUIT};
  struct sigaction before_[2];
};

}  // namespace

int RecordRun(const std::vector<std::string>& program, const std::string& profile, uint32_t threads) {
  std::vector<std::string> words = {"ompprof", "record", "-q", "-o", profile, "--"};
  words.insert(words.end(), program.begin(), program.end());
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string number = std::to_string(threads);

  const KeysIgnored ignored;
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child == 0) {
    ignored.Restore();
    // This process may be killed, and nobody would look at the run.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != self) _exit(128 + SIGTERM);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv("OMP_NUM_THREADS", number.c_str(), 1);
    execv("/proc/self/exe", arguments.data());
    Complain(std::string("ompprof cannot run itself, /proc/self/exe: ") + std::strerror(errno));
    _exit(kNotRunnable);
  }
  if (child < 0) {
    Complain(std::string("no process can be started: ") + std::strerror(errno));
    return kNotRunnable;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace ompprof::cli
