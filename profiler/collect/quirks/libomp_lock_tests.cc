#include "profiler/collect/quirks/libomp_lock_tests.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>

#include "profiler/collect/base/loaded_objects.h"

namespace ompprof::collect::libomp {
namespace {

// The functions from which the runtime reports the attempt.
constexpr const char* kNames[] = {"__kmpc_test_lock", "__kmpc_test_nest_lock"};

struct Function {
  uintptr_t begin;
  uintptr_t size;
};

// Of two runtimes at most. Functions are added and never removed.
constexpr uint32_t kMostFunctions = 4;
Function functions[kMostFunctions];
std::atomic<uint32_t> function_count{0};

void Add(const void* address) {
  Dl_info info;
  const ElfW(Sym)* symbol = nullptr;
  const uint32_t count = function_count.load(std::memory_order_relaxed);
  if (address == nullptr || count == kMostFunctions ||
      dladdr1(address, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT) == 0 ||
      symbol == nullptr)
    return;
  functions[count] = {reinterpret_cast<uintptr_t>(address), symbol->st_size};
  function_count.store(count + 1, std::memory_order_release);
}

}  // namespace

void FindLockTests(uintptr_t code) {
  LoadedObject object;
  if (!FindLoadedObject(code, &object) || object.map == nullptr) return;
  // The program itself has an empty name, and is found by NULL.
  const char* name = object.map->l_name;
  void* runtime = dlopen(name != nullptr && *name != '\0' ? name : nullptr, RTLD_LAZY | RTLD_NOLOAD);
  if (runtime == nullptr) return;
  for (const char* test : kNames) Add(dlsym(runtime, test));
  dlclose(runtime);
}

bool IsLockTest(ompt_mutex_t kind, uintptr_t caller) {
  if (kind != ompt_mutex_lock && kind != ompt_mutex_nest_lock)
    return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
  const uint32_t count = function_count.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i) {
    if (caller - functions[i].begin < functions[i].size) return true;
  }
  return false;
}

}  // namespace ompprof::collect::libomp
