// A program whose descriptors are few, listed or closed. Its output is the same with the profiler and without. It works
// in between, so that samples are taken.
//   descriptors few4|few5|listed|closed
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double ThreadMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static volatile double sink;
__attribute__((noinline)) static void descriptor_work(double ms) {
  const double end = ThreadMs() + ms;
  while (ThreadMs() < end) {
    for (int i = 0; i < 2000; i++) sink = sink + i;
  }
}

// Opens descriptors until there are no more, and closes them.
static void OpenAll(const char* when) {
  int fds[64];
  int count = 0;
  printf("%s:", when);
  while (count < 64 && (fds[count] = open("/dev/null", O_RDONLY)) >= 0) printf(" %d", fds[count++]);
  printf(count < 64 ? " errno %d\n" : "\n", errno);
  while (count > 0) close(fds[--count]);
}

static void List(void) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) return;
  int numbers[64];
  int count = 0;
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    const int fd = atoi(entry->d_name);
    if (fd != dirfd(folder) && entry->d_name[0] != '.' && count < 64) numbers[count++] = fd;
  }
  closedir(folder);
  printf("%d open:", count);
  for (int i = 0; i < count; i++) printf(" %d", numbers[i]);
  printf("\n");
}

static const char* mode;

static void* Thread(void* unused) {
  (void)unused;
  descriptor_work(65);  // no multiple of a sampling period: the last sample of every thread would be a matter of luck
  return NULL;
}

static void InThreads(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(threads + i, NULL, Thread, NULL);
  descriptor_work(40);
  // All threads have begun. None has ended, or all have.
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  mode = argc > 1 ? argv[1] : "";
  if (strncmp(mode, "few", 3) == 0) {
    const rlim_t most = (rlim_t)atoi(mode + 3);
    const struct rlimit limit = {most, most};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  for (int i = 0; i < 3; i++) {
    descriptor_work(40);
    OpenAll("open");
    List();
    if (strcmp(mode, "closed") == 0) {
      if (i == 0) {
        for (int fd = 3; fd < 4096; fd++) {
          if (close(fd) == 0) printf("closed %d\n", fd);
        }
      }
      if (i == 1) closefrom(3);
      if (i == 2) printf("close_range %d\n", close_range(3, ~0u, 0));
    }
    InThreads();
  }
  descriptor_work(120);
  OpenAll("open");
  return 0;
}
