/* What a conformance program may say to the recording tool. Without a tool all of it does nothing, and before the
   runtime has started its tool (at the first construct or routine) too. From Fortran: `use conformance`. */
#ifndef TESTS_RUNTIME_SHIM_CONFORMANCE_H_
#define TESTS_RUNTIME_SHIM_CONFORMANCE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Records, as events of the calling thread: `mark` with the state and the caller's stack pointer; a `task_info` for
   each level of ompt_get_task_info; a `parallel_info` for each of ompt_get_parallel_info. NAME must live on. */
void conf_mark(const char* name);

/* Records `note name= value=`: an address that an expectation wants to name. */
void conf_note(const char* name, uint64_t value);

/* A conf_mark on every other thread that the tool has heard of, by a signal, wherever it is: in a barrier, idle.
   Returns when all have answered. One at a time. */
void conf_probe(const char* name);

/* ompt_get_state of the calling thread, -1 without a tool. */
int conf_state(void);

/* Waits (without a call into the runtime) until *FLAG is at least VALUE; conf_raise adds one to it. */
void conf_await(int* flag, int value);
void conf_raise(int* flag);

/* Waits until every other thread known to the tool sleeps or runs nothing but a wait: gives those that are on their way
   into a wait the time to get there. */
void conf_settle(void);

#ifdef __cplusplus
}
#endif

#endif /* TESTS_RUNTIME_SHIM_CONFORMANCE_H_ */
