/* A program controls its own profile with these functions, and names its phases. Header only, for C and C++.
 *
 * Nothing need be linked. Without the profiler, every call does nothing, at the cost of a test. (A statically linked
 * program is always without the profiler.) Programs with OpenMP can use omp_control_tool instead of start, pause, flush
 * and stop; the commands are the same. The functions find a collector that `ompprof record` or LD_PRELOAD has loaded. A
 * collector that the OpenMP runtime has loaded (OMP_TOOL_LIBRARIES) hears omp_control_tool only.
 *
 * Phases are labels. Between ompprof_push_label("solve") and its ompprof_pop_label(), a thread is in phase "solve". A
 * label "assemble" inside it makes the phase "solve/assemble". If a thread of a parallel region has pushed no label of
 * its own, it is in the phase in which the region was begun. Reports, the pprof export (label `phase`) and timelines
 * show phases. Use few names: up to 4,095 are kept apart, by their first 103 bytes. */
#ifndef OMPPROF_H_
#define OMPPROF_H_

#include <dlfcn.h>
#include <stddef.h>

/* A program without dlsym, in the C library or linked otherwise, also has no profiler. */
#pragma weak dlsym

#ifdef __cplusplus
extern "C" {
#endif

/* The collector's function with this name, looked up once for each *found; NULL without the profiler. */
static __inline__ void* ompprof_find_(const char* name, void** found) {
  static char absent;
  void* function = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (function == NULL) {
    /* The argument is RTLD_DEFAULT, whose name needs _GNU_SOURCE. */
    if (dlsym != NULL) function = dlsym((void*)0, name);
    if (function == NULL) function = &absent;
    __atomic_store_n(found, function, __ATOMIC_RELAXED);
  }
  return function != &absent ? function : NULL;
}

/* Returns 0 if the command was carried out, 1 if it is unknown, -1 if the program runs without the profiler. */
static __inline__ int ompprof_command_(int command) {
  static void* found;
  int (*control)(int);
  *(void**)(&control) = ompprof_find_("ompprof_control", &found);
  return control != NULL ? control(command) : -1;
}

/* Begin sampling, or continue after a pause (also after `ompprof record --paused`). */
static __inline__ int ompprof_start(void) { return ompprof_command_(1); }
static __inline__ int ompprof_resume(void) { return ompprof_command_(1); }
/* Stop sampling until the next start. */
static __inline__ int ompprof_pause(void) { return ompprof_command_(2); }
/* Write all samples so far to the file. */
static __inline__ int ompprof_flush(void) { return ompprof_command_(3); }
/* Finish the profile, for good. */
static __inline__ int ompprof_stop(void) { return ompprof_command_(4); }
static __inline__ int ompprof_end(void) { return ompprof_command_(4); }

/* A name begins a phase of the calling thread, inside its present phase. NULL ends the present phase. */
static __inline__ void ompprof_label_(const char* name) {
  static void* found;
  void (*label)(const char*);
  *(void**)(&label) = ompprof_find_("ompprof_label", &found);
  if (label != NULL) label(name);
}

/* The calling thread begins a phase. The name is copied. */
static __inline__ void ompprof_push_label(const char* name) { ompprof_label_(name != NULL ? name : ""); }
/* The calling thread ends the phase that it began last. */
static __inline__ void ompprof_pop_label(void) { ompprof_label_(NULL); }

#ifdef __cplusplus
}

namespace ompprof {

/* A phase as long as a scope: ompprof::ScopedLabel solving("solve"); */
class ScopedLabel {
 public:
  explicit ScopedLabel(const char* name) { ompprof_push_label(name); }
  ~ScopedLabel() { ompprof_pop_label(); }

 private:
  ScopedLabel(const ScopedLabel&);
  ScopedLabel& operator=(const ScopedLabel&);
};

} /* namespace ompprof */
#endif

#endif /* OMPPROF_H_ */
