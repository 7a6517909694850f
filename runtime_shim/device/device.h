// One reference device: memory from malloc, a thread that runs kernels one after another, a clock, a trace.
#ifndef RUNTIME_SHIM_DEVICE_DEVICE_H_
#define RUNTIME_SHIM_DEVICE_DEVICE_H_

#include <pthread.h>
#include <stddef.h>

#include "runtime_shim/device/clock.h"
#include "runtime_shim/device/operation.h"
#include "runtime_shim/device/trace.h"

namespace reference_device {

using Kernel = void(void* variables);

class Device {
 public:
  explicit Device(int target_id) : target_id_(target_id), device_num_(target_id), clock_(target_id), trace_(clock_) {}

  int target_id() const { return target_id_; }
  int device_num() const { return device_num_; }
  const Clock& clock() const { return clock_; }
  Trace& trace() { return trace_; }
  // Of the threads that run kernels, in nanoseconds; 0 before there is one.
  int timer_slack() const { return __atomic_load_n(&timer_slack_, __ATOMIC_RELAXED); }

  void SetDeviceNum(int device_num);

  // Ends the kernels' thread when the queue is empty, and stops the trace.
  void Finalize();

  void* Alloc(size_t bytes);
  void Free(void* memory);
  // In the calling thread. `kind` is one of the copies.
  void Copy(NativeKind kind, void* destination, const void* source, size_t bytes);
  void Fill(void* memory, int value, size_t bytes);

  // Runs a kernel on the device's thread. Run waits for it; Launch calls `done(argument)` behind it, on that thread.
  void Run(Kernel* kernel, void* variables);
  void Launch(Kernel* kernel, void* variables, void (*done)(void*), void* argument);

  void ForgetAfterFork();

 private:
  struct Job;

  static void* RunThread(void* device);
  void MarkThreads();
  void Work();
  void Enqueue(Job* job);
  void Execute(Job* job);
  Operation Begin(NativeKind kind);
  void End(Operation* operation);

  const int target_id_;
  int device_num_;
  const Clock clock_;
  Trace trace_;
  long allocations_ = 0;
  int timer_slack_ = 0;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // of what follows
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  pthread_t thread_ = {};
  bool has_thread_ = false;
  bool is_ending_ = false;
  Job* first_ = nullptr;
  Job** last_ = &first_;
};

// The devices, by target_id; NULL for a number that is none.
Device* FindDevice(int target_id);

// The device that runs a kernel on the calling thread, or a thread of the kernel's team; NULL on a thread of the host.
Device* DeviceHere();

// What the calling thread's next operations are (plugin_interface.h); NULL: unknown.
void SetOperation(const GompDeviceOperation* operation);

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_DEVICE_H_
