#include "runtime_shim/gomp/device_events.h"

#include <link.h>
#include <string.h>

#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/map_clauses.h"
#include "runtime_shim/gomp/plugin.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/entry_points.h"
#include "runtime_shim/ompt/loaded_object.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_initial_device, int());

bool IsHeard() { return IsToolActive() && IsKnown(this_thread) && this_thread.current != nullptr; }

// The interface's version of the plugin has the device's object and its trace.
ompt_device_t* ObjectOf(Plugin& plugin, int id) {
  return plugin.extra != nullptr ? plugin.extra->device(id) : &plugin.objects[id];
}
ompt_function_lookup_t LookupOf(const Plugin& plugin, int id) {
  return plugin.extra != nullptr ? plugin.extra->lookup(id) : nullptr;
}

int DeviceNum(const Plugin& plugin, int id) { return plugin.first_device + id; }

void StopTrace(Plugin& plugin, int id) {
  const ompt_function_lookup_t lookup = LookupOf(plugin, id);
  auto* stop = lookup != nullptr ? reinterpret_cast<ompt_stop_trace_t>(lookup("ompt_stop_trace")) : nullptr;
  if (stop != nullptr) stop(ObjectOf(plugin, id));
}

void StopAllTraces() {
  for (Plugin& plugin : plugins)
    for (int id = 0; id < plugin.devices && id < kMostDevices; id++)
      if (plugin.is_initialized[id].load(std::memory_order_acquire)) StopTrace(plugin, id);
}

// Tells the tool of a device, once. A tool in the child of a fork finds devices that are initialized already.
void Announce(Plugin& plugin, int id) {
  if (id >= kMostDevices || !plugin.is_initialized[id].load(std::memory_order_acquire)) return;
  const uint32_t epoch = ToolEpoch();
  if (plugin.announced[id].exchange(epoch) == epoch) return;
  auto* callback = OMPT_CALLBACK(device_initialize);
  if (callback == nullptr) return;
  const char* documentation = plugin.extra != nullptr ? plugin.extra->documentation : nullptr;
  const char* type = plugin.real.get_name != nullptr ? plugin.real.get_name() : "unknown";
  callback(DeviceNum(plugin, id), type, ObjectOf(plugin, id), LookupOf(plugin, id), documentation);
}

// An operation of a device, for its event.
struct DataOperation {
  ompt_target_data_op_t kind;
  const void* source;
  int source_device;
  const void* destination;
  int destination_device;
  size_t bytes;
};

void Report(ompt_scope_endpoint_t endpoint, Target* target, ompt_id_t* host_op_id, const DataOperation& operation) {
  const void* codeptr_ra = target != nullptr ? target->codeptr_ra : nullptr;
  void* source = const_cast<void*>(operation.source);
  void* destination = const_cast<void*>(operation.destination);
  if (auto* emi = OMPT_CALLBACK(target_data_op_emi)) {
    Task* task = target != nullptr ? target->task : nullptr;
    emi(endpoint, task != nullptr ? &task->data : nullptr, target != nullptr ? &target->data : nullptr, host_op_id,
        operation.kind, source, operation.source_device, destination, operation.destination_device, operation.bytes,
        codeptr_ra);
    return;
  }
  auto* callback = OMPT_CALLBACK(target_data_op);
  if (endpoint == ompt_scope_begin) {
    *host_op_id = GetUniqueId();
  } else if (callback != nullptr) {
    callback(target != nullptr ? target->data.value : 0, *host_op_id, operation.kind, source, operation.source_device,
             destination, operation.destination_device, operation.bytes, codeptr_ra);
  }
}

// Until the end of the scope, the plugin knows what the calling thread asks of it.
class Telling {
 public:
  Telling(const Plugin& plugin, const Target* target, ompt_id_t host_op_id) : extra_(plugin.extra) {
    if (extra_ == nullptr) return;
    operation_.host_op_id = host_op_id;
    operation_.host_device_num = REAL(omp_get_initial_device)();
    if (target != nullptr) {
      operation_.target_id = target->data.value;
      operation_.codeptr_ra = target->codeptr_ra;
      operation_.requested_num_teams = target->requested_num_teams;
    }
    extra_->set_operation(&operation_);
  }
  ~Telling() {
    if (extra_ != nullptr) extra_->set_operation(nullptr);
  }
  Telling(const Telling&) = delete;

