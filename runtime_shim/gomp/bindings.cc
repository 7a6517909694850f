#include "runtime_shim/gomp/bindings.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "runtime_shim/generations/generation.h"
#include "runtime_shim/ompt/loaded_object.h"
#include "runtime_shim/ompt/tool_search.h"

#define FOR_ASSEMBLY extern "C" __attribute__((visibility("hidden")))

namespace gomp_ompt {
namespace {

// An object with references to the shim's names. Its memory stays as long as `handle` is open.
struct Object {
  const char* name;
  uintptr_t base;
  const ElfW(Dyn) * dynamic;
  uintptr_t relro_begin, relro_end;
  void* handle;
};

// The parts of an object's dynamic section that its relocations need.
struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela) * tables[2] = {};
  size_t sizes[2] = {};
  const ElfW(Half) * versions = nullptr;
  const ElfW(Verneed) * needed = nullptr;

  Dynamic(uintptr_t base, const ElfW(Dyn) * entry) {
    for (; entry->d_tag != DT_NULL; entry++) {
      // glibc adds the base to most addresses here, but not to all.
      const auto address = entry->d_un.d_ptr < base ? entry->d_un.d_ptr + base : entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(address);
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(address);
      if (entry->d_tag == DT_RELA) tables[0] = reinterpret_cast<const ElfW(Rela)*>(address);
      if (entry->d_tag == DT_RELASZ) sizes[0] = entry->d_un.d_val;
      if (entry->d_tag == DT_JMPREL) tables[1] = reinterpret_cast<const ElfW(Rela)*>(address);
      if (entry->d_tag == DT_PLTRELSZ) sizes[1] = entry->d_un.d_val;
      if (entry->d_tag == DT_VERSYM) versions = reinterpret_cast<const ElfW(Half)*>(address);
      if (entry->d_tag == DT_VERNEED) needed = reinterpret_cast<const ElfW(Verneed)*>(address);
    }
  }

  // The version that a reference asks for; NULL: any.
  const char* VersionOf(size_t symbol) const {
    if (versions == nullptr || needed == nullptr) return nullptr;
    const unsigned number = versions[symbol] & 0x7fff;
    const auto* file = reinterpret_cast<const char*>(needed);
    for (const ElfW(Verneed)* need = needed;; need = reinterpret_cast<const ElfW(Verneed)*>(file)) {
      const char* at = file + need->vn_aux;
      for (unsigned i = 0; i < need->vn_cnt; i++) {
        const auto* version = reinterpret_cast<const ElfW(Vernaux)*>(at);
        if ((version->vna_other & 0x7fff) == number) return strings + version->vna_name;
        at += version->vna_next;
      }
      if (need->vn_next == 0) return nullptr;
      file += need->vn_next;
    }
  }
};

struct Reference {
  uintptr_t* slot;
  const char* name;
  const char* version;
  bool is_weak;
  bool may_be_lazy;  // the slot may have an address of the object itself, until the first call
};

// Calls `visit` with each reference to a name of OpenMP, until it returns true.
template <class Visit>
bool EachReference(uintptr_t base, const ElfW(Dyn) * section, Visit visit) {
  const Dynamic dynamic(base, section);
  if (dynamic.symbols == nullptr || dynamic.strings == nullptr) return false;
  for (int table = 0; table < 2; table++) {
    for (size_t i = 0; i < dynamic.sizes[table] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela)& relocation = dynamic.tables[table][i];
      const size_t symbol = ELF64_R_SYM(relocation.r_info);
      const auto type = ELF64_R_TYPE(relocation.r_info);
      if (symbol == 0 || (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64)) continue;
      const ElfW(Sym)& wanted = dynamic.symbols[symbol];
      const char* name = dynamic.strings + wanted.st_name;
      if (strncmp(name, "omp_", 4) != 0 && strncmp(name, "GOMP_", 5) != 0) continue;
      if (visit(Reference{reinterpret_cast<uintptr_t*>(base + relocation.r_offset), name, dynamic.VersionOf(symbol),
                          ELF64_ST_BIND(wanted.st_info) == STB_WEAK, type == R_X86_64_JUMP_SLOT}))
        return true;
    }
  }
  return false;
}

// Objects that have no such reference, by name and place. A process may load thousands.
class Unconcerned {
 public:
  bool Has(uint64_t key) const { return slots_[key % kSlots].load(std::memory_order_relaxed) == key; }
  void Add(uint64_t key) { slots_[key % kSlots].store(key, std::memory_order_relaxed); }
  static uint64_t Key(const dl_phdr_info& info) {
    uint64_t key = info.dlpi_addr;
    for (const char* at = info.dlpi_name; *at != '\0'; at++)
      key = (key ^ static_cast<unsigned char>(*at)) * 0x100000001b3;
    return key;
  }

