// A program that defines functions of libc for itself and exports them, as bash does getenv. The stubs of own_names.py
// have the names of all functions that the preloaded libraries need. The program's getenv knows no variable.
// Its variable environ is not libc's either. The program works in a child, to its end, and prints which of its
// functions the preloaded libraries have called.
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

TRUTH_WORK(own_work)

extern "C" {
extern const char own_names[];  // one after the other; the last is empty
extern void* own_names_real[];
extern volatile unsigned own_names_counts[4096 / sizeof(unsigned)];
extern uintptr_t own_names_begin[2], own_names_size[2];
}

static char* no_variables[] = {nullptr};
extern "C" {
char** environ = no_variables;
}

static char* NoVariable(const char*) { return nullptr; }

static int FindLibrary(dl_phdr_info* object, size_t, void*) {
  const int at = strstr(object->dlpi_name, "/libompprof.so") != nullptr     ? 0
                 : strstr(object->dlpi_name, "/libgomp_ompt.so") != nullptr ? 1
                                                                            : -1;
  for (int i = 0; at >= 0 && i < object->dlpi_phnum; i++) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    own_names_begin[at] = object->dlpi_addr;
    own_names_size[at] = part.p_vaddr + part.p_memsz;
  }
  return 0;
}

// Before the constructors of libraries. Until the pointers are there, nothing may be called but the loader.
static void Begin(int, char**, char**) {
  int at = 0;
  for (const char* name = own_names; *name != '\0'; at++) {
    own_names_real[at] = dlsym(RTLD_NEXT, name);
    if (name[0] == 'g' && name[1] == 'e' && name[2] == 't' && name[3] == 'e' && name[4] == 'n')
      own_names_real[at] = reinterpret_cast<void*>(&NoVariable);
    while (*name != '\0') name++;
    name++;
  }
  // The counts of parent and child.
  mmap(const_cast<unsigned*>(own_names_counts), sizeof(own_names_counts), PROT_READ | PROT_WRITE,
       MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
  dl_iterate_phdr(FindLibrary, nullptr);
}
__attribute__((section(".preinit_array"), used)) static void (*const begin)(int, char**, char**) = Begin;

int main() {
  const pid_t child = fork();
  if (child == 0) {
#pragma omp parallel num_threads(2)
    own_work(truth::Iterations(100));
    return 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (fork() == 0) execl("/bin/sh", "sh", "-c", "echo the shell has: $OWN_NAMES", nullptr);
  wait(nullptr);
  int names = 0;
  for (const char* name = own_names; *name != '\0'; name += strlen(name) + 1, names++) {
    if (own_names_counts[names] != 0) printf("%s: called %u times\n", name, own_names_counts[names]);
  }
  printf("%s, status %d\n", names > 50 ? "many names" : "few names", status);
  return 0;
}
