// What libgomp asks of a device, with the events that it causes: device_initialize, _finalize, _load and _unload,
// target_data_op, target_submit. plugin_calls.cc calls these in place of the plugin's functions. libgomp holds the
// device's lock in all of them except RunOnDevice and LaunchOnDevice.
#ifndef RUNTIME_SHIM_GOMP_DEVICE_EVENTS_H_
#define RUNTIME_SHIM_GOMP_DEVICE_EVENTS_H_

#include <stddef.h>

namespace gomp_ompt {

struct Plugin;

enum class Direction { kHostToDevice, kDeviceToHost, kDeviceToDevice };

// `id` is the plugin's own number of the device.
bool InitDevice(Plugin& plugin, int id);
bool FiniDevice(Plugin& plugin, int id);
int LoadImage(Plugin& plugin, int id, unsigned version, const void* image, void* addresses, void* more, void* most);
bool UnloadImage(Plugin& plugin, int id, unsigned version, const void* image);
void* AllocOnDevice(Plugin& plugin, int id, size_t bytes);
bool FreeOnDevice(Plugin& plugin, int id, void* memory);
bool CopyOnDevice(Plugin& plugin, int id, Direction direction, void* to, const void* from, size_t bytes);
bool FillOnDevice(Plugin& plugin, int id, void* memory, int value, size_t bytes);
void RunOnDevice(Plugin& plugin, int id, void* kernel, void* variables, void** arguments);
void LaunchOnDevice(Plugin& plugin, int id, void* kernel, void* variables, void** arguments, void* task);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_DEVICE_EVENTS_H_
