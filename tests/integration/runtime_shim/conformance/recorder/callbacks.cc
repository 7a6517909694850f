// Every callback of omp-tools.h. An event that begins something puts an id into the tool's data word. `dirty` is
// recorded where that word was not 0 before.
#include <stdlib.h>
#include <string.h>
#include <atomic>

#include "record.h"

namespace recorder {
namespace {

std::atomic<uint64_t> task_count{0}, parallel_count{0}, target_count{0}, operation_count{0};

const Kind kDirty = {"dirty", {{"word", Form::kText}, {"value", Form::kAddress}}};

void Begin(ompt_data_t* data, std::atomic<uint64_t>& count, const char* word) {
  if (data == nullptr) return;
  if (data->value != 0) Note(&kDirty, Address(word), data->value);
  data->value = count.fetch_add(1) + 1;
}

const Kind kThreadBegin = {"thread_begin", {{"type", Form::kThreadKind}}};
void OnThreadBegin(ompt_thread_t type, ompt_data_t* data) {
  if (data->value != 0) Note(&kDirty, Address("thread_data"), data->value);
  data->value = Log()->number;
  Note(&kThreadBegin, type);
}

const Kind kThreadEnd = {"thread_end", {{"data", Form::kThread}}};
void OnThreadEnd(ompt_data_t* data) { Note(&kThreadEnd, Id(data)); }

const Kind kParallelBegin = {"parallel_begin",
                             {{"task", Form::kTask},
                              {"frame_exit", Form::kAddress},
                              {"frame_exit_flags", Form::kFrameFlags},
                              {"frame_enter", Form::kAddress},
                              {"frame_enter_flags", Form::kFrameFlags},
                              {"parallel", Form::kParallel},
                              {"requested", Form::kNumber},
                              {"flags", Form::kParallelFlags},
                              {"codeptr", Form::kCode}}};
void OnParallelBegin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested, int flags,
                     const void* codeptr) {
  Begin(parallel, parallel_count, "parallel_data");
  const ompt_frame_t none = {};
  if (frame == nullptr) frame = &none;
  Note(&kParallelBegin, Id(task), frame->exit_frame.value, frame->exit_frame_flags, frame->enter_frame.value,
       frame->enter_frame_flags, Id(parallel), requested, flags, Address(codeptr));
}

const Kind kParallelEnd = {
    "parallel_end",
    {{"parallel", Form::kParallel}, {"task", Form::kTask}, {"flags", Form::kParallelFlags}, {"codeptr", Form::kCode}}};
void OnParallelEnd(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* codeptr) {
  Note(&kParallelEnd, Id(parallel), Id(task), flags, Address(codeptr));
}

const Kind kTaskCreate = {"task_create",
                          {{"task", Form::kTask},
                           {"frame_exit", Form::kAddress},
                           {"frame_exit_flags", Form::kFrameFlags},
                           {"frame_enter", Form::kAddress},
                           {"frame_enter_flags", Form::kFrameFlags},
                           {"new_task", Form::kTask},
                           {"flags", Form::kTaskFlags},
                           {"has_dependences", Form::kNumber},
                           {"codeptr", Form::kCode}}};
void OnTaskCreate(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* created, int flags, int dependences,
                  const void* codeptr) {
  Begin(created, task_count, "task_data");
  const ompt_frame_t none = {};
  if (frame == nullptr) frame = &none;
  Note(&kTaskCreate, Id(task), frame->exit_frame.value, frame->exit_frame_flags, frame->enter_frame.value,
       frame->enter_frame_flags, Id(created), flags, dependences, Address(codeptr));
}

const Kind kTaskSchedule = {"task_schedule",
                            {{"prior", Form::kTask}, {"status", Form::kTaskStatus}, {"next", Form::kTask}}};
void OnTaskSchedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  Note(&kTaskSchedule, Id(prior), status, Id(next));
}

const Kind kImplicitTask = {"implicit_task",
                            {{"endpoint", Form::kEndpoint},
                             {"parallel", Form::kParallel},
                             {"task", Form::kTask},
                             {"team_size", Form::kNumber},
                             {"index", Form::kNumber},
                             {"flags", Form::kTaskFlags}}};
void OnImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned team_size,
                    unsigned index, int flags) {
  if (endpoint == ompt_scope_begin) {
    // The region around an initial task has no parallel_begin.
    if ((flags & ompt_task_initial) != 0 && parallel != nullptr && parallel->value == 0)
      parallel->value = parallel_count.fetch_add(1) + 1;
    Begin(task, task_count, "task_data");
  }
  Note(&kImplicitTask, endpoint, Id(parallel), Id(task), team_size, index, flags);
}

const Kind kSyncRegion = {"sync_region",
                          {{"kind", Form::kSync},
                           {"endpoint", Form::kEndpoint},
                           {"parallel", Form::kParallel},
                           {"task", Form::kTask},
                           {"codeptr", Form::kCode}}};
Kind Renamed(Kind kind, const char* name) {
  kind.name = name;
  return kind;
}
const Kind kSyncRegionWait = Renamed(kSyncRegion, "sync_region_wait"), kReduction = Renamed(kSyncRegion, "reduction");
template <const Kind& kKind>
void OnSyncRegion(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                  const void* codeptr) {
  Note(&kKind, kind, endpoint, Id(parallel), Id(task), Address(codeptr));
}

const Kind kMutexAcquire = {"mutex_acquire",
                            {{"kind", Form::kMutex},
                             {"hint", Form::kNumber},
                             {"impl", Form::kNumber},
                             {"wait_id", Form::kAddress},
                             {"codeptr", Form::kCode}}};
const Kind kLockInit = Renamed(kMutexAcquire, "lock_init");
template <const Kind& kKind>
void OnMutexAcquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id, const void* codeptr) {
  Note(&kKind, kind, hint, impl, wait_id, Address(codeptr));
}

const Kind kMutexAcquired = {"mutex_acquired",
                             {{"kind", Form::kMutex}, {"wait_id", Form::kAddress}, {"codeptr", Form::kCode}}};
const Kind kMutexReleased = Renamed(kMutexAcquired, "mutex_released"),
           kLockDestroy = Renamed(kMutexAcquired, "lock_destroy");
template <const Kind& kKind>
void OnMutex(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr) {
  Note(&kKind, kind, wait_id, Address(codeptr));
}

const Kind kNestLock = {"nest_lock",
                        {{"endpoint", Form::kEndpoint}, {"wait_id", Form::kAddress}, {"codeptr", Form::kCode}}};
void OnNestLock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void* codeptr) {
  Note(&kNestLock, endpoint, wait_id, Address(codeptr));
}

const Kind kWork = {"work",
                    {{"work", Form::kWork},
                     {"endpoint", Form::kEndpoint},
                     {"parallel", Form::kParallel},
                     {"task", Form::kTask},
                     {"count", Form::kNumber},
                     {"codeptr", Form::kCode}}};
void OnWork(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, uint64_t count,
            const void* codeptr) {
  Note(&kWork, work, endpoint, Id(parallel), Id(task), count, Address(codeptr));
}

const Kind kDispatch = {
    "dispatch",
    {{"parallel", Form::kParallel}, {"task", Form::kTask}, {"kind", Form::kDispatch}, {"instance", Form::kSigned}}};
const Kind kDispatchSection = {
    "dispatch",
    {{"parallel", Form::kParallel}, {"task", Form::kTask}, {"kind", Form::kDispatch}, {"instance", Form::kCode}}};
void OnDispatch(ompt_data_t* parallel, ompt_data_t* task, ompt_dispatch_t kind, ompt_data_t instance) {
  Note(kind == ompt_dispatch_section ? &kDispatchSection : &kDispatch, Id(parallel), Id(task), kind, instance.value);
}

const Kind kMasked = {
    "masked",
    {{"endpoint", Form::kEndpoint}, {"parallel", Form::kParallel}, {"task", Form::kTask}, {"codeptr", Form::kCode}}};
void OnMasked(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, const void* codeptr) {
  Note(&kMasked, endpoint, Id(parallel), Id(task), Address(codeptr));
}