 private:
  static constexpr unsigned kSlots = 4099;
  std::atomic<uint64_t> slots_[kSlots];
};
Unconcerned unconcerned;

// More libraries of one process with OpenMP are served by the first runtime.
constexpr unsigned kMostObjects = 512;

struct Search {
  unsigned long long loads;  // objects that the process has ever loaded
  Object objects[kMostObjects];
  unsigned count;
};

int Collect(dl_phdr_info* info, size_t, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const uint64_t key = Unconcerned::Key(*info);
  if (unconcerned.Has(key) || search.count == kMostObjects) return 0;
  Object object = {info->dlpi_name, info->dlpi_addr, nullptr, 0, 0, nullptr};
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) object.dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    if (part.p_type == PT_GNU_RELRO) object.relro_begin = begin, object.relro_end = begin + part.p_memsz;
  }
  const bool is_shim = IsOurs(object.dynamic);
  if (object.dynamic == nullptr || is_shim || info->dlpi_name == nullptr ||
      !EachReference(object.base, object.dynamic, [](const Reference&) { return true; })) {
    unconcerned.Add(key);
    return 0;
  }
  search.objects[search.count++] = object;
  return 0;
}

unsigned long long Loads() {
  unsigned long long loads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds;
        return 1;
      },
      &loads);
  return loads;
}

std::atomic<bool> program_has_runtime{false};
std::atomic<unsigned long long> loads_seen{0};
std::atomic<void*> first_runtime{nullptr};  // never closed
std::atomic<const link_map*> first_object{nullptr};

// While a thread asks the loader for the shim itself, its calls of dlopen and dlsym are the shim's.
__thread bool is_asking __attribute__((tls_model("initial-exec")));

const link_map* ObjectOf(const void* function) {
  dl_find_object found;
  return function != nullptr && FindObject(function, &found) ? found.dlfo_link_map : nullptr;
}

// The runtime that the references of the object behind `handle` are bound to without the shim, by its oldest function;
// NULL: none.
void* RuntimeWithoutShim(void* handle) {
  void* function = dlsym(RTLD_NEXT, kOldestFunction);  // a dlopen with RTLD_GLOBAL brought it
  if (function == nullptr && handle != nullptr) function = dlsym(handle, kOldestFunction);
  return IsOurs(function) ? nullptr : function;
}

std::atomic<bool> is_writing{false};

void Write(const Object& object, uintptr_t* slot, uintptr_t value) {
  const auto page_size = static_cast<uintptr_t>(getpagesize());
  const auto at = reinterpret_cast<uintptr_t>(slot);
  const bool is_protected = at >= object.relro_begin && at < object.relro_end;
  auto* page = reinterpret_cast<void*>(at & ~(page_size - 1));
  // No function of the loader is called with this lock. After a fork, its holder may be gone.
  constexpr int kMostPauses = 1000000;
  for (int i = 0; i < kMostPauses && is_writing.exchange(true, std::memory_order_acquire); ++i) __builtin_ia32_pause();
  if (!is_protected || mprotect(page, page_size, PROT_READ | PROT_WRITE) == 0) {
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    if (is_protected) mprotect(page, page_size, PROT_READ);
  }
  is_writing.store(false, std::memory_order_release);
}

// Binds the object's references to the functions of the runtime, or to nothing (NULL) if they are weak.
void Bind(const Object& object, void* runtime) {
  EachReference(object.base, object.dynamic, [&](const Reference& reference) {
    const uintptr_t now = __atomic_load_n(reference.slot, __ATOMIC_RELAXED);
    const bool is_ours = IsOurs(reinterpret_cast<const void*>(now));
    if (!is_ours && !(reference.may_be_lazy && runtime != nullptr)) return false;
    void* function = nullptr;
    if (runtime != nullptr) {
      if (reference.version != nullptr) function = dlvsym(runtime, reference.name, reference.version);
      if (function == nullptr) function = dlsym(runtime, reference.name);
    }
    const auto value = reinterpret_cast<uintptr_t>(function);
    if (value != now && (function != nullptr || reference.is_weak)) Write(object, reference.slot, value);
    return false;
  });
}

// Tells the user of a tool, once for each of the first runtimes.
void TellOfAnother(const link_map* object) {
  constexpr unsigned kMost = 8;
  static std::atomic<const link_map*> told[kMost];
  for (auto& entry : told) {
    const link_map* before = nullptr;
    if (entry.compare_exchange_strong(before, object)) {
      if (IsToolAskedFor(AskedGenerations()))
        dprintf(STDERR_FILENO,
                "libgomp_ompt: this process has several libgomps; the tool does not see the regions of %s\n",
                object->l_name);
      return;
    }
    if (before == object) return;
  }
}

