// Loads libraries with their own OpenMP, each into a scope of its own. Uses them one after the other, one inside the
// other, and again. Arguments are paths. "close" after a path closes all open libraries. With "regions" before all
// paths each library runs one region and nothing else. The program has no OpenMP itself, unless compiled with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int check(void);
typedef int check_within(check*);

static int failures;

static void expect(const char* what, const char* path, int failed) {
  if (!failed) return;
  failures++;
  printf("%s of %s fails\n", what, path);
}

static void use(void* library, const char* path) {
  const char* names[] = {"use_locks", "use_region", "use_orphan"};
  for (int i = 0; i < 3; i++) {
    check* function = (check*)dlsym(library, names[i]);
    if (function != NULL) expect(names[i], path, function());
  }
}

int main(int count, char** paths) {
  void* open[10] = {NULL};
  int opened = 0;
  const int only_regions = count > 1 && strcmp(paths[1], "regions") == 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#pragma omp critical
  failures += 0;
#endif
  for (int i = 1 + only_regions; i < count; i++) {
    if (strcmp(paths[i], "close") == 0) {
      while (opened > 0) dlclose(open[--opened]);
      continue;
    }
    void* library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      printf("%s\n", dlerror());
      return 2;
    }
    if (only_regions) {
      check* function = (check*)dlsym(library, "use_region");
      if (function != NULL) expect("use_region", paths[i], function());
      continue;
    }
    use(library, paths[i]);
    for (int k = 0; k < opened; k++) {
      check_within* within = (check_within*)dlsym(open[k], "use_within");
      check* orphan = (check*)dlsym(library, "use_orphan");
      if (within != NULL && orphan != NULL) expect("use_orphan", paths[i], within(orphan));
    }
    open[opened++] = library;
    for (int k = 0; k < opened; k++) use(open[k], "one that was loaded before");
  }
  if (failures == 0) puts("done");
  return failures != 0;
}
