#include "runtime_shim/gomp/real.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "runtime_shim/ompt/loaded_object.h"

// Filled in by the linker: the list from DECLARE_REAL, and the shim's own addresses.
extern "C" {
extern gomp_ompt::RealFunction* const __start_real_functions[] __attribute__((visibility("hidden")));
extern gomp_ompt::RealFunction* const __stop_real_functions[] __attribute__((visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
}

namespace gomp_ompt {
namespace {

// A name that every libgomp has had since the first version.
constexpr char kOldestFunction[] = "GOMP_barrier";

// A loaded runtime. It stays loaded, because its workers never end.
struct Table {
  Runtime runtime;
  const link_map* object;
  Table* next;
  AnyFunction functions[];  // by RealFunction::index; NULL if the runtime lacks the function
};

// The runtime for the calls of one loaded object. A library that is unloaded leaves its entry behind. A later library
// at the same address may have its link map in the same memory. If it is of the same make, its size and layout may also
// be the same, but not its path.
struct Scope {
  std::atomic<bool> is_valid;
  const void* begin;
  const void* end;
  const link_map* object;
  const char* path;
  const Table* table;
};

enum class Scoping : unsigned char { kUndecided, kGlobal, kByCaller };

std::atomic<Scoping> scoping{Scoping::kUndecided};
std::atomic<Runtime> global_runtime{Runtime::kNone};
std::atomic<Table*> tables{nullptr};  // newest first
std::atomic<const Table*> first_table{nullptr};

// With more libraries than this, the rest is looked up at each call.
constexpr unsigned kMaxScopes = 1024;
Scope scopes[kMaxScopes];
std::atomic<unsigned> scope_count{0};

// No lock is held around the loader's functions: another thread may be in this code while it holds the loader's lock,
// because it runs a library's constructor. Two threads may do the same work; the results are equal.

unsigned FunctionCount() { return static_cast<unsigned>(__stop_real_functions - __start_real_functions); }

bool IsOurs(const void* address) { return address >= __ehdr_start && address < _end; }

void* Symbol(void* handle, const char* name, const char* version) {
  void* found = version != nullptr ? dlvsym(handle, name, version) : dlsym(handle, name);
  return IsOurs(found) ? nullptr : found;
}

Runtime KindOf(void* handle) { return IsLlvmRuntime(handle) ? Runtime::kOther : Runtime::kGomp; }

const Table* TableOf(void* function) {
  dl_find_object found;
  if (!FindObject(function, &found)) return nullptr;
  const link_map* object = found.dlfo_link_map;
  for (Table* table = tables.load(std::memory_order_acquire); table != nullptr; table = table->next)
    if (table->object == object) return table;
  void* handle = Handle(object);  // never closed
  if (handle == nullptr) return nullptr;
  const unsigned count = FunctionCount();
  void* memory = mmap(nullptr, sizeof(Table) + count * sizeof(AnyFunction), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* table = static_cast<Table*>(memory);
  table->runtime = KindOf(handle);
  table->object = object;
  for (unsigned i = 0; i < count; i++) {
    RealFunction& wanted = *__start_real_functions[i];
    __atomic_store_n(&wanted.index, i, __ATOMIC_RELAXED);
    table->functions[i] = reinterpret_cast<AnyFunction>(Symbol(handle, wanted.name, wanted.version));
  }
  table->next = tables.load(std::memory_order_relaxed);
  while (!tables.compare_exchange_weak(table->next, table, std::memory_order_release)) {
  }
  const Table* none = nullptr;
  first_table.compare_exchange_strong(none, table, std::memory_order_release);
  return table;
}

const char* DynamicString(const link_map* object, const ElfW(Dyn) * wanted) {
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB) return reinterpret_cast<const char*>(entry->d_un.d_ptr) + wanted->d_un.d_val;
  return "";
}

const char* Soname(const link_map* object) {
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_SONAME) return DynamicString(object, entry);
  return nullptr;
}

// The known runtime that the object itself requests by name. The search does not use the loader, because the asking
// thread may be a worker whose primary thread holds the loader's lock. The loader takes a loaded object for a DT_NEEDED
// with its DT_SONAME, so two runtimes with one name don't occur.
const Table* NeededBy(const link_map* object) {
  for (const Table* table = tables.load(std::memory_order_acquire); table != nullptr; table = table->next) {
    const char* soname = Soname(table->object);
    if (table->object == object) return table;
    if (soname == nullptr) continue;
    for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_NEEDED && strcmp(DynamicString(object, entry), soname) == 0) return table;
  }
  return nullptr;
}

// Whether the object was linked with the shim itself. If libgomp has nothing that the shim lacks, and the linker takes
// only what is needed, such an object was not linked with libgomp.
bool NeedsShim(const link_map* object) {
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED && strcmp(DynamicString(object, entry), "libgomp_ompt.so") == 0) return true;
  return false;
}

const Table* SearchFor(const link_map* object) {
  if (object != nullptr) {
    if (const Table* table = NeededBy(object)) return table;
    // For a library that is new to the shim, a runtime that became global later comes before the library's own runtime.
    if (void* function = Symbol(RTLD_NEXT, kOldestFunction, nullptr)) return TableOf(function);
    if (void* handle = Handle(object)) {
      void* function = Symbol(handle, kOldestFunction, nullptr);
      const Table* table = function != nullptr ? TableOf(function) : nullptr;
      dlclose(handle);
      if (table != nullptr) return table;
    }
  }
  // Code without an object (made at run time), or a library that relies on the runtime of its loader.
  if (const Table* table = first_table.load(std::memory_order_acquire)) return table;
  void* handle = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr && object != nullptr && NeedsShim(object)) handle = dlopen("libgomp.so.1", RTLD_LAZY);
  void* function = handle != nullptr ? Symbol(handle, kOldestFunction, nullptr) : nullptr;
  return function != nullptr ? TableOf(function) : nullptr;
}

