#include "runtime_shim/ompt/loaded_object.h"

#include <atomic>

// Filled in by the linker: the shim's own addresses.
extern "C" {
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
}

namespace gomp_ompt {
namespace {

// glibc's _dl_find_object; NULL before glibc 2.35. Looked up by name: a reference would keep the shim from loading
// there.
using GlibcFind = int (*)(void* address, dl_find_object* object);
GlibcFind FindOfGlibc() {
  static std::atomic<GlibcFind> find{nullptr};
  static std::atomic<bool> known{false};
  if (!known.load(std::memory_order_acquire)) {
    find.store(reinterpret_cast<GlibcFind>(dlsym(RTLD_DEFAULT, "_dl_find_object")), std::memory_order_relaxed);
    known.store(true, std::memory_order_release);
  }
  return find.load(std::memory_order_relaxed);
}

}  // namespace

bool FindsWithoutLock() { return FindOfGlibc() != nullptr; }

bool IsOurs(const void* address) { return address >= __ehdr_start && address < _end; }

bool FindObject(const void* address, dl_find_object* object) {
  if (const GlibcFind find = FindOfGlibc()) return find(const_cast<void*>(address), object) == 0;
  Dl_info info;
  void* map = nullptr;
  if (dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0) return false;
  *object = {};
  object->dlfo_map_start = info.dli_fbase;
  object->dlfo_link_map = static_cast<link_map*>(map);
  return true;
}

void* Handle(const link_map* object) {
  if (object->l_name == nullptr || object->l_name[0] == '\0') return nullptr;
  return dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

bool IsLlvmRuntime(void* handle) { return handle != nullptr && dlsym(handle, "__kmpc_fork_call") != nullptr; }

}  // namespace gomp_ompt
