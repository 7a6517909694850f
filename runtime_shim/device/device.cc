#include "runtime_shim/device/device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include <new>

#include "runtime_shim/device/log.h"
#include "runtime_shim/device/options.h"
#include "runtime_shim/device/threads.h"

namespace reference_device {
namespace {

__thread Device* device_here;
__thread bool has_asked;  // where the thread is
__thread const GompDeviceOperation* host_operation;

constexpr uint64_t kNsPerSecond = 1000000000;

// `copy_rate` is in bytes a microsecond.
void SleepAsLongAsCopy(uint64_t begin_ns, size_t bytes) {
  const double rate = GetOptions().copy_rate;
  if (rate <= 0) return;
  const uint64_t end = begin_ns + static_cast<uint64_t>(static_cast<double>(bytes) * 1000 / rate);
  const timespec until = {static_cast<time_t>(end / kNsPerSecond), static_cast<long>(end % kNsPerSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
  }
}

}  // namespace

struct Device::Job {
  Job* next;
  Kernel* kernel;
  void* variables;
  Operation operation;
  void (*done)(void*);  // NULL: a thread waits for `is_done`, and the job is in its stack
  void* argument;
  bool is_done;
};

Device* FindDevice(int target_id) {
  // Never destroyed: the threads of the program may use a device until the process ends.
  alignas(Device) static char memory[kMostDevices][sizeof(Device)];
  static bool is_made[kMostDevices];
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (target_id < 0 || target_id >= GetOptions().devices) return nullptr;
  const Locked locked(mutex);
  if (!is_made[target_id]) new (memory[target_id]) Device(target_id);
  is_made[target_id] = true;
  return reinterpret_cast<Device*>(memory[target_id]);
}

// libgomp makes the threads of a parallel region in a kernel. A thread inherits its maker's timer slack, and that of a
// device's thread is a little longer than any other's.
Device* DeviceHere() {
  if (device_here != nullptr || has_asked) return device_here;
  has_asked = true;
  const int slack = prctl(PR_GET_TIMERSLACK);
  for (int i = 0; i < GetOptions().devices; i++)
    if (Device* device = FindDevice(i); slack > 0 && device->timer_slack() == slack) return device_here = device;
  return nullptr;
}

void SetOperation(const GompDeviceOperation* operation) { host_operation = operation; }

void Device::SetDeviceNum(int device_num) {
  device_num_ = device_num;
  trace_.SetDeviceNum(device_num);
}

Operation Device::Begin(NativeKind kind) {
  Operation operation = {};
  operation.kind = kind;
  if (host_operation != nullptr) operation.host = *host_operation;
  operation.records = trace_.Begin(kind, operation.host.target_id != ompt_id_none);
  operation.begin_ns = HostNs();
  return operation;
}

void Device::End(Operation* operation) {
  operation->end_ns = HostNs();
  WriteLog(target_id_, *operation);
  trace_.Add(*operation);
}

void* Device::Alloc(size_t bytes) {
  if (__atomic_add_fetch(&allocations_, 1, __ATOMIC_RELAXED) == GetOptions().failing_allocation) return nullptr;
  Operation operation = Begin(NativeKind::kAlloc);
  // libgomp aligns variables within a block by the block's address.
  constexpr size_t kAlignment = 256;
  void* memory = nullptr;
  if (posix_memalign(&memory, kAlignment, bytes) != 0) memory = nullptr;
  operation.source_is_host = true;
  operation.destination = memory;
  operation.bytes = bytes;
  End(&operation);
  return memory;
}

void Device::Free(void* memory) {
  Operation operation = Begin(NativeKind::kFree);
  operation.source = memory;
  operation.destination_is_host = true;
  free(memory);
  End(&operation);
}

void Device::Copy(NativeKind kind, void* destination, const void* source, size_t bytes) {
  Operation operation = Begin(kind);
  memmove(destination, source, bytes);
  SleepAsLongAsCopy(operation.begin_ns, bytes);
  operation.source = source;
  operation.source_is_host = kind == NativeKind::kCopyToDevice;
  operation.destination = destination;
  operation.destination_is_host = kind == NativeKind::kCopyFromDevice;
  operation.bytes = bytes;
  End(&operation);
}

void Device::Fill(void* memory, int value, size_t bytes) {
  Operation operation = Begin(NativeKind::kFill);
  memset(memory, value, bytes);
  operation.source_is_host = true;  // which gives the value
  operation.destination = memory;
  operation.bytes = bytes;
  End(&operation);
}

void Device::Run(Kernel* kernel, void* variables) {
  Job job = {nullptr, kernel, variables, Begin(NativeKind::kKernel), nullptr, nullptr, false};
  Enqueue(&job);
  while (GetOptions().spins && !__atomic_load_n(&job.is_done, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  const Locked locked(mutex_);
  while (!job.is_done) pthread_cond_wait(&changed_, &mutex_);
}

void Device::Launch(Kernel* kernel, void* variables, void (*done)(void*), void* argument) {
  auto* job = static_cast<Job*>(malloc(sizeof(Job)));
  if (job == nullptr) {
    Run(kernel, variables);
    return done(argument);
  }
  *job = {nullptr, kernel, variables, Begin(NativeKind::kKernel), done, argument, false};
  Enqueue(job);
}

void Device::Enqueue(Job* job) {
  const Locked locked(mutex_);
  if (!has_thread_) {
    has_thread_ = StartThread(&thread_, RunThread, this, "gomp-device");
    if (!has_thread_) abort();  // as libgomp does without a thread
  }
  *last_ = job;
  last_ = &job->next;
  pthread_cond_broadcast(&changed_);
}

void* Device::RunThread(void* device) {
  device_here = static_cast<Device*>(device);
  device_here->MarkThreads();
  device_here->Work();
  return nullptr;
}

void Device::MarkThreads() {
  constexpr int kLongerNs = 1000;
  const int slack = prctl(PR_GET_TIMERSLACK);
  if (slack <= 0) return;  // a thread with a real-time priority has none
  const int longer = slack + kLongerNs + target_id_;
  if (prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(longer)) == 0)
    __atomic_store_n(&timer_slack_, longer, __ATOMIC_RELAXED);
}

void Device::Work() {
  pthread_mutex_lock(&mutex_);
  while (true) {
    Job* job = first_;
    if (job == nullptr) {
      if (is_ending_) break;
      pthread_cond_wait(&changed_, &mutex_);
      continue;
    }
    first_ = job->next;
    if (first_ == nullptr) last_ = &first_;
    pthread_mutex_unlock(&mutex_);
    Execute(job);
    pthread_mutex_lock(&mutex_);
  }
  pthread_mutex_unlock(&mutex_);
}

void Device::Execute(Job* job) {
  Operation& operation = job->operation;
  operation.function = reinterpret_cast<const void*>(job->kernel);
  operation.begin_ns = HostNs();
  job->kernel(job->variables);
  End(&operation);
  if (job->done != nullptr) {
    void (*done)(void*) = job->done;
    void* argument = job->argument;
    free(job);
    return done(argument);
  }
  const Locked locked(mutex_);
  job->is_done = true;
  pthread_cond_broadcast(&changed_);
}

void Device::Finalize() {
  bool had_thread = false;
  {
    const Locked locked(mutex_);
    had_thread = has_thread_;
    is_ending_ = true;
    pthread_cond_broadcast(&changed_);
  }
  if (had_thread && device_here != this) pthread_join(thread_, nullptr);
  {
    const Locked locked(mutex_);
    has_thread_ = is_ending_ = false;
  }
  if (device_here == this) trace_.KernelNeverEnds();
  trace_.Stop();
}

void Device::ForgetAfterFork() {
  pthread_mutex_init(&mutex_, nullptr);
  pthread_cond_init(&changed_, nullptr);
  has_thread_ = is_ending_ = false;
  first_ = nullptr;
  last_ = &first_;
  trace_.ForgetAfterFork();
}

}  // namespace reference_device
