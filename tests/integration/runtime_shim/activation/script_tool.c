// A tool that reports its life on stderr, and does as TOOL_SCRIPT says (words, separated by blanks):
//
//   decline            ompt_start_tool returns NULL
//   no_initializer     its result has none
//   inactive           the initializer returns 0
//   slow               the initializer takes 0.3 s
//   late               ompt_start_tool takes 0.3 s
//   region             the initializer runs a parallel region, by program_region() of the program
//   thread             the initializer makes a thread that does, and waits for it
//   prints             ompt_start_tool and the initializer also print on stdout, and the latter the log's last line
//   names              ompt_start_tool reports the runtime's name
//   in_EVENT           the callback of EVENT, one of the counted below, calls ompt_finalize_tool at its first call
//
// Lines: "NAME start_tool VERSION", "NAME initialize", "NAME finalize COUNTS". A line has " (child)" behind NAME in a
// process that is not the one which loaded the tool. COUNTS are of events, begun/ended where they come in pairs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TOOL_NAME
#define TOOL_NAME "tool"
#endif

enum { THREAD, PARALLEL, IMPLICIT, INITIAL, MUTEX, KINDS };
static int begun[KINDS], ended[KINDS];
static int after_end;  // callbacks that began after ompt_finalize_tool had returned
static int is_over;
static pid_t home;
static ompt_finalize_tool_t finalize_tool;

__attribute__((constructor)) static void remember_home(void) { home = getpid(); }

__attribute__((format(printf, 1, 2))) static void say(const char* format, ...) {
  char line[400];
  int length = snprintf(line, sizeof line, "%s%s ", TOOL_NAME, getpid() == home ? "" : " (child)");
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - length, format, arguments);
  va_end(arguments);
  line[length++] = '\n';
  if (write(2, line, length) != length) abort();
}

static int has_word(const char* word) {
  const char* script = getenv("TOOL_SCRIPT");
  const size_t length = strlen(word);
  for (const char* at = script; at != NULL && (at = strstr(at, word)) != NULL; at++)
    if ((at == script || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ')) return 1;
  return 0;
}

// Ends the tool for the program.
void end_tool(void) {
  finalize_tool();
  __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
}

int callbacks_after_end(void) { return __atomic_load_n(&after_end, __ATOMIC_SEQ_CST); }

static void count(int* counter, const char* word) {
  if (__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) __atomic_add_fetch(&after_end, 1, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
  static int is_done;
  if (has_word(word) && !__atomic_exchange_n(&is_done, 1, __ATOMIC_SEQ_CST)) end_tool();
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t* data) {
  (void)kind, (void)data;
  count(&begun[THREAD], "in_thread_begin");
}
static void on_thread_end(ompt_data_t* data) {
  (void)data;
  count(&ended[THREAD], "in_thread_end");
}
static void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned threads,
                              int flags, const void* codeptr) {
  (void)task, (void)frame, (void)parallel, (void)threads, (void)flags, (void)codeptr;
  count(&begun[PARALLEL], "in_parallel_begin");
}
static void on_parallel_end(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* codeptr) {
  (void)task, (void)parallel, (void)flags, (void)codeptr;
  count(&ended[PARALLEL], "in_parallel_end");
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned threads,
                             unsigned index, int flags) {
  (void)parallel, (void)task, (void)threads, (void)index;
  const int kind = (flags & ompt_task_initial) != 0 ? INITIAL : IMPLICIT;
  count(endpoint == ompt_scope_begin ? &begun[kind] : &ended[kind],
        endpoint == ompt_scope_begin ? "in_implicit_begin" : "in_implicit_end");
}
static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void* codeptr) {
  (void)kind, (void)hint, (void)impl, (void)id, (void)codeptr;
  count(&begun[MUTEX], "in_mutex_acquire");
}
static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void* codeptr) {
  (void)kind, (void)id, (void)codeptr;
  count(&ended[MUTEX], "in_mutex_released");
}

static void* run_region(void* unused) {
  void (*region)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "program_region");
  if (region != NULL) region();
  return unused;
}

// The last line of the file that OMP_TOOL_VERBOSE_INIT names, if it is a file.
static void print_log_end(void) {
  const char* path = getenv("OMP_TOOL_VERBOSE_INIT");
  FILE* log = path != NULL && path[0] == '/' ? fopen(path, "r") : NULL;
  if (log == NULL) return;
  char line[1000] = "";
  while (fgets(line, sizeof line, log) != NULL) continue;
  printf("the log ends: %s", line);
  fclose(log);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  say("initialize%s", device == 0 ? "" : " on another device than 0");
  if (has_word("prints")) {
    printf("printed: initialize\n");
    print_log_end();
  }
  if (lookup("ompt_no_such_entry_point") != NULL) say("finds what does not exist");
  data->value = 42;
  memset(begun, 0, sizeof begun);
  memset(ended, 0, sizeof ended);
  finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
#define SET(event) set(ompt_callback_##event, (ompt_callback_t)on_##event)
  SET(thread_begin), SET(thread_end), SET(parallel_begin), SET(parallel_end), SET(implicit_task);
  SET(mutex_acquire), SET(mutex_released);
  if (has_word("slow")) usleep(300000);
  if (has_word("region")) run_region(NULL);
  if (has_word("thread")) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_region, NULL) == 0) pthread_join(thread, NULL);
  }
  return !has_word("inactive");
}

static void finalize(ompt_data_t* data) {
  say("finalize threads %d/%d regions %d/%d implicit %d/%d initial %d/%d mutex %d/%d%s", begun[THREAD], ended[THREAD],
      begun[PARALLEL], ended[PARALLEL], begun[IMPLICIT], ended[IMPLICIT], begun[INITIAL], ended[INITIAL], begun[MUTEX],
      ended[MUTEX], data->value == 42 ? "" : " with another tool_data");
}

#ifdef STATIC_TOOL
__attribute__((used)) static
#endif
    ompt_start_tool_result_t*
    ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  if (has_word("prints")) printf("printed: start_tool\n");
  if (has_word("names")) say("runtime %s", runtime);
  if (has_word("late")) usleep(300000);
  say("start_tool %u %s", version, strstr(runtime, "LLVM") != NULL ? "libomp" : "libgomp");
  if (has_word("no_initializer")) result.initialize = NULL;
  return has_word("decline") || has_word("decline_" TOOL_NAME) ? NULL : &result;
}
