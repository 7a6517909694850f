// Programs that count on certain descriptors, and programs with few.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

// The limit is there from the start: the program executes itself anew under it.
int Limited(rlim_t descriptors, const char* then) {
  const rlimit limit = {descriptors, descriptors};
  setrlimit(RLIMIT_NOFILE, &limit);
  char ms[16];
  snprintf(ms, sizeof ms, "%.0f", total_ms);
  execl("/proc/self/exe", "descriptors", then, ms, nullptr);
  return 90;
}

int Limit4() { return Limited(4, "open_one"); }
int Limit5() { return Limited(5, "open_one"); }
int Limit8() { return Limited(8, "exhaust"); }
int Limit64() { return Limited(64, "exhaust"); }

int OpenOne() {
  Work(total_ms / 2);
  const int descriptor = open("/dev/null", O_RDONLY);
  printf("descriptor %d, error %d\n", descriptor, descriptor < 0 ? errno : 0);
  fflush(stdout);
  Work(total_ms / 2);
  return 0;
}

void* WorkInThread(void*) {
  Work(total_ms / 4);
  return nullptr;
}

// Takes all descriptors that the limit allows. Then threads begin, with no descriptor left.
int Exhaust() {
  Work(total_ms / 4);
  int count = 0, last = -1, descriptor;
  while ((descriptor = open("/dev/null", O_RDONLY)) >= 0) {
    count++;
    last = descriptor;
  }
  printf("opened %d, the last %d\n", count, last);
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, WorkInThread, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  close(last);
  printf("again %d\n", open("/dev/null", O_RDONLY));
  return 0;
}

void List() {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) {
    printf("cannot be listed: %d\n", errno);
    return;
  }
  int count = 0;
  while (const dirent* entry = readdir(folder)) count += entry->d_name[0] != '.';
  closedir(folder);
  printf("descriptors %d\n", count - 1);
}

int ListAll() {
  Work(total_ms / 3);
  List();
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        Work(total_ms / 3);
        List();
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  Work(total_ms / 3);
  List();
  return 0;
}

int AfterClosing(const char* how) {
  const int first = open("/dev/null", O_RDONLY), second = open("/dev/null", O_RDONLY);
  printf("%s: descriptors %d and %d\n", how, first, second);
  fflush(stdout);
  pthread_t thread;
  pthread_create(&thread, nullptr, WorkInThread, nullptr);
  pthread_join(thread, nullptr);
  Work(total_ms / 4);
  FILE* const file = fopen("written", "w");
  fprintf(file, "the program's own words\n");
  for (int i = 0; i < 20; i++) {
    Work(total_ms / 80);
    fprintf(file, "line %d\n", i);
    fflush(file);
  }
  fclose(file);
  return 0;
}

// Closes all descriptors, as daemons do at their start.
int CloseEach() {
  Work(total_ms / 4);
  int closed = 0;
  for (int i = 3; i < 1100; i++) closed += close(i) == 0;
  printf("closed %d\n", closed);
  return AfterClosing("one by one");
}

int CloseRange() {
  Work(total_ms / 4);
  if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0) return 90;
  return AfterClosing("as a range");
}

// In turns with files of the program's own. Nothing else may write to them.
int CloseAndReuse() {
  for (int i = 0; i < 30; i++) {
    for (int j = 3; j < 300; j++) close(j);
    for (int j = 3; j < 40; j++) {
      if (open("reused", O_RDWR | O_CREAT | O_APPEND, 0600) != j) {
        printf("descriptor %d was taken\n", j);
        return 1;
      }
    }
    Work(total_ms / 30);
  }
  struct Size {
    static long Of(const char* path) {
      FILE* const file = fopen(path, "r");
      fseek(file, 0, SEEK_END);
      const long size = ftell(file);
      fclose(file);
      return size;
    }
  };
  printf("size %ld\n", Size::Of("reused"));
  return 0;
}

