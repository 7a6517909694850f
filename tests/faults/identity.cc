// Processes that become other programs or other users, or leave the place where they were started.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/faults/host.h"

extern "C" char** environ;

using faults::Expect;
using faults::total_ms;
using faults::WaitFor;
using faults::Work;

namespace {

int End() {
  Work(total_ms);
  printf("ended\n");
  return 43;
}

int FromMemory() {
  Work(total_ms / 2);
  const int memory = static_cast<int>(syscall(SYS_memfd_create, "program", 0));
  const int program = open("/proc/self/exe", O_RDONLY);
  char buffer[65536];
  ssize_t got;
  while ((got = read(program, buffer, sizeof buffer)) > 0) {
    if (write(memory, buffer, static_cast<size_t>(got)) != got) return 90;
  }
  char* arguments[] = {const_cast<char*>("a program without a file"), const_cast<char*>("end"),
                       const_cast<char*>("150"), nullptr};
  fexecve(memory, arguments, environ);
  return 91;
}

int BareExecveat() {
  Work(total_ms / 2);
  const char* arguments[] = {"identity", "end", "150", nullptr};
  syscall(SYS_execveat, AT_FDCWD, "/proc/self/exe", arguments, environ, 0);
  return 91;
}

int OtherUser() {
  Work(total_ms / 2);
  Expect(setgroups(0, nullptr) == 0 && setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0,
         "ids");
  std::thread([] { Work(total_ms / 4); }).join();
  Work(total_ms / 4);
  printf("now %d %d\n", static_cast<int>(getuid()), static_cast<int>(getegid()));
  return 0;
}

// glibc asks every thread by a signal of its own to change its ids.
int OtherUserWithThreads() {
  std::atomic<bool> over{false};
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      while (!over.load()) fault_work(10000);
      right += syscall(SYS_getuid) == 65534;
    });
  }
  usleep(50000);
  Expect(setuid(65534) == 0, "setuid");
  over = true;
  for (std::thread& thread : threads) thread.join();
  printf("changed %d\n", right.load());
  return 0;
}

// Capabilities belong to each thread, and ids change in all threads. libc ends a process in which only some threads
// succeed.
int CapabilitiesThenUser() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2];
  syscall(SYS_capget, &header, data);
  data[0].effective &= ~(1u << CAP_SETUID);
  data[0].permitted &= ~(1u << CAP_SETUID);
  Work(total_ms / 2);
  printf("capset %ld\n", syscall(SYS_capset, &header, data));
  fflush(stdout);
  const int result = setresuid(65534, 65534, 65534);
  printf("setresuid %d, error %d\n", result, errno);
  Work(total_ms / 2);
  return 58;
}

int OtherRoot() {
  Work(total_ms / 2);
  mkdir("empty", 0755);
  Expect(chroot("empty") == 0 && chdir("/") == 0, "chroot");
  std::thread([] { Work(total_ms / 4); }).join();
  Work(total_ms / 4);
  printf("in an empty root\n");
  return 0;
}

int NoFolder() {
  mkdir("gone", 0755);
  Expect(chdir("gone") == 0 && rmdir("../gone") == 0, "rmdir");
  Work(total_ms / 2);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Work(total_ms / 2);
    _exit(53);
  }
  printf("child %d\n", WaitFor(child));
  return 0;
}

int NotDumpable() {
  prctl(PR_SET_DUMPABLE, 0);
  Work(total_ms / 2);
  std::thread([] { Work(total_ms / 2); }).join();
  printf("dumpable %d\n", prctl(PR_GET_DUMPABLE));
  return 0;
}

// The program begins anew with fixed addresses, as debuggers start programs.
int FixedAddresses() {
  if ((personality(0xffffffff) & ADDR_NO_RANDOMIZE) == 0) {
    Work(total_ms / 2);
    personality(ADDR_NO_RANDOMIZE);
    execl("/proc/self/exe", "identity", "fixed_addresses", "150", nullptr);
  }
  Work(total_ms);
  static int here;
  printf("at %p\n", static_cast<void*>(&here));
  return 0;
}

// The program's own file goes while it runs.
int FileGone() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length] = 0;
  if (strstr(path, "/run/") == nullptr) return 90;  // not a copy
  unlink(path);
  Work(total_ms);
  printf("worked\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"end", End},
                                       {"from_memory", FromMemory},
                                       {"bare_execveat", BareExecveat},
                                       {"other_user", OtherUser},
                                       {"other_user_with_threads", OtherUserWithThreads},
                                       {"capabilities_then_user", CapabilitiesThenUser},
                                       {"other_root", OtherRoot},
                                       {"no_folder", NoFolder},
                                       {"not_dumpable", NotDumpable},
                                       {"fixed_addresses", FixedAddresses},
                                       {"file_gone", FileGone}};
  return faults::Run(argc, argv, modes);
}