 private:
  const GompDeviceInterface* const extra_;
  GompDeviceOperation operation_ = {};
};

// `call` executes the operation, and completes its description.
template <class Call>
auto Operate(Plugin& plugin, int id, DataOperation operation, Call call) {
  if (!IsHeard()) return call(operation);
  Announce(plugin, id);
  Thread& thread = this_thread;
  if (thread.operation != nullptr) {  // of a memory routine, which has reported itself
    const Telling telling(plugin, EnclosingTarget(thread.current), *thread.operation);
    return call(operation);
  }
  Target* target = WorkedFor();
  if (target != nullptr) BeginOperation(thread, target);
  ompt_id_t host_op_id = ompt_id_none;
  const InOperation in_operation(thread, &host_op_id);
  Report(ompt_scope_begin, target, &host_op_id, operation);
  const auto result = [&] {
    const Telling telling(plugin, target, host_op_id);
    return call(operation);
  }();
  Report(ompt_scope_end, target, &host_op_id, operation);
  if (target != nullptr)
    EndOperation(thread, target, operation.kind == ompt_target_data_delete ? operation.source : nullptr);
  return result;
}

// The file of the image, and the image's place in it.
struct ImageFile {
  const char* name;  // NULL: the image is in no file
  int64_t offset;
  void* address;  // in the file's own addresses
};

ImageFile FindImage(const void* image) {
  dl_find_object found;
  if (image == nullptr || !FindObject(image, &found)) return {nullptr, -1, nullptr};
  const link_map* object = found.dlfo_link_map;
  struct Search {
    const link_map* object;
    uintptr_t address;
    int64_t offset;
  } search = {object, reinterpret_cast<uintptr_t>(image) - object->l_addr, -1};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto& asked = *static_cast<Search*>(argument);
        if (info->dlpi_addr != asked.object->l_addr || strcmp(info->dlpi_name, asked.object->l_name) != 0) return 0;
        for (unsigned i = 0; i < info->dlpi_phnum; i++) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type == PT_LOAD && asked.address >= part.p_vaddr && asked.address < part.p_vaddr + part.p_filesz)
            asked.offset = static_cast<int64_t>(asked.address - part.p_vaddr + part.p_offset);
        }
        return 1;
      },
      &search);
  const bool is_program = object->l_name[0] == '\0';
  return {is_program ? "/proc/self/exe" : object->l_name, search.offset, reinterpret_cast<void*>(search.address)};
}

// libgomp loads an image at one address once into each device.
uint64_t ModuleId(const void* image) { return reinterpret_cast<uintptr_t>(image); }

}  // namespace

bool InitDevice(Plugin& plugin, int id) {
  if (plugin.extra != nullptr) plugin.extra->set_device_num(id, DeviceNum(plugin, id));
  if (!plugin.real.init_device(id)) return false;
  if (id >= kMostDevices) return true;
  runtime_queries.stop_devices.store(StopAllTraces, std::memory_order_relaxed);
  plugin.is_initialized[id].store(true, std::memory_order_release);
  if (IsToolActive()) Announce(plugin, id);
  return true;
}

bool FiniDevice(Plugin& plugin, int id) {
  if (id < kMostDevices && plugin.is_initialized[id].exchange(false) && IsToolActive() &&
      plugin.announced[id].load() == ToolEpoch()) {
    StopTrace(plugin, id);
    if (auto* callback = OMPT_CALLBACK(device_finalize)) callback(DeviceNum(plugin, id));
  }
  return plugin.real.fini_device(id);
}

int LoadImage(Plugin& plugin, int id, unsigned version, const void* image, void* addresses, void* more, void* most) {
  const int result = plugin.real.load_image(id, version, image, addresses, more, most);
  if (result < 0 || !IsToolActive()) return result;
  Announce(plugin, id);
  if (auto* callback = OMPT_CALLBACK(device_load)) {
    const ImageFile file = FindImage(image);
    void* const unknown = reinterpret_cast<void*>(ompt_addr_none);
    callback(DeviceNum(plugin, id), file.name, file.offset, file.address, /*bytes=*/0, const_cast<void*>(image),
             unknown, ModuleId(image));
  }
  return result;
}