// dup2 onto every number, as shells do with a high number.
int DupOverAll() {
  Work(total_ms / 3);
  const int null = open("/dev/null", O_RDWR);
  for (int i = 3; i < 1024; i++) {
    if (i != null) dup2(null, i);
  }
  Work(total_ms / 3);
  List();
  pthread_t thread;
  pthread_create(&thread, nullptr, WorkInThread, nullptr);
  pthread_join(thread, nullptr);
  List();
  return 0;
}

// The descriptors that a started program finds open.
int Inherited() {
  Work(total_ms / 2);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/bash", "bash", "-c", "for fd in /proc/self/fd/*; do :; done; echo \"open: ${fd##*/}\"", nullptr);
    _exit(127);
  }
  printf("child %d\n", faults::WaitFor(child));
  return 0;
}

int LoweredLater() {
  const rlimit few = {3, 3};
  setrlimit(RLIMIT_NOFILE, &few);
  pthread_t threads[3];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, WorkInThread, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  printf("open says %d\n", open("/dev/null", O_RDONLY));
  return 0;
}

// A queue of system calls. The kernel makes them for the program, by a thread of its own.
int KernelQueue() {
  io_uring_params parameters = {};
  const int ring = static_cast<int>(syscall(SYS_io_uring_setup, 8, &parameters));
  if (ring < 0) return 90;
  const auto map = [ring](size_t size, off_t offset) {
    return static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, offset));
  };
  char* const submitted = map(parameters.sq_off.array + parameters.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
  char* const completed =
      map(parameters.cq_off.cqes + parameters.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
  auto* const entries =
      reinterpret_cast<io_uring_sqe*>(map(parameters.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
  const auto at = [](char* base, unsigned offset) { return reinterpret_cast<unsigned*>(base + offset); };
  const int file = open("queued", O_RDWR | O_CREAT, 0600);
  long done = 0;
  for (unsigned i = 0; i < 300; i++) {
    Work(total_ms / 300);
    entries[0] = {};
    entries[0].opcode = IORING_OP_WRITE;
    entries[0].fd = file;
    entries[0].addr = reinterpret_cast<uintptr_t>("words\n");
    entries[0].len = 6;
    entries[0].off = i * 6;
    unsigned* const tail = at(submitted, parameters.sq_off.tail);
    at(submitted, parameters.sq_off.array)[*tail & *at(submitted, parameters.sq_off.ring_mask)] = 0;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) != 1) break;
    unsigned* const head = at(completed, parameters.cq_off.head);
    const auto* const answers = reinterpret_cast<io_uring_cqe*>(completed + parameters.cq_off.cqes);
    done += answers[*head & *at(completed, parameters.cq_off.ring_mask)].res == 6;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
  }
  printf("done %ld\n", done);
  return 0;
}

int NoStandardStreams() {
  for (int i = 0; i < 3; i++) close(i);
  Work(total_ms / 2);
  const int got[] = {open("in", O_RDWR | O_CREAT, 0600), open("out", O_RDWR | O_CREAT, 0600),
                     open("err", O_RDWR | O_CREAT, 0600)};
  printf("descriptors %d %d %d\n", got[0], got[1], got[2]);
  fflush(stdout);
  Work(total_ms / 2);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"limit_4", Limit4},
                                       {"limit_5", Limit5},
                                       {"limit_8", Limit8},
                                       {"limit_64", Limit64},
                                       {"open_one", OpenOne},
                                       {"exhaust", Exhaust},
                                       {"list", ListAll},
                                       {"close_each", CloseEach},
                                       {"close_range", CloseRange},
                                       {"close_and_reuse", CloseAndReuse},
                                       {"dup_over_all", DupOverAll},
                                       {"inherited", Inherited},
                                       {"lowered_later", LoweredLater},
                                       {"kernel_queue", KernelQueue},
                                       {"no_standard_streams", NoStandardStreams}};
  return faults::Run(argc, argv, modes);
}
