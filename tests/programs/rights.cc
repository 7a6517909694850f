// Changes its rights in each way that a privileged program does: capabilities of one thread, ids of all threads,
// "dumpable". It begins as root and works before and after. It prints the answer of each call, and ends with 36.
//   rights MODE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static double CpuMs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Some 60 samples at the default rate. Beside other programs, most of a thread's first instants may count as late.
constexpr double kWorkMs = 300;

extern "C" __attribute__((noinline)) void rights_before() {
  for (const double end = CpuMs() + kWorkMs; CpuMs() < end;) {
  }
}
extern "C" __attribute__((noinline)) void rights_after() {
  for (const double end = CpuMs() + kWorkMs; CpuMs() < end;) {
  }
}

static void Say(const char* call, long result) {
  printf("%s %ld\n", call, result == 0 ? 0L : result < 0 ? -static_cast<long>(errno) : result);
  fflush(stdout);
}

// Capabilities of the calling thread, as capset(2) sets them.
static void UseCapabilities(bool all) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  syscall(SYS_capget, &header, data);
  for (__user_cap_data_struct& part : data) part.effective = all ? part.permitted : 0;
  Say("capset", syscall(SYS_capset, &header, data));
}

static int Finish() {
  rights_after();
  uid_t user[3];
  gid_t group[3];
  getresuid(&user[0], &user[1], &user[2]);
  getresgid(&group[0], &group[1], &group[2]);
  printf("users %u %u %u, groups %u %u %u, %d more\n", user[0], user[1], user[2], group[0], group[1], group[2],
         getgroups(0, nullptr));
  return 36;
}

// Gives up root and keeps a capability, as servers do. The capability is the calling thread's only. In that state each
// function that changes ids is called.
static int KeepCapabilities() {
  Say("keep", prctl(PR_SET_KEEPCAPS, 1));
  Say("setresuid", setresuid(1000, 1000, 1000));
  UseCapabilities(true);
  Say("setgroups", setgroups(0, nullptr));
  Say("initgroups", initgroups("nobody", 65534));
  Say("setresgid", setresgid(1000, 1001, 1002));
  Say("setregid", setregid(1003, 1004));
  Say("setegid", setegid(1005));
  Say("setgid", setgid(1006));
  Say("setresuid", setresuid(1001, 1002, 1003));
  Say("setreuid", setreuid(1004, 1005));
  Say("seteuid", seteuid(1006));
  UseCapabilities(true);
  Say("setuid", setuid(1007));
  return Finish();
}

static int DropAndRaise() {
  UseCapabilities(false);
  Say("setuid", setuid(1000));
  UseCapabilities(true);
  Say("setuid", setuid(1001));
  return Finish();
}

// Changes one thread's ids past libc, as file servers do. The next change is refused to that thread.
static int PastLibc() {
  Say("setresuid", syscall(SYS_setresuid, 1000, 1000, 0));
  Say("setresuid", setresuid(1001, 1001, 1001));
  Say("seteuid", seteuid(0));
  Say("setresuid", setresuid(1001, 1001, 1001));
  return Finish();
}

// All threads may change their rights, so no change stops half-way.
static int AllThreads() {
  Say("setegid", setegid(1000));
  Say("seteuid", seteuid(1000));
  Say("seteuid", seteuid(0));
  Say("setuid", setuid(1001));
  Say("setuid", setuid(0));
  return Finish();
}

static int NotDumpable() {
  Say("setfsuid", setfsuid(1000));
  Say("setfsuid", setfsuid(0));
  Say("dumpable", prctl(PR_SET_DUMPABLE, 0));
  return Finish();
}

// Another user executes a copy of this program that has a capability of its own. The loader preloads nothing there.
static int CapableFile() {
  char copy[] = "/tmp/rights.XXXXXX";
  const int to = mkstemp(copy);
  const int from = open("/proc/self/exe", O_RDONLY);
  char buffer[65536];
  for (ssize_t got; (got = read(from, buffer, sizeof buffer)) > 0;) {
    if (write(to, buffer, static_cast<size_t>(got)) != got) return 1;
  }
  fchmod(to, 0755);
  close(from);
  vfs_cap_data capability = {};
  capability.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE;
  capability.data[0].permitted = 1u << CAP_SETUID | 1u << CAP_SETGID;
  const bool marked = fsetxattr(to, "security.capability", &capability, XATTR_CAPS_SZ_2, 0) == 0;
  close(to);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0) _exit(1);
    execl(copy, "rights", "capable", nullptr);
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  unlink(copy);
  printf("marked %d, status %d\n", marked, status);
  return Finish();
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  const auto is = [mode](const char* name) { return strcmp(mode, name) == 0; };
  if (is("capable")) {
    printf("secure %lu\n", getauxval(AT_SECURE));
    return AllThreads();
  }
  if (geteuid() != 0) return 77;
  rights_before();
  if (is("keep_capabilities")) return KeepCapabilities();
  if (is("drop_and_raise")) return DropAndRaise();
  if (is("past_libc")) return PastLibc();
  if (is("all_threads")) return AllThreads();
  if (is("not_dumpable")) return NotDumpable();
  if (is("capable_file")) return CapableFile();
  return 2;
}