bool NeedsShim(uintptr_t base, const ElfW(Dyn) * section) {
  const Dynamic dynamic(base, section);
  for (const ElfW(Dyn)* entry = section; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED && strcmp(dynamic.strings + entry->d_un.d_val, "libgomp_ompt.so") == 0) return true;
  return false;
}

// Decides for one object.
void Consider(const Object& object) {
  void* function = RuntimeWithoutShim(object.handle);
  if (function == nullptr) {
    if (!NeedsShim(object.base, object.dynamic)) Bind(object, nullptr);
    return;
  }
  const link_map* runtime = ObjectOf(function);
  if (runtime == nullptr || runtime == first_object.load(std::memory_order_acquire)) return;
  void* handle = Handle(runtime);
  if (handle == nullptr) return;
  const bool is_libomp = IsLlvmRuntime(handle);
  void* none = nullptr;
  if (!is_libomp && first_runtime.compare_exchange_strong(none, handle)) {
    first_object.store(runtime, std::memory_order_release);
    return;
  }
  if (object.base != runtime->l_addr) {
    if (!is_libomp) TellOfAnother(runtime);
    Bind(object, handle);
  }
  // A libgomp stays loaded, because its workers never end.
  if (is_libomp) dlclose(handle);
}

void BindNewObjects() {
  if (program_has_runtime.load(std::memory_order_relaxed)) return;
  const unsigned long long loads = Loads();
  if (loads_seen.load(std::memory_order_acquire) == loads) return;
  auto* memory = mmap(nullptr, sizeof(Search), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  auto& search = *static_cast<Search*>(memory);
  dl_iterate_phdr(Collect, &search);
  for (unsigned i = 0; i < search.count; i++) {
    Object& object = search.objects[i];
    const bool is_program = object.name[0] == '\0';
    object.handle = is_program ? nullptr : dlopen(object.name, RTLD_LAZY | RTLD_NOLOAD);
    if (!is_program && object.handle == nullptr) continue;  // closed meanwhile
    if (is_program || static_cast<const link_map*>(object.handle)->l_addr == object.base) Consider(object);
    if (!is_program) dlclose(object.handle);
  }
  munmap(memory, sizeof(Search));
  loads_seen.store(loads, std::memory_order_release);
}

bool IsOfOpenMp(const char* name) { return strncmp(name, "omp_", 4) == 0 || strncmp(name, "GOMP_", 5) == 0; }

// The names that the shim exports.
bool IsExported(const char* name) { return IsOfOpenMp(name) && IsOurs(dlsym(RTLD_DEFAULT, name)); }

// Where a search of the global scope finds what it would find without the shim.
void* HandleWithoutShim(void* asked, const char* name, const void* caller) {
  static void* const program = dlopen(nullptr, RTLD_LAZY);
  const link_map* object = ObjectOf(caller);
  const bool from_program = object != nullptr && object->l_name[0] == '\0';
  const bool is_global = asked == RTLD_DEFAULT || asked == program || (asked == RTLD_NEXT && from_program);
  if (!is_global || !IsExported(name)) return asked;
  void* function = dlsym(RTLD_NEXT, name);
  if (function == nullptr && asked == RTLD_DEFAULT && object != nullptr && !from_program) {
    if (void* handle = Handle(object)) {
      function = dlsym(handle, name);
      dlclose(handle);
    }
  }
  const link_map* runtime = ObjectOf(function);
  if (runtime != nullptr && runtime == first_object.load(std::memory_order_acquire)) return asked;
  void* handle = runtime != nullptr ? Handle(runtime) : dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return asked;
  dlclose(handle);
  return handle;
}

// The program's libgomp may be older than the shim, and lack a function that the shim exports. The program then finds
// none. The routines that the shim adds are found.
void* HandleWithRuntime(void* asked, const char* name) {
  // First, because a program's malloc may ask for another: it must not come back here.
  if (!IsOfOpenMp(name)) return asked;
  static void* const program = dlopen(nullptr, RTLD_LAZY);
  const bool is_added = strncmp(name, "omp_control_tool", strlen("omp_control_tool")) == 0;
  if ((asked != RTLD_DEFAULT && asked != program) || is_added || !IsExported(name)) return asked;
  if (dlsym(RTLD_NEXT, name) != nullptr) return asked;
  void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (libc == nullptr) return asked;
  dlclose(libc);
  return libc;
}

}  // namespace

