/* Steering a profile from the program it is taken of, and naming its phases. Header only, for C and C++.
 *
 * Nothing needs to be linked. Without the profiler (not loaded, or a statically linked program, into which it cannot
 * be) every call does nothing, at the cost of a test. Programs with OpenMP can use omp_control_tool instead of start,
 * pause, flush and stop; the commands are the same. The collector is found where `ompprof record` or LD_PRELOAD puts
 * it; one that the OpenMP runtime loads (OMP_TOOL_LIBRARIES) hears omp_control_tool only.
 *
 * Phases are labels: what a thread does between ompprof_push_label("solve") and its ompprof_pop_label() is in phase
 * "solve"; labels inside it make "solve/assemble". The threads of a parallel region are in the phase in which it was
 * begun, if they have pushed none of their own. Reports, the pprof export (label `phase`) and timelines show them.
 * Names should be few: up to 4,095 are told apart, and their first 103 bytes. */
#ifndef OMPPROF_H_
#define OMPPROF_H_

#include <dlfcn.h>
#include <stddef.h>

/* Where it is neither in the C library nor linked otherwise, there is no profiler either. */
#pragma weak dlsym

#ifdef __cplusplus
extern "C" {
#endif

/* The collector's function of that name, looked up once for each *found; NULL without the profiler. */
static __inline__ void* ompprof_find_(const char* name, void** found) {
  static char absent;
  void* function = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (function == NULL) {
    /* RTLD_DEFAULT, which has a name with _GNU_SOURCE only. */
    if (dlsym != NULL) function = dlsym((void*)0, name);
    if (function == NULL) function = &absent;
    __atomic_store_n(found, function, __ATOMIC_RELAXED);
  }
  return function != &absent ? function : NULL;
}

/* Returns 0 if the command was carried out, 1 if it is not known, -1 if the program runs without the profiler. */
static __inline__ int ompprof_command_(int command) {
  static void* found;
  int (*control)(int);
  *(void**)(&control) = ompprof_find_("ompprof_control", &found);
  return control != NULL ? control(command) : -1;
}

/* Begin sampling, or go on after a pause (also after `ompprof record --paused`). */
static __inline__ int ompprof_start(void) { return ompprof_command_(1); }
static __inline__ int ompprof_resume(void) { return ompprof_command_(1); }
/* Stop sampling until the next start. */
static __inline__ int ompprof_pause(void) { return ompprof_command_(2); }
/* Write what has been sampled so far to the file. */
static __inline__ int ompprof_flush(void) { return ompprof_command_(3); }
/* Finish the profile, for good. */
static __inline__ int ompprof_stop(void) { return ompprof_command_(4); }
static __inline__ int ompprof_end(void) { return ompprof_command_(4); }

/* A name begins a phase of the calling thread inside the one it is in, NULL ends it. */
static __inline__ void ompprof_label_(const char* name) {
  static void* found;
  void (*label)(const char*);
  *(void**)(&label) = ompprof_find_("ompprof_label", &found);
  if (label != NULL) label(name);
}

/* The calling thread begins a phase. The name is copied. */
static __inline__ void ompprof_push_label(const char* name) { ompprof_label_(name != NULL ? name : ""); }
/* It ends the phase that it began last. */
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
