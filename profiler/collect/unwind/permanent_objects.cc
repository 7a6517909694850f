#include "profiler/collect/unwind/permanent_objects.h"

#include <string.h>

#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

PermanentObject g_objects[kMaxPermanentObjects];  // by address
size_t g_count = 0;

// The object that contains `address`, or NULL.
const PermanentObject* Find(uintptr_t address) {
  size_t low = 0;
  size_t high = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (g_objects[middle].end <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < __atomic_load_n(&g_count, __ATOMIC_RELAXED) && g_objects[low].start <= address;
  return found ? &g_objects[low] : nullptr;
}

}  // namespace

void SetPermanentObjects(const PermanentObject* objects, size_t count) {
  size_t kept = 0;
  __atomic_store_n(&g_count, 0, __ATOMIC_RELEASE);
  for (size_t i = 0; i < count && kept < kMaxPermanentObjects; ++i) {
    size_t at = kept++;
    for (; at > 0 && g_objects[at - 1].start > objects[i].start; --at) g_objects[at] = g_objects[at - 1];
    g_objects[at] = objects[i];
  }
  __atomic_store_n(&g_count, kept, __ATOMIC_RELEASE);
}

bool IsPermanent(uintptr_t address) { return Find(address) != nullptr; }

OMPPROF_NO_SANITIZE bool ReadCode(uintptr_t address, void* destination, size_t size) {
  const PermanentObject* object = Find(address);
  if (object == nullptr || address < object->code_low || address >= object->code_high ||
      object->code_high - address < size) {
    return SafeRead(address, destination, size);
  }
  auto* to = static_cast<volatile uint8_t*>(destination);  // volatile: not to become a call of an intercepted memcpy
  auto* from = reinterpret_cast<const volatile uint8_t*>(address);
  for (size_t i = 0; i < size; ++i) to[i] = from[i];
  return true;
}

}  // namespace ompprof::collect
