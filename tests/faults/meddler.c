// A library to preload that changes the program's behaviour, in the way that MEDDLE names. A profiler must not do so.
// The test uses the library to show that the matrix sees each change.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* way;

static int Is(const char* name) { return way != NULL && strcmp(way, name) == 0; }

static void Say(int descriptor, const char* text) {
  if (write(descriptor, text, strlen(text)) < 0) _exit(99);
}

static void Make(const char* path, const char* text) {
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  Say(file, text);
  close(file);
}

__attribute__((constructor)) static void Begin(void) {
  way = getenv("MEDDLE");
  unsetenv("LD_PRELOAD");
  if (Is("out")) Say(1, "something\n");
  if (Is("err")) Say(2, "something\n");
  if (Is("warning")) Say(2, "ompprof: a line of its own\n");
  if (Is("new file")) Make("litter", "something");
  if (Is("changed file")) Make("present", "something");
  if (Is("missing file")) unlink("present");
  if (Is("mode")) chmod("present", 0777);
  if (Is("profile")) Make("unreadable.ompprof", "this is no log");
  if (Is("signal")) raise(SIGUSR1);
  if (Is("process") && fork() == 0) {
    setsid();
    sleep(30);
    _exit(0);
  }
}

__attribute__((destructor)) static void End(void) {
  if (Is("status")) _exit(77);
  if (Is("hang")) {
    for (;;) pause();
  }
}
