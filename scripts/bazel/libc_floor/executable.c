// What programs of ours need of libc that glibc 2.17 lacks, by means that glibc 2.17 has. Linked into each program: the
// static libraries, and the start of a program, are made for the libc that they are built with.
//
// The libraries that are preloaded need nothing of this file. See symbols.txt for functions that only their version is
// too new of.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// For the other files of the program, and for none of the libraries that it loads.
#define HIDDEN __attribute__((visibility("hidden")))

// --- The program's start. Before glibc 2.34, the program itself runs its constructors: `init` of __libc_start_main.
// The start file of a newer glibc passes no `init`.

typedef int Main(int argc, char** argv, char** environment);
typedef void Constructor(int argc, char** argv, char** environment);

extern Constructor* const __init_array_start[] HIDDEN;
extern Constructor* const __init_array_end[] HIDDEN;
extern void _init(void);

static int RunConstructors(int argc, char** argv, char** environment) {
  _init();
  for (Constructor* const* next = __init_array_start; next != __init_array_end; next++)
    (*next)(argc, argv, environment);
  return 0;
}

extern int StartMain(Main* main, int argc, char** argv, Main* init, void (*fini)(void), void (*loader_fini)(void),
                     void* stack_end);
__asm__(".symver StartMain, __libc_start_main@GLIBC_2.2.5");

HIDDEN int __libc_start_main(Main* main, int argc, char** argv, Main* init, void (*fini)(void),
                             void (*loader_fini)(void), void* stack_end) {
  return StartMain(main, argc, argv, init == NULL ? RunConstructors : init, fini, loader_fini, stack_end);
}

// --- The stat family are functions since glibc 2.33, and were part of each program before.

HIDDEN int fstatat(int folder, const char* path, struct stat* info, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, info, flags);
}
HIDDEN int stat(const char* path, struct stat* info) { return fstatat(AT_FDCWD, path, info, 0); }
HIDDEN int lstat(const char* path, struct stat* info) { return fstatat(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW); }
HIDDEN int fstat(int descriptor, struct stat* info) { return (int)syscall(SYS_fstat, descriptor, info); }

// On 64-bit systems they are the same.
HIDDEN int fstatat64(int, const char*, struct stat64*, int) __attribute__((alias("fstatat")));
HIDDEN int stat64(const char*, struct stat64*) __attribute__((alias("stat")));
HIDDEN int lstat64(const char*, struct stat64*) __attribute__((alias("lstat")));
HIDDEN int fstat64(int, struct stat64*) __attribute__((alias("fstat")));

// --- libm's functions with versions of glibc 2.29, which no longer report errors in SVID's way.

#define OLD_VERSION(type, name, parameters, arguments)     \
  extern type Old_##name parameters;                       \
  __asm__(".symver Old_" #name ", " #name "@GLIBC_2.2.5"); \
  HIDDEN type name parameters { return Old_##name arguments; }

OLD_VERSION(double, exp, (double x), (x))
OLD_VERSION(double, log, (double x), (x))
OLD_VERSION(double, pow, (double x, double y), (x, y))

// --- libstdc++'s std::random_device has a choice of sources of random bits (glibc 2.25 and 2.36).

HIDDEN int getentropy(void* bytes, size_t size) {
  const int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (source < 0) return -1;
  const ssize_t got = read(source, bytes, size);
  close(source);
  return got == (ssize_t)size ? 0 : -1;
}

HIDDEN uint32_t arc4random(void) {
  uint32_t bits;
  if (getentropy(&bits, sizeof bits) != 0) abort();  // it has no way to report an error
  return bits;
}

// --- libstdc++ asks it whether it may leave out atomic operations (glibc 2.32). Never is always right.

HIDDEN char __libc_single_threaded = 0;

// --- libgcc finds the unwind table of a throwing function's file by it (glibc 2.35).

#ifdef DLFO_STRUCT_HAS_EH_DBASE
struct Search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int LookInObject(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  const struct Search* const search = data;
  int is_in = 0;
  const void* table = NULL;
  for (size_t i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr)* const part = &object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) table = (const void*)begin;
    if (part->p_type != PT_LOAD || search->address < begin || search->address - begin >= part->p_memsz) continue;
    is_in = 1;
    search->found->dlfo_map_start = (void*)begin;
    search->found->dlfo_map_end = (void*)(begin + part->p_memsz);
  }
  if (is_in) search->found->dlfo_eh_frame = (void*)table;
  return is_in;
}

// Fills in what libgcc reads, and leaves the rest zero.
HIDDEN int _dl_find_object(void* address, struct dl_find_object* found) {
  *found = (struct dl_find_object){0};
  struct Search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(LookInObject, &search) != 0 && found->dlfo_eh_frame != NULL ? 0 : -1;
}
#endif
