// The offload plugins that libgomp has loaded, and their devices. libgomp calls the shim's functions in place of each
// plugin's own (plugin_calls.cc). These report the events of device_events.h and call the plugin.
#ifndef RUNTIME_SHIM_GOMP_PLUGIN_H_
#define RUNTIME_SHIM_GOMP_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "runtime_shim/device/plugin_interface.h"

namespace gomp_ompt {

// Debian's libgomp 12 has two plugins, for NVIDIA's and for AMD's devices.
inline constexpr int kMostPlugins = 4;
inline constexpr int kMostDevices = 64;  // of a plugin; further ones are not reported

// Capabilities (gcc's libgomp-plugin.h).
inline constexpr unsigned kNativeExecution = 1u << 1;
inline constexpr unsigned kOpenMpDevice = 1u << 2;

// libgomp's interface of versions 1 to 3. In later ones, get_num_devices and load_image have more arguments: all of
// them fit into registers and are passed on.
struct PluginFunctions {
  const char* (*get_name)();
  unsigned (*get_caps)();
  int (*get_num_devices)(unsigned);
  bool (*init_device)(int);
  bool (*fini_device)(int);
  int (*load_image)(int, unsigned, const void*, void*, void*, void*);
  bool (*unload_image)(int, unsigned, const void*);
  void* (*alloc)(int, size_t);
  bool (*free)(int, void*);
  bool (*host2dev)(int, void*, const void*, size_t);
  bool (*dev2host)(int, void*, const void*, size_t);
  bool (*dev2dev)(int, void*, const void*, size_t);
  bool (*memset)(int, void*, int, size_t);  // since libgomp 16
  void (*run)(int, void*, void*, void**);
  void (*async_run)(int, void*, void*, void**, void*);
};

struct Plugin {
  void* handle;   // NULL: a free entry
  bool is_known;  // its interface has a version that the shim knows
  PluginFunctions real;
  const GompDeviceInterface* extra;  // NULL: the plugin offers no more than libgomp wants
  unsigned capabilities;
  int first_device;  // OpenMP's number of its first device
  int devices;
  std::atomic<bool> is_initialized[kMostDevices];
  std::atomic<uint32_t> announced[kMostDevices];  // the epoch of the tool that has heard of the device
  char objects[kMostDevices];                     // their addresses are the devices' for OMPT where there is no `extra`
};

// Filled from the front. libgomp loads plugins under a lock, before it uses them.
extern Plugin plugins[kMostPlugins];

// Whether the shim sees what libgomp asks of this device.
bool IsWatched(int device_num);

// Whether the device executes the host's own functions. libgomp then never runs a region on the host instead.
bool RunsHostCode(int device_num);

// Whether a deferred target task can leave its thread while the device works. Without that, libgomp ignores nowait.
bool RunsAsynchronously(int device_num);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_PLUGIN_H_
