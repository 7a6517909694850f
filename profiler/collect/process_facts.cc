#include "profiler/collect/process_facts.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>

#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/os.h"
#include "profiler/collect/write/notes.h"

extern "C" void* __libc_stack_end;

namespace ompprof::collect {
namespace {

struct Runtimes {
  bool gomp;
  bool with_ompt;  // libomp, or a shim in front of libgomp
};

int FindRuntimes(dl_phdr_info* info, size_t, void* out) {
  auto* found = static_cast<Runtimes*>(out);
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* name = slash != nullptr ? slash + 1 : info->dlpi_name;
  if (strncmp(name, "libgomp_ompt", 12) == 0 || strncmp(name, "libomp.", 7) == 0 || strncmp(name, "libiomp5", 8) == 0)
    found->with_ompt = true;
  else if (strncmp(name, "libgomp.", 8) == 0)
    found->gomp = true;
  return 0;
}

}  // namespace

uintptr_t MainStackEnd() { return (reinterpret_cast<uintptr_t>(__libc_stack_end) | 0xfff) + 1; }

const void* ProgramCode() { return reinterpret_cast<const void*>(getauxval(AT_ENTRY)); }

bool LoadedBeforeTheProgram() {
  Dl_info found;
  Dl_info self;
  void* create = dlsym(RTLD_DEFAULT, "pthread_create");
  return create != nullptr && dladdr(create, &found) != 0 &&
         dladdr(reinterpret_cast<void*>(&MainStackEnd), &self) != 0 && found.dli_fbase == self.dli_fbase;
}

void NoteRuntimeWithoutOmpt() {
  static bool noted = false;
  if (noted || Facts(0) != nullptr) return;
  Runtimes found{false, false};
  dl_iterate_phdr(FindRuntimes, &found);
  if (!found.gomp || found.with_ompt) return;
  // LLVM's runtime may go by that name: programs of gcc's use it so.
  if (dlsym(RTLD_DEFAULT, "__kmpc_fork_call") != nullptr) return;
  dlerror();  // the program's own next one finds no error of ours
  noted = true;
  static const char kText[] =
      "the program's OpenMP runtime is GCC's libgomp, which offers no OMPT by itself: plain machine stacks, no regions "
      "and no states. For these use `ompprof record`, or preload libgomp_ompt.so (it lies beside libompprof.so) as "
      "well";
  Warn("%s", kText);
  AddNote("%s", kText);
}

}  // namespace ompprof::collect