const Table* TableForCaller(const void* address) {
  dl_find_object object = {};
  if (!FindObject(address, &object)) return SearchFor(nullptr);
  const unsigned count = scope_count.load(std::memory_order_acquire);
  for (unsigned i = 0; i < count && i < kMaxScopes; i++) {
    const Scope& scope = scopes[i];
    if (scope.is_valid.load(std::memory_order_acquire) && scope.begin == object.dlfo_map_start &&
        scope.end == object.dlfo_map_end && scope.object == object.dlfo_link_map &&
        strcmp(scope.path, object.dlfo_link_map->l_name) == 0)
      return scope.table;
  }
  const Table* table = SearchFor(object.dlfo_link_map);
  if (table == nullptr) return nullptr;  // asked again next time: the next dlopen may bring a runtime
  const unsigned index = scope_count.load() < kMaxScopes ? scope_count.fetch_add(1) : kMaxScopes;
  const char* path = strdup(object.dlfo_link_map->l_name);
  if (index >= kMaxScopes || path == nullptr) return table;
  Scope& scope = scopes[index];
  scope.begin = object.dlfo_map_start;
  scope.end = object.dlfo_map_end;
  scope.object = object.dlfo_link_map;
  scope.path = path;
  scope.table = table;
  scope.is_valid.store(true, std::memory_order_release);
  return table;
}

// Decides at the process's first call whether there is one runtime for all callers.
Scoping Decide() {
  const Scoping known = scoping.load(std::memory_order_acquire);
  if (known != Scoping::kUndecided) return known;
  void* oldest = Symbol(RTLD_NEXT, kOldestFunction, nullptr);
  if (oldest != nullptr) {
    dl_find_object object;
    void* handle = FindObject(oldest, &object) ? Handle(object.dlfo_link_map) : nullptr;  // never closed
    global_runtime.store(KindOf(handle), std::memory_order_relaxed);
    for (auto* const* wanted = __start_real_functions; wanted != __stop_real_functions; wanted++) {
      void* found = Symbol(RTLD_NEXT, (*wanted)->name, (*wanted)->version);
      if (found != nullptr)
        __atomic_store_n(&(*wanted)->pointer, reinterpret_cast<AnyFunction>(found), __ATOMIC_RELAXED);
    }
  }
  const Scoping decided = oldest != nullptr ? Scoping::kGlobal : Scoping::kByCaller;
  scoping.store(decided, std::memory_order_release);
  return decided;
}

}  // namespace

const void* CallerAddress(const void* frame) {
  auto* at = static_cast<const void* const*>(frame);
  // If the shim is linked into the program (a test), its code cannot be told from the program's code, whose frames may
  // have no frame pointer. Then the walk has no end, and needs none.
  constexpr int kMostFrames = 16;
  for (int i = 0; i < kMostFrames; i++) {
    if (!IsOurs(at[1])) return at[1];
    auto* next = static_cast<const void* const*>(at[0]);
    if (next <= at) return nullptr;
    at = next;
  }
  return nullptr;
}

Runtime RuntimeOf(const void* caller, bool* for_all) {
  *for_all = Decide() == Scoping::kGlobal;
  if (*for_all) return global_runtime.load(std::memory_order_relaxed);
  const Table* table = TableForCaller(caller);
  return table != nullptr ? table->runtime : Runtime::kNone;
}

AnyFunction FindFunction(RealFunction& function, const void* caller) {
  if (Decide() == Scoping::kGlobal)
    return reinterpret_cast<AnyFunction>(Symbol(RTLD_NEXT, function.name, function.version));
  const Table* table = TableForCaller(caller);
  if (table == nullptr) return nullptr;
  return table->functions[__atomic_load_n(&function.index, __ATOMIC_RELAXED)];
}

AnyFunction FindReal(RealFunction& function, const void* frame) {
  const AnyFunction found = FindFunction(function, CallerAddress(frame));
  if (found == nullptr) {
    dprintf(STDERR_FILENO,
            "symbol lookup error: undefined symbol: %s%s%s (libgomp_ompt found no OpenMP runtime that has it)\n",
            function.name, function.version != nullptr ? ", version " : "",
            function.version != nullptr ? function.version : "");
    _exit(127);
  }
  return found;
}

}  // namespace gomp_ompt