const Kind kFlush = {"flush", {{"data", Form::kThread}, {"codeptr", Form::kCode}}};
void OnFlush(ompt_data_t* data, const void* codeptr) { Note(&kFlush, Id(data), Address(codeptr)); }

const Kind kCancel = {"cancel", {{"task", Form::kTask}, {"flags", Form::kCancelFlags}, {"codeptr", Form::kCode}}};
void OnCancel(ompt_data_t* task, int flags, const void* codeptr) { Note(&kCancel, Id(task), flags, Address(codeptr)); }

const Kind kDependences = {"dependences", {{"task", Form::kTask}, {"count", Form::kNumber}}};
const Kind kDependence = {"dependence",
                          {{"task", Form::kTask}, {"variable", Form::kAddress}, {"type", Form::kDependence}}};
void OnDependences(ompt_data_t* task, const ompt_dependence_t* dependences, int count) {
  Note(&kDependences, Id(task), count);
  for (int i = 0; i < count; i++)
    Note(&kDependence, Id(task), dependences[i].variable.value, dependences[i].dependence_type);
}

const Kind kTaskDependence = {"task_dependence", {{"source", Form::kTask}, {"sink", Form::kTask}}};
void OnTaskDependence(ompt_data_t* source, ompt_data_t* sink) { Note(&kTaskDependence, Id(source), Id(sink)); }

const Kind kControlTool = {
    "control_tool",
    {{"command", Form::kNumber}, {"modifier", Form::kNumber}, {"argument", Form::kAddress}, {"codeptr", Form::kCode}}};
int OnControlTool(uint64_t command, uint64_t modifier, void* argument, const void* codeptr) {
  Note(&kControlTool, command, modifier, Address(argument), Address(codeptr));
  return static_cast<int>(modifier);  // the program sees that the answer comes from the tool
}

const Kind kError = {
    "error",
    {{"severity", Form::kSeverity}, {"message", Form::kText}, {"length", Form::kNumber}, {"codeptr", Form::kCode}}};
void OnError(ompt_severity_t severity, const char* message, size_t length, const void* codeptr) {
  Note(&kError, severity, Address(message != nullptr ? strndup(message, length) : nullptr), length, Address(codeptr));
}

const Kind kTarget = {"target",
                      {{"kind", Form::kTarget},
                       {"endpoint", Form::kEndpoint},
                       {"device", Form::kSigned},
                       {"task", Form::kTask},
                       {"target", Form::kNumber},
                       {"codeptr", Form::kCode}}};
void OnTarget(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task, ompt_id_t target,
              const void* codeptr) {
  Note(&kTarget, kind, endpoint, device, Id(task), target, Address(codeptr));
}

const Kind kTargetEmi = {"target_emi",
                         {{"kind", Form::kTarget},
                          {"endpoint", Form::kEndpoint},
                          {"device", Form::kSigned},
                          {"task", Form::kTask},
                          {"target_task", Form::kTask},
                          {"target", Form::kTask},
                          {"codeptr", Form::kCode}}};
void OnTargetEmi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task,
                 ompt_data_t* target_task, ompt_data_t* target, const void* codeptr) {
  if (endpoint == ompt_scope_begin) Begin(target, target_count, "target_data");
  Note(&kTargetEmi, kind, endpoint, device, Id(task), Id(target_task), Id(target), Address(codeptr));
}

const Kind kTargetSubmit = {"target_submit",
                            {{"target", Form::kNumber}, {"operation", Form::kNumber}, {"teams", Form::kNumber}}};
void OnTargetSubmit(ompt_id_t target, ompt_id_t operation, unsigned teams) {
  Note(&kTargetSubmit, target, operation, teams);
}

const Kind kTargetSubmitEmi = {
    "target_submit_emi",
    {{"endpoint", Form::kEndpoint}, {"target", Form::kTask}, {"operation", Form::kNumber}, {"teams", Form::kNumber}}};
