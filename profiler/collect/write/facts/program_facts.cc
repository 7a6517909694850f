#include "profiler/collect/write/facts/program_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

// The working directory of this process. After the removal of this directory, its name is unknown: child processes then
// write to the place where the process wrote.
char last_directory[PATH_MAX] = "/";

// The program's file: of this process, and without /proc of the process that it was forked from.
char last_executable[PATH_MAX] = "";

// Where there is no /proc, the name by which the program was executed (getauxval(3)) leads to its file. The program
// must not have changed its directory yet, so this is asked once.
void FindExecutable() {
  char found[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", found, sizeof(found) - 1);
  if (length > 0) {
    found[length] = '\0';
  } else {
    const auto* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    if (last_executable[0] != '\0' || executed == nullptr || realpath(executed, found) == nullptr) return;
  }
  strcpy(last_executable, found);
}

}  // namespace

void ProgramFacts::Collect() {
  FindExecutable();
  strcpy(executable, last_executable);
  if (getcwd(directory, sizeof(directory)) != nullptr) {
    strcpy(last_directory, directory);
  } else {
    strcpy(directory, last_directory);
  }
  if (gethostname(host, sizeof(host) - 1) != 0) strcpy(host, "localhost");
  argv_size = ReadWholeFile("/proc/self/cmdline", argv, sizeof(argv) - 1);
  if (argv_size > 0 && argv[argv_size - 1] != '\0') argv[argv_size++] = '\0';
  machine = ReadMachineFacts();
  settings_size = 0;
  for (char** entry = __environ; entry != nullptr && *entry != nullptr; ++entry) {
    const size_t size = strlen(*entry) + 1;
    if (!TunesOpenmp(*entry) || size > sizeof(settings) - settings_size) continue;
    memcpy(settings + settings_size, *entry, size);
    settings_size += size;
  }
  const auto copy = [](const char* variable, char* out, size_t size) {
    const char* const value = getenv(variable);
    snprintf(out, size, "%s", value != nullptr ? value : "");
  };
  copy("OMPPROF_RUN", run, sizeof(run));
  copy("OMPPROF_FOLDER", run_folder, sizeof(run_folder));
}

}  // namespace ompprof::collect
