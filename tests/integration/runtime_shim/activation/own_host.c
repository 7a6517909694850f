// A program without OpenMP that loads libraries with it (own_library.c), and prints what they compute.
//   own_host now|lazy|deep|global direct|third|plugin THIRD_LIBRARY LIBRARY...
// third: calls go through a library that has no OpenMP, and ends with a jump. plugin: it also opens the libraries.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int get(void);
typedef int call(get*);
typedef void* open_function(const char*, int);

static int call_directly(get* function) { return function(); }

static void* find(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found != NULL) return found;
  puts(dlerror());
  exit(2);
}

static int mode(const char* name) {
  if (strcmp(name, "lazy") == 0) return RTLD_LAZY | RTLD_LOCAL;
  if (strcmp(name, "deep") == 0) return RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
  if (strcmp(name, "global") == 0) return RTLD_NOW | RTLD_GLOBAL;
  return RTLD_NOW | RTLD_LOCAL;
}

int main(int count, char** arguments) {
  call* of = call_directly;
  open_function* open = dlopen;
  if (strcmp(arguments[2], "direct") != 0) {
    void* third = dlopen(arguments[3], RTLD_NOW);
    of = (call*)find(third, "call_function");
    if (strcmp(arguments[2], "plugin") == 0) open = (open_function*)find(third, "open_library");
  }
  void* libraries[8];
  int used = 0;
  for (int i = 4; i < count; i++) {
    libraries[used] = open(arguments[i], mode(arguments[1]));
    if (libraries[used] == NULL) {
      puts(dlerror());
      return 2;
    }
    used++;
  }
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < used; i++) {
      void* library = libraries[i];
      printf("library %d: threads %d", i, of((get*)find(library, "get_threads")));
      printf(" team %d", of((get*)find(library, "team")));
      ((void (*)(int))find(library, "set_threads"))(2 + i);
      void (*step)(void) = (void (*)(void))find(library, "step");
      for (int k = 0; k < 20; k++) step();
      printf(" value %.3f\n", ((double (*)(void))find(library, "value"))());
    }
  }
  printf("for all: %s\n", dlsym(RTLD_DEFAULT, "omp_get_num_threads") != NULL ? "a runtime" : "no runtime");
  void* program = dlopen(NULL, RTLD_LAZY);
  printf("in the program: %s\n", dlsym(program, "GOMP_barrier") != NULL ? "a runtime" : "no runtime");
  return 0;
}