void OnTargetSubmitEmi(ompt_scope_endpoint_t endpoint, ompt_data_t* target, ompt_id_t* operation, unsigned teams) {
  if (endpoint == ompt_scope_begin && operation != nullptr) *operation = operation_count.fetch_add(1) + 1;
  Note(&kTargetSubmitEmi, endpoint, Id(target), operation != nullptr ? *operation : kNone, teams);
}

const Kind kTargetDataOp = {"target_data_op",
                            {{"target", Form::kNumber},
                             {"operation", Form::kNumber},
                             {"type", Form::kDataOp},
                             {"source", Form::kAddress},
                             {"source_device", Form::kSigned},
                             {"destination", Form::kAddress},
                             {"destination_device", Form::kSigned},
                             {"bytes", Form::kNumber},
                             {"codeptr", Form::kCode}}};
void OnTargetDataOp(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t type, void* source, int source_device,
                    void* destination, int destination_device, size_t bytes, const void* codeptr) {
  Note(&kTargetDataOp, target, operation, type, Address(source), source_device, Address(destination),
       destination_device, bytes, Address(codeptr));
}

const Kind kTargetDataOpEmi = {"target_data_op_emi",
                               {{"endpoint", Form::kEndpoint},
                                {"target_task", Form::kTask},
                                {"target", Form::kTask},
                                {"operation", Form::kNumber},
                                {"type", Form::kDataOp},
                                {"source", Form::kAddress},
                                {"source_device", Form::kSigned},
                                {"destination", Form::kAddress},
                                {"destination_device", Form::kSigned},
                                {"bytes", Form::kNumber},
                                {"codeptr", Form::kCode}}};
void OnTargetDataOpEmi(ompt_scope_endpoint_t endpoint, ompt_data_t* target_task, ompt_data_t* target,
                       ompt_id_t* operation, ompt_target_data_op_t type, void* source, int source_device,
                       void* destination, int destination_device, size_t bytes, const void* codeptr) {
  if (endpoint != ompt_scope_end && operation != nullptr) *operation = operation_count.fetch_add(1) + 1;
  Note(&kTargetDataOpEmi, endpoint, Id(target_task), Id(target), operation != nullptr ? *operation : kNone, type,
       Address(source), source_device, Address(destination), destination_device, bytes, Address(codeptr));
}

const Kind kTargetMap = {"target_map", {{"target", Form::kNumber}, {"items", Form::kNumber}, {"codeptr", Form::kCode}}};
const Kind kMapItem = {
    "map_item",
    {{"host", Form::kAddress}, {"on_device", Form::kAddress}, {"bytes", Form::kNumber}, {"flags", Form::kMapFlags}}};
void NoteItems(unsigned items, void** host, void** device, const size_t* bytes, const unsigned* flags) {
  for (unsigned i = 0; i < items; i++) Note(&kMapItem, Address(host[i]), Address(device[i]), bytes[i], flags[i]);
}
void OnTargetMap(ompt_id_t target, unsigned items, void** host, void** device, size_t* bytes, unsigned* flags,
                 const void* codeptr) {
  Note(&kTargetMap, target, items, Address(codeptr));
  NoteItems(items, host, device, bytes, flags);
}

const Kind kTargetMapEmi = {"target_map_emi",
                            {{"target", Form::kTask}, {"items", Form::kNumber}, {"codeptr", Form::kCode}}};
void OnTargetMapEmi(ompt_data_t* target, unsigned items, void** host, void** device, size_t* bytes, unsigned* flags,
                    const void* codeptr) {
  Note(&kTargetMapEmi, Id(target), items, Address(codeptr));
  NoteItems(items, host, device, bytes, flags);
}

const Kind kDeviceInitialize = {"device_initialize",
                                {{"device", Form::kSigned}, {"type", Form::kText}, {"traces", Form::kNumber}}};
