/* What the tools of the two generations with integer ids share. A tool defines Register, which gets the arguments of
   the initializer. It is a tool of Technical Report 2, or with -DDRAFT of the draft behind it. */
#ifndef TESTS_INTEGRATION_RUNTIME_SHIM_GENERATIONS_EARLY_H_
#define TESTS_INTEGRATION_RUNTIME_SHIM_GENERATIONS_EARLY_H_

#include <stdint.h>

typedef struct {
  void* exit;
  void* reenter;
} Frame;

typedef void (*(*Lookup)(const char*))(void);

static void Register(Lookup lookup, const char* runtime_version, unsigned version);

#ifdef DRAFT
static void Initialize(Lookup lookup, const char* runtime_version, unsigned version) {
  Register(lookup, runtime_version, version);
}
void* ompt_tool(void) { return Initialize; }
#else
int ompt_initialize(Lookup lookup, const char* runtime_version, unsigned version) {
  Register(lookup, runtime_version, version);
  return 1;
}
#endif

#endif /* TESTS_INTEGRATION_RUNTIME_SHIM_GENERATIONS_EARLY_H_ */
