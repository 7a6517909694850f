// libpoison.so, preloaded before the collector, ends the process (status 99) when a function that may allocate, lock or
// print is called in the collector's signal handler. The collector built for tests tells when its handler runs. Calls
// that stay inside libc do not pass through here, and are not caught.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

extern "C" {

// Weak, so that this library and not the loader finds the function missing.
int ompprof_in_handler(void) __attribute__((weak));

void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

// After this many calls the library acts as if the handler had made a call. That shows that a call would be noticed. 0:
// never.
std::atomic<long> self_test{0};

[[noreturn]] void End(const char* function, const char* what, int status) {
  // The library's write and _exit would not do: the collector may be behind those. Nor would a poisoned function.
  // The collector's own thread has a table of descriptors of its own, without standard error.
  long fd = 2;
  if (syscall(SYS_write, fd, "", 0) != 0) fd = syscall(SYS_open, "/proc/self/fd/2", /*O_WRONLY*/ 1);
  const auto say = [fd](const char* text) {
    for (; *text != '\0'; ++text) syscall(SYS_write, fd, text, 1);
  };
  say("poison: ");
  say(function);
  say(what);
  for (;;) syscall(SYS_exit_group, status);
}

__attribute__((constructor)) void Begin() {
  if (ompprof_in_handler == nullptr) End("ompprof_in_handler", ": there is no collector built for tests here\n", 98);
  const char* calls = getenv("POISON_SELF_TEST");
  if (calls != nullptr) self_test = strtol(calls, nullptr, 10);
}

void Check(const char* function) {
  if (self_test.load(std::memory_order_relaxed) > 0 && self_test.fetch_sub(1) == 1) End(function, ": self-test\n", 99);
  if (ompprof_in_handler != nullptr && ompprof_in_handler() != 0) End(function, " called in the handler\n", 99);
}

template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// A function that is checked and then passed on unchanged.
#define POISON(result, name, parameters, arguments)                          \
  extern "C" __attribute__((visibility("default"))) result name parameters { \
    Check(#name);                                                            \
    static const auto next = Next<result parameters>(#name);                 \
    return next arguments;                                                   \
  }

#define POISON_WITH(result, name, parameters, body)                          \
  extern "C" __attribute__((visibility("default"))) result name parameters { \
    Check(#name);                                                            \
    body                                                                     \
  }

// Allocation goes straight to glibc's functions, because dlsym itself allocates.
POISON_WITH(void*, malloc, (size_t size), return __libc_malloc(size);)
POISON_WITH(void, free, (void* memory), __libc_free(memory);)
POISON_WITH(void*, calloc, (size_t count, size_t size), return __libc_calloc(count, size);)
POISON_WITH(void*, realloc, (void* memory, size_t size), return __libc_realloc(memory, size);)
POISON_WITH(void*, memalign, (size_t alignment, size_t size), return __libc_memalign(alignment, size);)
POISON_WITH(void*, aligned_alloc, (size_t alignment, size_t size), return __libc_memalign(alignment, size);)
POISON_WITH(int, posix_memalign, (void** memory, size_t alignment, size_t size),
            return (*memory = __libc_memalign(alignment, size)) != nullptr ? 0 : 12;)

// Functions that sanitizers and others stand in front of.
POISON(int, clock_gettime, (clockid_t clock, timespec* time), (clock, time))
POISON(void*, memcpy, (void* to, const void* from, size_t size), (to, from, size))
POISON(void*, memmove, (void* to, const void* from, size_t size), (to, from, size))
POISON(void*, memset, (void* to, int value, size_t size), (to, value, size))
POISON(int, memcmp, (const void* a, const void* b, size_t size), (a, b, size))
POISON(size_t, strlen, (const char* text), (text))
POISON(pid_t, getpid, (), ())
POISON(int, sched_yield, (), ())
POISON(void*, mmap, (void* address, size_t size, int protection, int flags, int file, off_t offset),
       (address, size, protection, flags, file, offset))
POISON(ssize_t, read, (int file, void* data, size_t size), (file, data, size))
POISON(ssize_t, write, (int file, const void* data, size_t size), (file, data, size))

// Locks.
POISON(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
POISON(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
POISON(int, pthread_mutex_unlock, (pthread_mutex_t * mutex), (mutex))
POISON(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
POISON(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
POISON(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t* mutex), (condition, mutex))
POISON(int, pthread_cond_signal, (pthread_cond_t * condition), (condition))
POISON(int, pthread_cond_broadcast, (pthread_cond_t * condition), (condition))
POISON(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
POISON(int, pthread_once, (pthread_once_t * once, void (*function)(void)), (once, function))
POISON(int, sem_wait, (sem_t * semaphore), (semaphore))
// Functions that take a lock or allocate on a thread's first use.
POISON(void*, pthread_getspecific, (pthread_key_t key), (key))
POISON(int, pthread_setspecific, (pthread_key_t key, const void* value), (key, value))

// The loader's lock.
POISON(int, dl_iterate_phdr, (int (*callback)(struct dl_phdr_info*, size_t, void*), void* data), (callback, data))
POISON(int, dladdr, (const void* address, Dl_info* info), (address, info))
POISON(void*, dlopen, (const char* path, int flags), (path, flags))
POISON(char*, dlerror, (void), ())

// Streams and formatting.
POISON(int, puts, (const char* text), (text))
POISON(int, fputs, (const char* text, FILE* stream), (text, stream))
POISON(size_t, fwrite, (const void* data, size_t size, size_t count, FILE* stream), (data, size, count, stream))
POISON(int, fflush, (FILE * stream), (stream))
POISON(FILE*, fopen, (const char* path, const char* mode), (path, mode))
POISON(int, fclose, (FILE * stream), (stream))
POISON(int, vprintf, (const char* format, va_list arguments), (format, arguments))
POISON(int, vfprintf, (FILE * stream, const char* format, va_list arguments), (stream, format, arguments))
POISON(int, vsnprintf, (char* text, size_t size, const char* format, va_list arguments),
       (text, size, format, arguments))

#define POISON_PRINTF(name, parameters, call)                             \
  extern "C" __attribute__((visibility("default"))) int name parameters { \
    Check(#name);                                                         \
    va_list arguments;                                                    \
    va_start(arguments, format);                                          \
    const int result = call;                                              \
    va_end(arguments);                                                    \
    return result;                                                        \
  }

POISON_PRINTF(printf, (const char* format, ...), vprintf(format, arguments))
POISON_PRINTF(fprintf, (FILE * stream, const char* format, ...), vfprintf(stream, format, arguments))
POISON_PRINTF(snprintf, (char* text, size_t size, const char* format, ...), vsnprintf(text, size, format, arguments))

// Other functions that take locks or allocate.
POISON(int, backtrace, (void** buffer, int size), (buffer, size))
POISON(char*, setlocale, (int category, const char* locale), (category, locale))
POISON(int, setenv, (const char* name, const char* value, int overwrite), (name, value, overwrite))
