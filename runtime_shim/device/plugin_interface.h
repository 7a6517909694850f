// What a plugin offers beyond libgomp's own interface, so that the shim can name its devices and give tools their
// traces. A plugin exports `gomp_device_interface` of this type. Plugins without it work too: their devices do not
// trace. Both sides include this header: the reference device, and gomp/device_calls.cc.
#ifndef RUNTIME_SHIM_DEVICE_PLUGIN_INTERFACE_H_
#define RUNTIME_SHIM_DEVICE_PLUGIN_INTERFACE_H_

#include <omp-tools.h>
#include <stddef.h>

extern "C" {

// The host's side of an operation that a thread is about to give to the device. Records of the operation carry it.
struct GompDeviceOperation {
  ompt_id_t target_id;
  ompt_id_t host_op_id;
  const void* codeptr_ra;
  unsigned requested_num_teams;
  int host_device_num;  // omp_get_initial_device()
};

struct GompDeviceInterface {
  size_t size;  // sizeof(GompDeviceInterface); a later version appends members
  const char* documentation;
  // The device's object for OMPT.
  ompt_device_t* (*device)(int target_id);
  // The tracing entry points of OMPT by name; NULL if the device does not trace.
  ompt_function_lookup_t (*lookup)(int target_id);
  // Says which number OpenMP gives to the device. Called before the device is initialized.
  void (*set_device_num)(int target_id, int device_num);
  // Says what the calling thread's next operations are, until the next call. NULL: unknown. The object must live until
  // then. A plugin copies it for an operation that runs later.
  void (*set_operation)(const GompDeviceOperation* operation);
  // Whether the calling thread runs a kernel: its OpenMP belongs to the device, not to the host.
  int (*is_device_thread)(void);
};

}  // extern "C"

#endif  // RUNTIME_SHIM_DEVICE_PLUGIN_INTERFACE_H_
