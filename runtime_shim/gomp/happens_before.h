// What libgomp orders between threads, told to the thread sanitizer, which sees neither libgomp's futexes nor its
// atomics: without it every record that goes from one thread to another through libgomp would be called a race. Nothing
// in other builds.
#ifndef RUNTIME_SHIM_GOMP_HAPPENS_BEFORE_H_
#define RUNTIME_SHIM_GOMP_HAPPENS_BEFORE_H_

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace gomp_ompt {

// What this thread did before happens before what another does after HappensAfter with the same record.
inline void HappensBefore([[maybe_unused]] void* record) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(record);
#endif
}

inline void HappensAfter([[maybe_unused]] void* record) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(record);
#endif
}

// HappensBefore at the end of the scope.
class HandingOver {
 public:
  explicit HandingOver(void* record) : record_(record) {}
  ~HandingOver() { HappensBefore(record_); }
  HandingOver(const HandingOver&) = delete;

 private:
  [[maybe_unused]] void* const record_;
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_HAPPENS_BEFORE_H_
