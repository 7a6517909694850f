#include "runtime_shim/gomp/plugin.h"

namespace gomp_ompt {

Plugin plugins[kMostPlugins];

namespace {

// The plugin of a device; NULL for the host, and for a device that the shim does not watch.
const Plugin* FindPlugin(int device_num) {
  for (const Plugin& plugin : plugins)
    if (device_num >= plugin.first_device && device_num < plugin.first_device + plugin.devices) return &plugin;
  return nullptr;
}

}  // namespace

bool IsWatched(int device_num) { return FindPlugin(device_num) != nullptr; }

bool RunsHostCode(int device_num) {
  const Plugin* plugin = FindPlugin(device_num);
  return plugin != nullptr && (plugin->capabilities & kNativeExecution) != 0;
}

bool RunsAsynchronously(int device_num) {
  const Plugin* plugin = FindPlugin(device_num);
  return plugin != nullptr && plugin->real.async_run != nullptr;
}

}  // namespace gomp_ompt