bool UnloadImage(Plugin& plugin, int id, unsigned version, const void* image) {
  auto* callback = IsToolActive() ? OMPT_CALLBACK(device_unload) : nullptr;
  if (callback != nullptr) callback(DeviceNum(plugin, id), ModuleId(image));
  return plugin.real.unload_image(id, version, image);
}

void* AllocOnDevice(Plugin& plugin, int id, size_t bytes) {
  const int device = DeviceNum(plugin, id);
  const DataOperation operation = {ompt_target_data_alloc,  nullptr, REAL(omp_get_initial_device)(),
                                   /*destination=*/nullptr, device,  bytes};
  void* memory = Operate(plugin, id, operation, [&](DataOperation& done) {
    void* result = plugin.real.alloc(id, bytes);
    done.destination = result;
    return result;
  });
  if (IsHeard() && this_thread.operation == nullptr)
    if (Target* target = WorkedFor(); target != nullptr && !target->is_launched) target->block = memory;
  return memory;
}

bool FreeOnDevice(Plugin& plugin, int id, void* memory) {
  const DataOperation operation = {ompt_target_data_delete,        memory, DeviceNum(plugin, id), nullptr,
                                   REAL(omp_get_initial_device)(), 0};
  return Operate(plugin, id, operation, [&](DataOperation&) { return plugin.real.free(id, memory); });
}

bool CopyOnDevice(Plugin& plugin, int id, Direction direction, void* to, const void* from, size_t bytes) {
  const int device = DeviceNum(plugin, id), host = REAL(omp_get_initial_device)();
  const PluginFunctions& real = plugin.real;
  switch (direction) {
    case Direction::kHostToDevice:
      return Operate(plugin, id, {ompt_target_data_transfer_to_device, from, host, to, device, bytes},
                     [&](DataOperation&) { return real.host2dev(id, to, from, bytes); });
    case Direction::kDeviceToHost:
      return Operate(plugin, id, {ompt_target_data_transfer_from_device, from, device, to, host, bytes},
                     [&](DataOperation&) { return real.dev2host(id, to, from, bytes); });
    default:
      return Operate(plugin, id, {ompt_target_data_transfer_to_device, from, device, to, device, bytes},
                     [&](DataOperation&) { return real.dev2dev(id, to, from, bytes); });
  }
}

// A transfer without a source, as omp_target_memset is (memory_operation.h).
bool FillOnDevice(Plugin& plugin, int id, void* memory, int value, size_t bytes) {
  const DataOperation operation = {ompt_target_data_transfer_to_device,
                                   /*source=*/nullptr,
                                   REAL(omp_get_initial_device)(),
                                   memory,
                                   DeviceNum(plugin, id),
                                   bytes};
  return Operate(plugin, id, operation, [&](DataOperation&) { return plugin.real.memset(id, memory, value, bytes); });
}

void RunOnDevice(Plugin& plugin, int id, void* kernel, void* variables, void** arguments) {
  Target* target = IsHeard() ? WorkedFor() : nullptr;
  if (target == nullptr) return plugin.real.run(id, kernel, variables, arguments);
  Announce(plugin, id);
  Thread& thread = this_thread;
  const uint32_t epoch = ToolEpoch();
  BeginOperation(thread, target);
  ReportMaps(target);
  ReportSubmit(target, ompt_scope_begin);
  {
    const InOperation in_operation(thread, &target->host_op_id);
    const Telling telling(plugin, target, target->host_op_id);
    plugin.real.run(id, kernel, variables, arguments);
  }
  if (ToolEpoch() == epoch) ReportSubmit(target, ompt_scope_end);
}

void LaunchOnDevice(Plugin& plugin, int id, void* kernel, void* variables, void** arguments, void* task) {
  Target* target = IsHeard() ? WorkedFor() : nullptr;
  if (target == nullptr) return plugin.real.async_run(id, kernel, variables, arguments, task);
  Announce(plugin, id);
  Thread& thread = this_thread;
  BeginOperation(thread, target);
  ReportMaps(target);
  ReportSubmit(target, ompt_scope_begin);
  target->is_launched = true;
  {
    const InOperation in_operation(thread, &target->host_op_id);
    const Telling telling(plugin, target, target->host_op_id);
    plugin.real.async_run(id, kernel, variables, arguments, task);
  }
  ReportSubmit(target, ompt_scope_end);
  LeaveLaunched(thread, target);
}

}  // namespace gomp_ompt
