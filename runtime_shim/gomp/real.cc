#include "runtime_shim/gomp/real.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>

#include "runtime_shim/gomp/bindings.h"
#include "runtime_shim/ompt/loaded_object.h"

// Filled in by the linker: the list from DECLARE_REAL.
extern "C" {
extern gomp_ompt::RealFunction* const __start_real_functions[] __attribute__((visibility("hidden")));
extern gomp_ompt::RealFunction* const __stop_real_functions[] __attribute__((visibility("hidden")));
}

namespace gomp_ompt {
namespace {

std::atomic<bool> is_decided{false};
// These are written before is_decided.
Runtime known_runtime;
void* known_handle;  // never closed: the runtime's workers never end

// No lock is held around the loader's functions: another thread may be in this code while it holds the loader's lock,
// because it runs a library's constructor. Two threads may do the same work; the results are equal.

void* Symbol(void* handle, const RealFunction& function) {
  void* found =
      function.version != nullptr ? dlvsym(handle, function.name, function.version) : dlsym(handle, function.name);
  return IsOurs(found) ? nullptr : found;
}

// A loaded runtime of which nobody knows who uses it.
void* OpenByName(int flags) { return dlopen("libgomp.so.1", RTLD_LAZY | flags); }

// Decides at the process's first call for which there is a runtime: the one that the program was linked with, or the
// first libgomp that a library has brought.
bool Decide() {
  if (is_decided.load(std::memory_order_acquire)) return true;
  void* handle = FirstRuntime();
  dl_find_object object;
  if (void* oldest = dlsym(RTLD_NEXT, kOldestFunction); oldest != nullptr && FindObject(oldest, &object)) {
    known_runtime = IsLlvmRuntime(Handle(object.dlfo_link_map)) ? Runtime::kOther : Runtime::kGomp;
    handle = RTLD_NEXT;
  } else {
    if (handle == nullptr && IsLinked()) handle = OpenByName(0);
    if (handle == nullptr) return false;
    known_runtime = Runtime::kGomp;
  }
  known_handle = handle;
  for (auto* const* wanted = __start_real_functions; wanted != __stop_real_functions; wanted++) {
    void* found = Symbol(handle, **wanted);
    if (found != nullptr) __atomic_store_n(&(*wanted)->pointer, reinterpret_cast<AnyFunction>(found), __ATOMIC_RELAXED);
  }
  is_decided.store(true, std::memory_order_release);
  return true;
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

Runtime KnownRuntime() { return Decide() ? known_runtime : Runtime::kNone; }

AnyFunction FindFunction(const RealFunction& function) {
  void* handle = Decide() ? known_handle : OpenByName(RTLD_NOLOAD);
  return handle != nullptr ? reinterpret_cast<AnyFunction>(Symbol(handle, function)) : nullptr;
}

AnyFunction FindReal(const RealFunction& function) {
  const AnyFunction found = FindFunction(function);
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