void OnDeviceInitialize(int device, const char* type, ompt_device_t* object, ompt_function_lookup_t lookup,
                        const char*) {
  // A copy: the text may be a temporary one.
  Note(&kDeviceInitialize, device, Address(type != nullptr ? strdup(type) : nullptr),
       object != nullptr && lookup != nullptr ? 1 : 0);
}
const Kind kDeviceFinalize = {"device_finalize", {{"device", Form::kSigned}}};
void OnDeviceFinalize(int device) { Note(&kDeviceFinalize, device); }
const Kind kDeviceLoad = {"device_load",
                          {{"device", Form::kSigned},
                           {"file", Form::kText},
                           {"has_offset", Form::kNumber},
                           {"host", Form::kAddress},
                           {"module", Form::kAddress}}};
void OnDeviceLoad(int device, const char* file, int64_t offset, void*, size_t, void* host, void*, uint64_t module) {
  Note(&kDeviceLoad, device, Address(file), offset >= 0 ? 1 : 0, Address(host), module);
}
const Kind kDeviceUnload = {"device_unload", {{"device", Form::kSigned}, {"module", Form::kAddress}}};
void OnDeviceUnload(int device, uint64_t module) { Note(&kDeviceUnload, device, module); }

const Kind kSetCallback = {"set_callback", {{"callback", Form::kEvent}, {"result", Form::kSetResult}}};

// `names` is a list of words separated by commas.
bool Lists(const char* names, const char* name) {
  if (names == nullptr) return false;
  const size_t length = strlen(name);
  for (const char* at = names; (at = strstr(at, name)) != nullptr; at += length)
    if ((at == names || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return true;
  return false;
}

template <class Callback>
void Register(ompt_callbacks_t event, const char* name, Callback* callback) {
  if (Lists(getenv("CONFORMANCE_WITHOUT"), name)) return;
  const ompt_set_result_t result = entries.set_callback(event, reinterpret_cast<ompt_callback_t>(callback));
  Note(&kSetCallback, event, result);
}

}  // namespace

#define REGISTER(event, ...) Register(ompt_callback_##event, #event, __VA_ARGS__)

void RegisterCallbacks() {
  REGISTER(thread_begin, OnThreadBegin);
  REGISTER(thread_end, OnThreadEnd);
  REGISTER(parallel_begin, OnParallelBegin);
  REGISTER(parallel_end, OnParallelEnd);
  REGISTER(task_create, OnTaskCreate);
  REGISTER(task_schedule, OnTaskSchedule);
  REGISTER(implicit_task, OnImplicitTask);
  REGISTER(target, OnTarget);
  REGISTER(target_data_op, OnTargetDataOp);
  REGISTER(target_submit, OnTargetSubmit);
  REGISTER(control_tool, OnControlTool);
  REGISTER(device_initialize, OnDeviceInitialize);
  REGISTER(device_finalize, OnDeviceFinalize);
  REGISTER(device_load, OnDeviceLoad);
  REGISTER(device_unload, OnDeviceUnload);
  REGISTER(sync_region_wait, OnSyncRegion<kSyncRegionWait>);
  REGISTER(mutex_released, OnMutex<kMutexReleased>);
  REGISTER(dependences, OnDependences);
  REGISTER(task_dependence, OnTaskDependence);
  REGISTER(work, OnWork);
  REGISTER(masked, OnMasked);
  REGISTER(target_map, OnTargetMap);
  REGISTER(sync_region, OnSyncRegion<kSyncRegion>);
  REGISTER(lock_init, OnMutexAcquire<kLockInit>);
  REGISTER(lock_destroy, OnMutex<kLockDestroy>);
  REGISTER(mutex_acquire, OnMutexAcquire<kMutexAcquire>);
  REGISTER(mutex_acquired, OnMutex<kMutexAcquired>);
  REGISTER(nest_lock, OnNestLock);
  REGISTER(flush, OnFlush);
  REGISTER(cancel, OnCancel);
  REGISTER(reduction, OnSyncRegion<kReduction>);
  REGISTER(dispatch, OnDispatch);
  REGISTER(target_emi, OnTargetEmi);
  REGISTER(target_data_op_emi, OnTargetDataOpEmi);
  REGISTER(target_submit_emi, OnTargetSubmitEmi);
  REGISTER(target_map_emi, OnTargetMapEmi);
  REGISTER(error, OnError);
}

}  // namespace recorder
