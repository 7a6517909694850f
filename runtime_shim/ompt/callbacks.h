// The tool's callbacks, and the answer of ompt_set_callback for each.
#ifndef RUNTIME_SHIM_OMPT_CALLBACKS_H_
#define RUNTIME_SHIM_OMPT_CALLBACKS_H_

#include <omp-tools.h>
#include <stdint.h>

#include <atomic>

namespace gomp_ompt {

inline constexpr int kCallbackCount = 38;  // numbers 1 to 37, OpenMP 5.1 section 4.4.2

extern std::atomic<ompt_callback_t> registered_callbacks[kCallbackCount];

// The registered events, bit n for event n. One test finds out that nobody listens to several events.
extern std::atomic<uint64_t> registered_events;

template <class... Events>
constexpr uint64_t EventBits(Events... events) {
  return (... | (uint64_t{1} << events));
}
inline bool AnyRegistered(uint64_t events) {
  return __builtin_expect((registered_events.load(std::memory_order_relaxed) & events) != 0, false);
}

// The callback of an event, with its true type; NULL if the tool has not registered it:
//   if (auto* callback = OMPT_CALLBACK(thread_begin)) callback(ompt_thread_initial, &data);
#define OMPT_CALLBACK(event)                   \
  reinterpret_cast<ompt_callback_##event##_t>( \
      ::gomp_ompt::registered_callbacks[ompt_callback_##event].load(std::memory_order_relaxed))
// The same, where the type has another name (mutex_acquired has ompt_callback_mutex_t).
#define OMPT_CALLBACK_AS(event, type) \
  reinterpret_cast<type>(::gomp_ompt::registered_callbacks[ompt_callback_##event].load(std::memory_order_relaxed))

// The support for an event with libgomp under the shim. runtime_shim/README.md has the reasons.
ompt_set_result_t CallbackSupport(int event);

// ompt_set_callback and ompt_get_callback.
ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t callback);
int GetCallback(ompt_callbacks_t event, ompt_callback_t* callback);

// Called when the tool is gone: no event reaches it any more.
void ForgetCallbacks();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_CALLBACKS_H_
