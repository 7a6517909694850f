// Prints which of the names in its arguments dlsym finds in the global scope.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* program = dlopen(NULL, RTLD_LAZY);
  for (int i = 1; i < argc; i++)
    if (dlsym(RTLD_DEFAULT, argv[i]) != NULL && dlsym(program, argv[i]) != NULL) printf("%s\n", argv[i]);
  return omp_get_num_threads() - 1;
}
