/* Linked into every conformance program. The tool was loaded by the runtime with dlopen, so its functions are asked for
   by name, until it is there. */
#include "conformance.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void* Find(const char* name) {
  const char* path = getenv("CONFORMANCE_RECORDER");
  void* library = path != NULL ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void* found = library != NULL ? dlsym(library, name) : NULL;
  if (library != NULL) dlclose(library);
  return found;
}

void conf_mark(const char* name) {
  void (*mark)(const char*, const void*) = (void (*)(const char*, const void*))Find("recorder_mark");
  /* The stack pointer of the caller, as the call of this function left it. */
  if (mark != NULL) mark(name, (char*)__builtin_frame_address(0) + 2 * sizeof(void*));
}

void conf_note(const char* name, uint64_t value) {
  void (*note)(const char*, uint64_t) = (void (*)(const char*, uint64_t))Find("recorder_note");
  if (note != NULL) note(name, value);
}

void conf_probe(const char* name) {
  void (*probe)(const char*) = (void (*)(const char*))Find("recorder_probe");
  if (probe != NULL) probe(name);
}

int conf_state(void) {
  int (*state)(uint64_t*) = (int (*)(uint64_t*))Find("recorder_state");
  return state != NULL ? state(NULL) : -1;
}

static void Sleep(long nanoseconds) {
  struct timespec pause = {0, nanoseconds};
  nanosleep(&pause, NULL);
}

void conf_await(int* flag, int value) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < value) Sleep(50000);
}

void conf_raise(int* flag) { __atomic_fetch_add(flag, 1, __ATOMIC_RELEASE); }

/* What a thread of this process has done so far: its processor time in ns, how often it has gone to sleep, and whether
   it sleeps now. */
typedef struct {
  long long cpu_ns, sleeps;
  int asleep;
} Progress;

static Progress ProgressOf(const char* tid) {
  Progress progress = {0, 0, 1};
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", tid);
  FILE* file = fopen(path, "r");
  if (file == NULL) return progress;
  if (fscanf(file, "%lld", &progress.cpu_ns) != 1) progress.cpu_ns = 0;
  fclose(file);
  snprintf(path, sizeof path, "/proc/self/task/%s/status", tid);
  file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "State:", 6) == 0) progress.asleep = strstr(line, "(sleeping)") != NULL;
    sscanf(line, "voluntary_ctxt_switches: %lld", &progress.sleeps);
  }
  if (file != NULL) fclose(file);
  return progress;
}

/* A thread has settled if it sleeps for 5 ms without a break, or has run for 2 ms. Both take longer while other
   programs have the processors. */
static void Settle(const char* tid) {
  const Progress begin = ProgressOf(tid);
  for (int look = 0; look < 1000; look++) {
    const Progress before = ProgressOf(tid);
    Sleep(5000000);
    const Progress now = ProgressOf(tid);
    if (now.cpu_ns - begin.cpu_ns > 2000000 || (before.asleep && now.asleep && now.sleeps == before.sleeps)) return;
  }
}

void conf_settle(void) {
  Sleep(30000000);
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == NULL) return;
  char own[16];
  snprintf(own, sizeof own, "%ld", (long)syscall(SYS_gettid));
  for (const struct dirent* task; (task = readdir(tasks)) != NULL;) {
    if (task->d_name[0] != '.' && strcmp(task->d_name, own) != 0) Settle(task->d_name);
  }
  closedir(tasks);
}
