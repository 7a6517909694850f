/* Steering a profile from the program it is taken of. Header only: without the profiler every call does nothing.
 * Programs with OpenMP can use omp_control_tool instead; the commands are the same. */
#ifndef OMPPROF_H_
#define OMPPROF_H_

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT; include this header first if you do not define it */
#endif
#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 0 if the command was carried out, 1 if it is not known, -1 if the program runs without the profiler. */
static inline int ompprof_command_(int command) {
  static int (*control)(int);
  static int looked_up;
  if (!looked_up) {
    *(void**)(&control) = dlsym(RTLD_DEFAULT, "ompprof_control");
    looked_up = 1;
  }
  return control != NULL ? control(command) : -1;
}

/* Begin sampling, or go on after a pause (also after `ompprof record --paused`). */
static inline int ompprof_start(void) { return ompprof_command_(1); }
/* Stop sampling until the next start. */
static inline int ompprof_pause(void) { return ompprof_command_(2); }
/* Write what has been sampled so far to the file. */
static inline int ompprof_flush(void) { return ompprof_command_(3); }
/* Finish the profile, for good. */
static inline int ompprof_end(void) { return ompprof_command_(4); }

#ifdef __cplusplus
}
#endif

#endif /* OMPPROF_H_ */
