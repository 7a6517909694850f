#include "profiler/collect/unwind/permanent_objects.h"

#include <string.h>

#include <atomic>

#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

PermanentObject sorted_objects[kMaxPermanentObjects];  // by address
std::atomic<size_t> object_count{0};

// The object that contains `address`, or NULL.
const PermanentObject* Find(uintptr_t address) {
  size_t low = 0;
  size_t high = object_count.load(std::memory_order_acquire);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (sorted_objects[middle].end <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < object_count.load(std::memory_order_relaxed) && sorted_objects[low].start <= address;
  return found ? &sorted_objects[low] : nullptr;
}

}  // namespace

void SetPermanentObjects(const PermanentObject* objects, size_t count) {
  size_t kept = 0;
  object_count.store(0, std::memory_order_release);
  for (size_t i = 0; i < count && kept < kMaxPermanentObjects; ++i) {
    size_t at = kept++;
    for (; at > 0 && sorted_objects[at - 1].start > objects[i].start; --at) sorted_objects[at] = sorted_objects[at - 1];
    sorted_objects[at] = objects[i];
  }
  object_count.store(kept, std::memory_order_release);
}

bool IsPermanent(uintptr_t address) { return Find(address) != nullptr; }

OMPPROF_NO_SANITIZE bool ReadCode(uintptr_t address, void* destination, size_t size) {
  const PermanentObject* object = Find(address);
  if (object == nullptr || address < object->code_low || address >= object->code_high ||
      object->code_high - address < size) {
    return SafeRead(address, destination, size);
  }
  auto* to = static_cast<volatile uint8_t*>(destination);  // volatile: must not become a call of an intercepted memcpy
  auto* from = reinterpret_cast<const volatile uint8_t*>(address);
  for (size_t i = 0; i < size; ++i) to[i] = from[i];
  return true;
}

}  // namespace ompprof::collect
