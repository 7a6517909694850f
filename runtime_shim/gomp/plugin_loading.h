// Stands between libgomp and the loader where libgomp looks up the functions of an offload plugin.
//
// libgomp opens each plugin at the program's first question about devices, and asks dlsym for each function by name. It
// reaches dlsym through a slot of its own image, and the shim changes this one slot. So the shim sees every plugin,
// whatever its name and wherever its file is, and only libgomp's calls. Nothing is loaded for that.
#ifndef RUNTIME_SHIM_GOMP_PLUGIN_LOADING_H_
#define RUNTIME_SHIM_GOMP_PLUGIN_LOADING_H_

namespace gomp_ompt {

// `function` is any function of the libgomp. False if it has no such slot, or the slot cannot be written. Called while
// there is one thread, or again with the same argument.
bool WatchPluginLoading(const void* function);

// Called for each function GOMP_OFFLOAD_`name` that libgomp looks up in the plugin `handle`. libgomp gets the result in
// place of `found`. Defined in plugin_calls.cc, which knows the plugins.
void* ReplacePluginFunction(void* handle, const char* name, void* found);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_PLUGIN_LOADING_H_
