#include "profiler/collect/process/process_facts.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

#include <initializer_list>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/devices/device_table.h"
#include "profiler/collect/ompt/runtime_facts.h"
#include "profiler/collect/quirks/libomptarget.h"
#include "profiler/collect/quirks/runtime_names.h"
#include "profiler/collect/thread/session.h"

extern "C" void* __libc_stack_end;
extern "C" __attribute__((weak)) int __kmpc_global_thread_num(void*);  // of LLVM's OpenMP runtime

namespace ompprof::collect {
namespace {

struct Runtimes {
  bool gomp;
  bool shim;
  bool shim_later;  // a shim that comes behind libgomp: the program's calls do not reach it
  // Paths of one each, or NULL; the loader's texts.
  const char* libomp;
  const char* offload;
};

int FindRuntimes(dl_phdr_info* info, size_t, void* out) {
  auto* found = static_cast<Runtimes*>(out);
  const Runtime runtime = RuntimeInFile(info->dlpi_name);
  if (runtime == Runtime::kLibomp) found->libomp = info->dlpi_name;
  if (runtime == Runtime::kOffload) found->offload = info->dlpi_name;
  if (runtime == Runtime::kShim) found->shim_later = found->gomp;
  if (runtime == Runtime::kShim) found->shim = true;
  if (runtime == Runtime::kLibgomp) found->gomp = true;
  return 0;
}

// Whether the runtime in this file offers OMPT only as Technical Report 2 or the draft after it did (spec 003, 6.1.1;
// spec 004, "Tool Registration"), and finds no tool. Such a runtime has a symbol of that time for the tool to replace.
bool LacksOlderTool(const char* path) {
  void* runtime = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (runtime == nullptr) return false;
  bool lacks = false;
  for (const char* symbol : {"ompt_tool", "ompt_initialize"}) {
    const void* own = dlsym(runtime, symbol);
    lacks |= own != nullptr && own == dlsym(RTLD_DEFAULT, symbol);
  }
  dlclose(runtime);
  return lacks;
}

void NoteOldRuntime(const char* path) {
  static bool noted = false;
  if (noted || !LacksOlderTool(path)) return;
  noted = true;
  AddNote(
      "the OpenMP runtime %s offers OMPT only in a generation before ompt_start_tool, and looks for its tool by "
      "another "
      "symbol. The profile has plain machine stacks, no regions and no states. For a full profile use `ompprof record "
      "--older-ompt=on`",
      path);
}

// Whether a runtime starts tools. Blanks around the word and upper case mean nothing.
bool AreToolsEnabled() {
  constexpr char kBlanks[] = " \t\n\v\f\r";
  const char* value = getenv("OMP_TOOL");
  if (value == nullptr) return true;
  value += strspn(value, kBlanks);
  const size_t length = strcspn(value, kBlanks);
  return length == 0 || (length == strlen("enabled") && strncasecmp(value, "enabled", length) == 0);
}

// Whether the shim, or any other runtime, has found the tool.
bool HasFoundUs(bool shim) {
  for (int runtime = 0; runtime < kMaxRuntimes; ++runtime)
    if (Facts(runtime) != nullptr && IsShim(runtime) == shim) return true;
  return false;
}

// The file with the tool that a runtime finds before this one; NULL: none. Asked once, when the process begins: later
// another thread may hold the loader's lock for long, also at the process's end.
const char* OtherTool() {
  static const char* file = nullptr;
  static bool asked = false;
  if (asked) return file;
  asked = true;
  Dl_info first;
  Dl_info self;
  void* tool = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  if (tool != nullptr && AreToolsEnabled() && dladdr(tool, &first) != 0 &&
      dladdr(reinterpret_cast<void*>(&MainStackEnd), &self) != 0 && first.dli_fbase != self.dli_fbase)
    file = first.dli_fname;
  return file;
}

// 1: the object is the first of the two whose beginnings are in `bases`. 2: the object is the second.
int IsFirstOfTwo(dl_phdr_info* info, size_t, void* bases) {
  const auto* base = static_cast<const void**>(bases);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const auto* begin = reinterpret_cast<const void*>(info->dlpi_addr + segment.p_vaddr);
    return begin == base[0] ? 1 : begin == base[1] ? 2 : 0;
  }
  return 0;
}

}  // namespace

