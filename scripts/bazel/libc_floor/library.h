// Binds the calls of a preloaded library into libc to libc's own functions (library.c). It runs as the library's first
// constructor. Code that may run before that calls it first. A second call changes nothing.
#ifndef OMPPROF_SCRIPTS_BAZEL_LIBC_FLOOR_LIBRARY_H_
#define OMPPROF_SCRIPTS_BAZEL_LIBC_FLOOR_LIBRARY_H_

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((visibility("hidden"))) void BindCallsToLibc(void);

#ifdef __cplusplus
}
#endif

#endif  // OMPPROF_SCRIPTS_BAZEL_LIBC_FLOOR_LIBRARY_H_
