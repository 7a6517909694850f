// Tells ThreadSanitizer the order that libgomp's synchronization creates. libgomp is not compiled with ThreadSanitizer.
// So ThreadSanitizer sees neither that a team begins after its region was prepared, nor that the region ends after its
// team. Empty in other builds.
#ifndef RUNTIME_SHIM_GOMP_ORDER_H_
#define RUNTIME_SHIM_GOMP_ORDER_H_

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace gomp_ompt {

// Everything before Publish(record) on a thread comes before everything after Receive(record) on another thread.
inline void Publish([[maybe_unused]] void* record) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(record);
#endif
}

inline void Receive([[maybe_unused]] void* record) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(record);
#endif
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_ORDER_H_