uintptr_t MainStackEnd() { return (reinterpret_cast<uintptr_t>(__libc_stack_end) | 0xfff) + 1; }

const void* ProgramCode() { return reinterpret_cast<const void*>(getauxval(AT_ENTRY)); }

bool LoadedBeforeTheProgram() {
  // The answer to pthread_create would prove nothing: a sanitizer's runtime in the executable has a version that calls
  // the next.
  Dl_info libc;
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &libc) == 0 ||
      dladdr(reinterpret_cast<void*>(&MainStackEnd), &self) == 0)
    return false;
  const void* bases[] = {self.dli_fbase, libc.dli_fbase};
  // The search visits objects in the order of loading. The first of the two ends it.
  return dl_iterate_phdr(IsFirstOfTwo, bases) == 1;
}

void NoteRuntimeWithoutOmpt(bool at_end) {
  static bool noted = false;
  const char* const other_tool = OtherTool();
  const bool found_us = Facts(0) != nullptr;
  if (noted || (found_us && (other_tool == nullptr || !at_end))) return;
  Runtimes found{};
  dl_iterate_phdr(FindRuntimes, &found);
  // Until the end, the runtime may find the tool. A shim that `record` brings says itself which tool it has started.
  const bool shim_starts_it =
      found.gomp && found.shim && !found.shim_later && getenv("GOMP_OMPT_TOOL_LIBRARIES") == nullptr;
  if (at_end && other_tool != nullptr &&
      ((found.libomp != nullptr && !HasFoundUs(/*shim=*/false)) || (shim_starts_it && !HasFoundUs(/*shim=*/true))))
    NoteProgramsTool(other_tool);
  if (found_us) return;
  if (found.libomp != nullptr && at_end) NoteOldRuntime(found.libomp);
  if (at_end && found.shim_later)
    AddNote(
        "there are no states and no regions: libgomp_ompt.so comes behind libgomp in the program's search for "
        "functions, so the program's calls do not reach it. Name it before libgomp, in LD_PRELOAD or when linking");
  if (!found.gomp || found.shim || found.libomp != nullptr) return;
  // LLVM's runtime may be loaded under libgomp's name: gcc's programs use it in this way.
  if (__kmpc_global_thread_num != nullptr) return;
  noted = true;
  static const char kText[] =
      "the program's OpenMP runtime is GCC's libgomp, which offers no OMPT by itself. The profile has plain machine "
      "stacks, no regions and no states. For a full profile use `ompprof record` without "
      "--gomp-shim=off, or preload libgomp_ompt.so as well (the file beside libompprof.so)";
  Warn("%s", kText);
  AddNote("%s", kText);
}

void NoteProgramsTool(const char* file) {
  AddNote(
      "there are no states and no regions: the program has an OMPT tool of its own, in %s, and an OpenMP runtime "
      "starts one tool only",
      file);
}

void NoteOffloadWithoutOmpt() {
  // The loader's lock may be held for long, and the program may be in _exit: nobody else asks the loader.
  if (!session.runtime_code.HasOffload() || IsAnyDeviceKnown()) return;
  Runtimes found{};
  dl_iterate_phdr(FindRuntimes, &found);
  const char* why = found.offload != nullptr ? libomptarget::WhyNoEvents(found.offload) : nullptr;
  if (why == nullptr) return;
  AddNote("target regions are not seen, because no event comes from LLVM's offloading runtime %s: %s", found.offload,
          why);
}

}  // namespace ompprof::collect
