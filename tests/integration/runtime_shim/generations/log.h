/* The log of a small tool: lines in memory, written to LOG_TOOL_FILE at the end. */
#ifndef TESTS_INTEGRATION_RUNTIME_SHIM_GENERATIONS_LOG_H_
#define TESTS_INTEGRATION_RUNTIME_SHIM_GENERATIONS_LOG_H_

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 23];
static atomic_size_t used;

#define LOG(...)                                                            \
  do {                                                                      \
    char line[160];                                                         \
    const size_t length = (size_t)snprintf(line, sizeof line, __VA_ARGS__); \
    const size_t at = atomic_fetch_add(&used, length);                      \
    if (at + length <= sizeof text) memcpy(text + at, line, length);        \
  } while (0)

static inline int Is(const void* pointer) { return pointer != NULL; }

/* The log is whole once the process has ended: libgomp's other threads may still report. */
static void Write(void) {
  const char* path = getenv("LOG_TOOL_FILE");
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  const size_t size = atomic_load(&used);
  if (file == NULL) return;
  fwrite(text, 1, size < sizeof text ? size : sizeof text, file);
  fclose(file);
}

#endif /* TESTS_INTEGRATION_RUNTIME_SHIM_GENERATIONS_LOG_H_ */