void* FirstRuntime() {
  if (!is_asking) {
    is_asking = true;
    BindNewObjects();
    is_asking = false;
  }
  return first_runtime.load(std::memory_order_acquire);
}

bool IsLinked() {
  return dl_iterate_phdr(
             [](dl_phdr_info* info, size_t, void*) {
               for (unsigned i = 0; i < info->dlpi_phnum; i++) {
                 const ElfW(Phdr)& part = info->dlpi_phdr[i];
                 if (part.p_type == PT_DYNAMIC &&
                     NeedsShim(info->dlpi_addr, reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + part.p_vaddr)))
                   return 1;
               }
               return 0;
             },
             nullptr) != 0;
}

// dlopen and dlsym of the program. Both are a jump to the loader's own function, because that function looks at its
// caller. A library's code runs after a dlsym, or before the next dlopen has returned.
FOR_ASSEMBLY void* gomp_ompt_real_dlopen;
FOR_ASSEMBLY void* gomp_ompt_real_dlsym;
void* gomp_ompt_real_dlopen;
void* gomp_ompt_real_dlsym;

namespace {

// A sanitizer calls dlsym before it can serve instrumented code.
#define UNINSTRUMENTED __attribute__((no_sanitize("address", "thread")))

UNINSTRUMENTED void* FindInLoader(const char* name) {
  void* found = dlvsym(RTLD_NEXT, name, "GLIBC_2.34");
  return found != nullptr ? found : dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5");
}

UNINSTRUMENTED void FindLoader() {
  if (__atomic_load_n(&gomp_ompt_real_dlsym, __ATOMIC_ACQUIRE) != nullptr) return;
  __atomic_store_n(&gomp_ompt_real_dlopen, FindInLoader("dlopen"), __ATOMIC_RELEASE);
  __atomic_store_n(&gomp_ompt_real_dlsym, FindInLoader("dlsym"), __ATOMIC_RELEASE);
}

// Before, the libraries of the program's start, such as a sanitizer's, may not be ready for calls of libc.
bool is_started = false;

__attribute__((constructor)) void BindObjectsOfStart() {
  FindLoader();
  __atomic_store_n(&is_started, true, __ATOMIC_RELEASE);
  program_has_runtime.store(dlsym(RTLD_NEXT, kOldestFunction) != nullptr, std::memory_order_relaxed);
  FirstRuntime();
}

}  // namespace

FOR_ASSEMBLY UNINSTRUMENTED __attribute__((used)) void gomp_ompt_before_dlopen() {
  FindLoader();
  if (__atomic_load_n(&is_started, __ATOMIC_ACQUIRE)) FirstRuntime();
}

__attribute__((noinline)) void* StartedHandle(void* handle, const char* name, const void* caller) {
  if (is_asking) return handle;
  const bool has_runtime = program_has_runtime.load(std::memory_order_relaxed);
  if (!has_runtime) FirstRuntime();
  is_asking = true;
  void* result = has_runtime ? HandleWithRuntime(handle, name) : HandleWithoutShim(handle, name, caller);
  is_asking = false;
  return result;
}

// The handle to search.
FOR_ASSEMBLY UNINSTRUMENTED __attribute__((used)) void* gomp_ompt_before_dlsym(void* handle, const char* name,
                                                                               const void* caller) {
  FindLoader();
  return __atomic_load_n(&is_started, __ATOMIC_ACQUIRE) ? StartedHandle(handle, name, caller) : handle;
}

#define BEFORE_LOADER(name, with_result)                                                         \
  asm(".pushsection .text\n.globl " #name "\n.type " #name ", @function\n.p2align 4\n" #name     \
      ":\n.cfi_startproc\nendbr64\n"                                                             \
      "push %rdi\n.cfi_adjust_cfa_offset 8\npush %rsi\n.cfi_adjust_cfa_offset 8\n"               \
      "sub $8, %rsp\n.cfi_adjust_cfa_offset 8\nmov 24(%rsp), %rdx\ncall gomp_ompt_before_" #name \
      "\nadd $8, %rsp\n.cfi_adjust_cfa_offset -8\npop %rsi\n.cfi_adjust_cfa_offset -8\n"         \
      "pop %rdi\n.cfi_adjust_cfa_offset -8\n" with_result "jmp *gomp_ompt_real_" #name           \
      "(%rip)\n"                                                                                 \
      ".cfi_endproc\n.size " #name ", .-" #name "\n.popsection\n");

BEFORE_LOADER(dlopen, "")
BEFORE_LOADER(dlsym, "mov %rax, %rdi\n")

}  // namespace gomp_ompt
