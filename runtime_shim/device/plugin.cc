// The functions that libgomp wants of an offload plugin, of interface versions 1 to 3. It finds each by its name.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime_shim/device/device.h"
#include "runtime_shim/device/log.h"
#include "runtime_shim/device/options.h"
#include "runtime_shim/device/plugin_interface.h"
#include "runtime_shim/device/trace_entry_points.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace reference_device {
namespace {

// Capabilities. libgomp gives a device with native execution the host's own function to run. Without it, libgomp 12
// looks for device code, finds none, and hangs at the next wait after a nowait region.
constexpr unsigned kNativeExecution = 1u << 1;
constexpr unsigned kOpenMp = 1u << 2;

// Of Intel's MIC, for which Debian's gcc makes no code: a program's device code is never offered to this device.
constexpr int kDeviceType = 6;

struct AddressPair {
  uintptr_t begin;
  uintptr_t end;
};

// What load_image takes for device code, for tests of loading: the addresses of the functions and variables.
struct Image {
  size_t count;
  AddressPair addresses[];
};

using Completion = void(void* task);

// A function of libgomp. It may have been loaded by a dlopen, outside the global scope.
void* FindInLibgomp(const char* name, const char* version) {
  void* symbol = dlvsym(RTLD_DEFAULT, name, version);
  if (symbol != nullptr) return symbol;
  void* libgomp = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);  // never closed
  return libgomp != nullptr ? dlvsym(libgomp, name, version) : nullptr;
}

// The version of the interface that the process's libgomp wants: it takes no plugin of another, and tells none which.
// libgomp 13 has version 2, and libgomp 14 to 16 have version 3. These pass load_image further places for addresses,
// for functions that device code calls on the host and by pointers. Code for this device has none. The shim has neither
// of the names here, so libgomp answers.
unsigned InterfaceVersion() {
  if (FindInLibgomp("GOMP_target_map_indirect_ptr", "GOMP_5.1.2") != nullptr) return 3;
  return FindInLibgomp("GOMP_PLUGIN_target_rev", "GOMP_PLUGIN_1.4") != nullptr ? 2 : 1;
}

// libgomp tells a plugin's thread by this name where to say that an asynchronous kernel is done.
Completion* FindCompletion() {
  static Completion* found = nullptr;
  Completion* known = __atomic_load_n(&found, __ATOMIC_RELAXED);
  if (known != nullptr) return known;
  known = reinterpret_cast<Completion*>(FindInLibgomp("GOMP_PLUGIN_target_task_completion", "GOMP_PLUGIN_1.1"));
  __atomic_store_n(&found, known, __ATOMIC_RELAXED);
  return known;
}

void ForgetAfterFork() {
  for (int i = 0; i < GetOptions().devices; i++) FindDevice(i)->ForgetAfterFork();
}

ompt_device_t* DeviceObject(int target_id) { return FindDevice(target_id); }

ompt_function_lookup_t Lookup(int) {
  return GetOptions().traces_ompt || GetOptions().traces_native ? LookUpTraceEntryPoint : nullptr;
}

void SetDeviceNum(int target_id, int device_num) {
  if (Device* device = FindDevice(target_id)) device->SetDeviceNum(device_num);
}

int IsDeviceThread() { return DeviceHere() != nullptr ? 1 : 0; }

}  // namespace

EXPORTED unsigned GOMP_OFFLOAD_version() { return InterfaceVersion(); }
EXPORTED const char* GOMP_OFFLOAD_get_name() { return "reference"; }
EXPORTED unsigned GOMP_OFFLOAD_get_caps() { return kNativeExecution | kOpenMp; }
EXPORTED int GOMP_OFFLOAD_get_type() { return kDeviceType; }
EXPORTED int GOMP_OFFLOAD_get_num_devices() { return GetOptions().devices; }

