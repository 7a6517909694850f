/* Linked into every conformance program. The tool was loaded by the runtime with dlopen, so its functions are asked for
   by name, until it is there. */
#include "conformance.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

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

void conf_settle(void) { Sleep(50000000); }
