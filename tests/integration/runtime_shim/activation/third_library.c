// A library without OpenMP that calls what it is given, and opens libraries for others. Both functions end with a jump.
#include <dlfcn.h>

int call_function(int (*function)(void)) { return function(); }

void* open_library(const char* path, int mode) { return dlopen(path, mode); }
