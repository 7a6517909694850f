#include "runtime_shim/gomp/map_clauses.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_target_data_ext, void(int, size_t, void**, size_t*, unsigned short*));
DECLARE_REAL(GOMP_target_end_data, void());

// Kinds of mapping (gcc's gomp-constants.h). The high byte has the variable's alignment.
enum MapKind : unsigned {
  kAlloc = 0,
  kTo = 1,
  kFrom = 2,
  kToFrom = 3,
  kToDescriptor = 5,
  kForcePresent = 6,
  kDelete = 7,
  kUseDevicePtrIfPresent = 16,
  kAlwaysTo = 17,
  kAlwaysFrom = 18,
  kAlwaysToFrom = 19,
  kRelease = 23,
  kDeleteSection = 31,
};
constexpr unsigned kKindMask = 0xff;
constexpr unsigned kImplicit = 0x60;

// ompt_target_map_flag_t; 0 for a kind that maps no variable: pointers, private copies.
unsigned FlagsOf(unsigned short kind) {
  unsigned bits = kind & kKindMask, implicit = 0;
  if ((bits & kImplicit) == kImplicit) {
    bits &= ~kImplicit;
    implicit = ompt_target_map_flag_implicit;
  }
  switch (bits) {
    case kAlloc:
    case kForcePresent:
      return implicit | ompt_target_map_flag_alloc;
    case kTo:
    case kAlwaysTo:
    case kToDescriptor:
      return implicit | ompt_target_map_flag_to;
    case kFrom:
    case kAlwaysFrom:
      return implicit | ompt_target_map_flag_from;
    case kToFrom:
    case kAlwaysToFrom:
      return implicit | ompt_target_map_flag_to | ompt_target_map_flag_from;
    case kRelease:
      return implicit | ompt_target_map_flag_release;
    case kDelete:
    case kDeleteSection:
      return implicit | ompt_target_map_flag_delete;
    default:
      return 0;
  }
}

constexpr uint64_t kMapEvents = EventBits(ompt_callback_target_map, ompt_callback_target_map_emi);

template <class Value>
Value* Copy(const Value* values, size_t count) {
  auto* copy = static_cast<Value*>(malloc(count * sizeof(Value)));
  if (copy == nullptr) OutOfMemory();
  memcpy(copy, values, count * sizeof(Value));
  return copy;
}

// Sets each item's address on the device; NULL if it has none.
void Translate(int device_num, size_t count, void* const* host, void** device) {
  auto* sizes = static_cast<size_t*>(alloca(count * sizeof(size_t)));
  auto* kinds = static_cast<unsigned short*>(alloca(count * sizeof(unsigned short)));
  for (size_t i = 0; i < count; i++) {
    device[i] = host[i];
    sizes[i] = 0;
    kinds[i] = kUseDevicePtrIfPresent;
  }
  REAL(GOMP_target_data_ext)(device_num, count, device, sizes, kinds);
  REAL(GOMP_target_end_data)();
  for (size_t i = 0; i < count; i++)
    if (device[i] == host[i]) device[i] = nullptr;
}

}  // namespace

void RememberMapClauses(Target* target, size_t count, void** addresses, size_t* sizes, unsigned short* kinds) {
  if (!AnyRegistered(kMapEvents)) return;
  target->maps = {count, addresses, sizes, kinds, /*are_copies=*/false, /*are_reported=*/false};
}

void KeepMapClauses(Target* target) {
  MapClauses& maps = target->maps;
  if (maps.count == 0 || maps.are_copies) return;
  maps.addresses = Copy(maps.addresses, maps.count);
  maps.sizes = Copy(maps.sizes, maps.count);
  maps.kinds = Copy(maps.kinds, maps.count);
  maps.are_copies = true;
}

void ForgetMapClauses(Target* target) {
  MapClauses& maps = target->maps;
  if (maps.are_copies) {
    free(maps.addresses);
    free(maps.sizes);
    free(maps.kinds);
  }
  maps = {};
}

void ReportMaps(Target* target) {
  MapClauses& maps = target->maps;
  if (maps.count == 0 || maps.are_reported) return;
  maps.are_reported = true;
  auto** host = static_cast<void**>(alloca(maps.count * sizeof(void*)));
  auto** device = static_cast<void**>(alloca(maps.count * sizeof(void*)));
  auto* bytes = static_cast<size_t*>(alloca(maps.count * sizeof(size_t)));
  auto* flags = static_cast<unsigned*>(alloca(maps.count * sizeof(unsigned)));
  unsigned count = 0;
  for (size_t i = 0; i < maps.count; i++) {
    flags[count] = FlagsOf(maps.kinds[i]);
    if (flags[count] == 0) continue;
    host[count] = maps.addresses[i];
    bytes[count] = maps.sizes[i];
    count++;
  }
  if (count == 0) return;
  Translate(target->device_num, count, host, device);
  if (auto* emi = OMPT_CALLBACK(target_map_emi)) {
    emi(&target->data, count, host, device, bytes, flags, target->codeptr_ra);
  } else if (auto* callback = OMPT_CALLBACK(target_map)) {
    callback(target->data.value, count, host, device, bytes, flags, target->codeptr_ra);
  }
}

}  // namespace gomp_ompt
