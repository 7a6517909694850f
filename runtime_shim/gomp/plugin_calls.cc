// libgomp calls the shim's functions in place of each plugin's own. They report events, and call the plugin.
#include <dlfcn.h>
#include <string.h>

#include "runtime_shim/gomp/device_events.h"
#include "runtime_shim/gomp/plugin.h"
#include "runtime_shim/gomp/plugin_loading.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {
namespace {

constexpr unsigned kLatestVersion = 3;  // of GCC 14 to 16; GCC 12 has 1

int DevicesBefore(const Plugin& plugin) {
  int count = 0;
  for (const Plugin* other = plugins; other != &plugin; other++) count += other->devices;
  return count;
}

// libgomp numbers the devices in the order in which it loads the plugins. It asks a plugin once, behind its loading.
int CountDevices(Plugin& plugin, unsigned requirements) {
  const int count = plugin.real.get_num_devices(requirements);
  plugin.first_device = DevicesBefore(plugin);
  plugin.devices = count > 0 && (plugin.capabilities & kOpenMpDevice) != 0 ? count : 0;
  known_devices.store(plugin.first_device + plugin.devices, std::memory_order_relaxed);
  return count;
}

unsigned Capabilities(Plugin& plugin) { return plugin.capabilities = plugin.real.get_caps(); }

// What libgomp calls for the plugin plugins[kIndex]. A libgomp function has no argument that names the plugin.
template <int kIndex>
struct Calls {
  static Plugin& Called() { return plugins[kIndex]; }

  static unsigned GetCaps() { return Capabilities(Called()); }
  static int GetNumDevices(unsigned requirements) { return CountDevices(Called(), requirements); }
  static bool Init(int id) { return InitDevice(Called(), id); }
  static bool Fini(int id) { return FiniDevice(Called(), id); }
  static int Load(int id, unsigned version, const void* image, void* addresses, void* more, void* most) {
    return LoadImage(Called(), id, version, image, addresses, more, most);
  }
  static bool Unload(int id, unsigned version, const void* image) { return UnloadImage(Called(), id, version, image); }
  static void* Alloc(int id, size_t bytes) { return AllocOnDevice(Called(), id, bytes); }
  static bool Free(int id, void* memory) { return FreeOnDevice(Called(), id, memory); }
  static bool HostToDevice(int id, void* to, const void* from, size_t bytes) {
    return CopyOnDevice(Called(), id, Direction::kHostToDevice, to, from, bytes);
  }
  static bool DeviceToHost(int id, void* to, const void* from, size_t bytes) {
    return CopyOnDevice(Called(), id, Direction::kDeviceToHost, to, from, bytes);
  }
  static bool DeviceToDevice(int id, void* to, const void* from, size_t bytes) {
    return CopyOnDevice(Called(), id, Direction::kDeviceToDevice, to, from, bytes);
  }
  static bool Fill(int id, void* memory, int value, size_t bytes) {
    return FillOnDevice(Called(), id, memory, value, bytes);
  }
  static void Run(int id, void* kernel, void* variables, void** arguments) {
    RunOnDevice(Called(), id, kernel, variables, arguments);
  }
  static void AsyncRun(int id, void* kernel, void* variables, void** arguments, void* task) {
    LaunchOnDevice(Called(), id, kernel, variables, arguments, task);
  }
};

// Keeps the plugin's function, and gives the shim's instead.
template <class Function>
void* Keep(Function*& real, void* found, Function* ours) {
  real = reinterpret_cast<Function*>(found);
  return reinterpret_cast<void*>(ours);
}

template <int kIndex>
void* Replace(const char* name, void* found) {
  using Ours = Calls<kIndex>;
  PluginFunctions& real = plugins[kIndex].real;
  if (strcmp(name, "get_caps") == 0) return Keep(real.get_caps, found, &Ours::GetCaps);
  if (strcmp(name, "get_num_devices") == 0) return Keep(real.get_num_devices, found, &Ours::GetNumDevices);
  if (strcmp(name, "init_device") == 0) return Keep(real.init_device, found, &Ours::Init);
  if (strcmp(name, "fini_device") == 0) return Keep(real.fini_device, found, &Ours::Fini);
  if (strcmp(name, "load_image") == 0) return Keep(real.load_image, found, &Ours::Load);
  if (strcmp(name, "unload_image") == 0) return Keep(real.unload_image, found, &Ours::Unload);
  if (strcmp(name, "alloc") == 0) return Keep(real.alloc, found, &Ours::Alloc);
  if (strcmp(name, "free") == 0) return Keep(real.free, found, &Ours::Free);
  if (strcmp(name, "host2dev") == 0) return Keep(real.host2dev, found, &Ours::HostToDevice);
  if (strcmp(name, "dev2host") == 0) return Keep(real.dev2host, found, &Ours::DeviceToHost);
  if (strcmp(name, "dev2dev") == 0) return Keep(real.dev2dev, found, &Ours::DeviceToDevice);
  if (strcmp(name, "memset") == 0) return Keep(real.memset, found, &Ours::Fill);
  if (strcmp(name, "run") == 0) return Keep(real.run, found, &Ours::Run);
  if (strcmp(name, "async_run") == 0) return Keep(real.async_run, found, &Ours::AsyncRun);
  if (strcmp(name, "get_name") == 0) real.get_name = reinterpret_cast<const char* (*)()>(found);
  return found;
}

// The plugin's entry; `kMostPlugins` if there is none.
int IndexOf(void* handle) {
  int index = 0;
  while (index < kMostPlugins && plugins[index].handle != handle && plugins[index].handle != nullptr) index++;
  return index;
}

bool IsDeviceThread() {
  for (const Plugin& plugin : plugins)
    if (plugin.extra != nullptr && plugin.extra->is_device_thread() != 0) return true;
  return false;
}

// libgomp asks for the version first.
void Meet(Plugin& plugin, void* handle, void* version) {
  plugin.handle = handle;
  const unsigned wanted = reinterpret_cast<unsigned (*)()>(version)();
  plugin.is_known = wanted >= 1 && wanted <= kLatestVersion;
  plugin.extra = static_cast<const GompDeviceInterface*>(dlsym(handle, "gomp_device_interface"));
  if (plugin.extra != nullptr && plugin.extra->size < sizeof(GompDeviceInterface)) plugin.extra = nullptr;
  dlerror();  // libgomp reads the message of its own calls
  if (plugin.extra != nullptr) runtime_queries.is_device_thread.store(IsDeviceThread, std::memory_order_release);
}

}  // namespace

void* ReplacePluginFunction(void* handle, const char* name, void* found) {
  const int index = IndexOf(handle);
  if (index == kMostPlugins) return found;
  if (strcmp(name, "version") == 0) Meet(plugins[index], handle, found);
  if (!plugins[index].is_known) return found;
  static_assert(kMostPlugins == 4, "a case for each");
  switch (index) {
    case 0:
      return Replace<0>(name, found);
    case 1:
      return Replace<1>(name, found);
    case 2:
      return Replace<2>(name, found);
    default:
      return Replace<3>(name, found);
  }
}

}  // namespace gomp_ompt
