/* A tool with the symbols of one or more generations of OMPT (-DSTART -DTOOL -DINITIALIZE), for choice_test.py. It says
   when it is asked, and at its end how many parallel regions it has heard of. DECLINES has the words of the
   generations for which it declines; TR2_RESULT is what its ompt_initialize returns, 1 without it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*(*Lookup)(const char*))(void);

static const char* started = NULL;
static int regions = 0;

static void Say(const char* text) {
  printf("%s\n", text);
  fflush(stdout);
}
static inline int Declines(const char* generation) {
  const char* list = getenv("DECLINES");
  return list != NULL && strstr(list, generation) != NULL;
}
static void CountRegion(void) { regions++; }
static void Shutdown(void) {
  printf("%s heard %d\n", started, regions);
  fflush(stdout);
}
static int Initialize(Lookup lookup, const char* generation, int parallel_begin) {
  int (*set_callback)(int, void (*)(void)) = (int (*)(int, void (*)(void)))lookup("ompt_set_callback");
  started = generation;
  regions = 0; /* a forked child begins anew */
  set_callback(parallel_begin, CountRegion);
  if (strcmp(generation, "5") != 0) set_callback(8, Shutdown);
  return 1;
}

#ifdef START
static int Initialize5(Lookup lookup, int device, void* data) {
  (void)device, (void)data;
  return Initialize(lookup, "5", 3);
}
static void Finalize5(void* data) {
  (void)data;
  Shutdown();
}
static struct {
  int (*initialize)(Lookup, int, void*);
  void (*finalize)(void*);
  uint64_t data;
} result = {Initialize5, Finalize5, 0};

void* ompt_start_tool(unsigned omp_version, const char* runtime_version) {
  (void)omp_version, (void)runtime_version;
  Say("asked 5");
  return Declines("5") ? NULL : &result;
}
#endif

#ifdef TOOL
static void InitializeDraft(Lookup lookup, const char* runtime_version, unsigned version) {
  (void)runtime_version, (void)version;
  Initialize(lookup, "draft", 1);
}
void* ompt_tool(void) {
  Say("asked draft");
  return Declines("draft") ? NULL : InitializeDraft;
}
#endif

#ifdef INITIALIZE
int ompt_initialize(Lookup lookup, const char* runtime_version, unsigned version) {
  (void)runtime_version, (void)version;
  Say("asked tr2");
  Initialize(lookup, "tr2", 1);
  return getenv("TR2_RESULT") != NULL ? atoi(getenv("TR2_RESULT")) : 1;
}
#endif