EXPORTED bool GOMP_OFFLOAD_init_device(int target_id) {
  static bool watches_forks = false;
  if (!__atomic_exchange_n(&watches_forks, true, __ATOMIC_RELAXED)) pthread_atfork(nullptr, nullptr, ForgetAfterFork);
  return FindDevice(target_id) != nullptr;
}

EXPORTED bool GOMP_OFFLOAD_fini_device(int target_id) {
  Device* device = FindDevice(target_id);
  if (device == nullptr) return false;
  device->Finalize();
  LogEnd(target_id, device->trace().lost());
  return true;
}

EXPORTED int GOMP_OFFLOAD_load_image(int, unsigned, const void* data, AddressPair** addresses) {
  const auto* image = static_cast<const Image*>(data);
  const size_t count = image != nullptr ? image->count : 0;
  *addresses = static_cast<AddressPair*>(malloc((count + 1) * sizeof(AddressPair)));  // libgomp frees it
  if (*addresses == nullptr) return -1;
  for (size_t i = 0; i < count; i++) (*addresses)[i] = image->addresses[i];
  // One more, which libgomp 16 insists on, for the control variables that an image may have. This image has none.
  (*addresses)[count] = {0, 0};
  return static_cast<int>(count + 1);
}

EXPORTED bool GOMP_OFFLOAD_unload_image(int, unsigned, const void*) { return true; }

EXPORTED void* GOMP_OFFLOAD_alloc(int target_id, size_t bytes) { return FindDevice(target_id)->Alloc(bytes); }

EXPORTED bool GOMP_OFFLOAD_free(int target_id, void* memory) {
  FindDevice(target_id)->Free(memory);
  return true;
}

EXPORTED bool GOMP_OFFLOAD_host2dev(int target_id, void* destination, const void* source, size_t bytes) {
  FindDevice(target_id)->Copy(NativeKind::kCopyToDevice, destination, source, bytes);
  return true;
}

EXPORTED bool GOMP_OFFLOAD_dev2host(int target_id, void* destination, const void* source, size_t bytes) {
  FindDevice(target_id)->Copy(NativeKind::kCopyFromDevice, destination, source, bytes);
  return true;
}

EXPORTED bool GOMP_OFFLOAD_dev2dev(int target_id, void* destination, const void* source, size_t bytes) {
  FindDevice(target_id)->Copy(NativeKind::kCopyOnDevice, destination, source, bytes);
  return true;
}

// Since libgomp 16, which takes no device without it.
EXPORTED bool GOMP_OFFLOAD_memset(int target_id, void* memory, int value, size_t bytes) {
  FindDevice(target_id)->Fill(memory, value, bytes);
  return true;
}

EXPORTED bool GOMP_OFFLOAD_can_run(void*) { return true; }

EXPORTED void GOMP_OFFLOAD_run(int target_id, void* kernel, void* variables, void**) {
  FindDevice(target_id)->Run(reinterpret_cast<Kernel*>(kernel), variables);
}

EXPORTED void GOMP_OFFLOAD_async_run(int target_id, void* kernel, void* variables, void**, void* task) {
  Completion* completion = FindCompletion();
  if (completion == nullptr) abort();  // libgomp called, so it has the name
  FindDevice(target_id)->Launch(reinterpret_cast<Kernel*>(kernel), variables, completion, task);
}

EXPORTED const GompDeviceInterface gomp_device_interface;
const GompDeviceInterface gomp_device_interface = {
    sizeof(GompDeviceInterface),
    "libgomp_reference_device: runtime_shim/device/README.md has its options and its native records",
    DeviceObject,
    Lookup,
    SetDeviceNum,
    SetOperation,
    IsDeviceThread,
};

// libgomp's own answers are those of the host, for every caller.

EXPORTED int omp_is_initial_device() { return DeviceHere() == nullptr ? 1 : 0; }
EXPORTED int omp_is_initial_device_() { return omp_is_initial_device(); }

}  // namespace reference_device
