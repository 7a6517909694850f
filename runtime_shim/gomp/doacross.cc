// ordered with depend(source) and depend(sink:): the dependences between the iterations of a doacross loop nest.
//
// GOMP_doacross_wait takes as many numbers as the nest has loops, and no count of them: libgomp knows the count from
// the loop's start. With a tool, the shim knows the count in the same way. Without a tool, the count is unknown, and
// the call must be passed on with every register and the stack unchanged. No C function can do this for certain. So the
// entry points are a few instructions of assembly that jump to libgomp, or to the variadic function below them.
#include <stdarg.h>
#include <stddef.h>

#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/gomp/ordered.h"

namespace gomp_ompt {
namespace {

// No program has deeper loop nests than this. If the count is unknown, the numbers beyond the caller's numbers are read
// from the stack above them, and passed on unused.
constexpr unsigned kMostNumbers = 64;
constexpr unsigned kInRegisters = 6;

template <class Value>
using Wait = void (*)(Value, ...);

template <class Value>
void Forward(Wait<Value> wait, const Value* n, unsigned count) {
  if (count <= kInRegisters) return wait(n[0], n[1], n[2], n[3], n[4], n[5]);
#define EIGHT(i) n[i], n[i + 1], n[i + 2], n[i + 3], n[i + 4], n[i + 5], n[i + 6], n[i + 7]
  wait(EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56));
#undef EIGHT
}

template <class Value>
void ReportDependences(Task* task, ompt_dependence_type_t type, const Value* numbers) {
  auto* callback = OMPT_CALLBACK(dependences);
  if (callback == nullptr) return;
  ompt_dependence_t dependences[kMostNumbers];
  const unsigned count = task->work.dimensions;
  for (unsigned i = 0; i < count; i++) {
    dependences[i].variable.value = static_cast<uint64_t>(numbers[i]);
    dependences[i].dependence_type = type;
  }
  callback(&task->data, dependences, static_cast<int>(count));
}

// The number of values that name an iteration of the current task's loop; 0 if the loop's start was not seen.
unsigned Dimensions() {
  const unsigned dimensions = this_thread.current->work.dimensions;
  return dimensions <= kMostNumbers ? dimensions : 0;
}

template <class Value>
void TracedWait(Wait<Value> wait, const Value* numbers, unsigned count, const Caller& caller) {
  Task* task = this_thread.current;
  InRuntime in_runtime(caller);
  {
    WaitingFor waiting(ompt_state_wait_ordered, OrderedWaitId(task));
    Forward(wait, numbers, count);
  }
  ReportDependences(task, ompt_dependence_type_sink, numbers);
}

template <class Value>
__attribute__((no_sanitize("address"))) void WaitSlowly(RealFunction& function, Wait<Value> not_found, Value first,
                                                        va_list rest, const Caller& caller) {
  const unsigned known = Tracing() ? Dimensions() : 0;
  const unsigned count = known != 0 ? known : kMostNumbers;
  Value numbers[kMostNumbers];
  numbers[0] = first;
  for (unsigned i = 1; i < count || i < kInRegisters; i++) numbers[i] = va_arg(rest, Value);
  auto wait = reinterpret_cast<Wait<Value>>(__atomic_load_n(&function.pointer, __ATOMIC_RELAXED));
  if (wait == not_found) wait = reinterpret_cast<Wait<Value>>(FindReal(function));
  if (known == 0) return Forward(wait, numbers, count);
  TracedWait(wait, numbers, count, caller);
}

template <class Value, class Post>
inline __attribute__((always_inline)) void TracedPost(const Value* numbers, const Caller& caller, Post post) {
  InRuntime in_runtime(caller);
  if (Dimensions() != 0) ReportDependences(this_thread.current, ompt_dependence_type_source, numbers);
  post();
}

DECLARE_REAL(GOMP_doacross_post, void(long*));
DECLARE_REAL(GOMP_doacross_ull_post, void(unsigned long long*));

}  // namespace

EXPORTED void GOMP_doacross_post(long* numbers) {
  if (!Tracing()) return REAL(GOMP_doacross_post)(numbers);
  TracedPost(numbers, CALLER(), [&] { REAL(GOMP_doacross_post)(numbers); });
}

EXPORTED void GOMP_doacross_ull_post(unsigned long long* numbers) {
  if (!Tracing()) return REAL(GOMP_doacross_ull_post)(numbers);
  TracedPost(numbers, CALLER(), [&] { REAL(GOMP_doacross_ull_post)(numbers); });
}

// Without a tool, a wait is a jump. The numbers come as variable arguments, and only a traced loop knows their count.
#define WAIT_ENTRY_POINT(name, Value)                                                                       \
  HIDDEN __attribute__((used)) void name##_slowly(Value first, ...);                                        \
  HIDDEN RealFunction name##_real;                                                                          \
  RealFunction name##_real = {#name, nullptr, reinterpret_cast<AnyFunction>(name##_slowly)};                \
  static RealFunction* const listed_##name __attribute__((section("real_functions"), used)) = &name##_real; \
  JUMP_STUB(name)                                                                                           \
  void name##_slowly(Value first, ...) {                                                                    \
    va_list rest;                                                                                           \
    va_start(rest, first);                                                                                  \
    WaitSlowly<Value>(name##_real, name##_slowly, first, rest, CALLER());                                   \
    va_end(rest);                                                                                           \
  }

WAIT_ENTRY_POINT(GOMP_doacross_wait, long)
WAIT_ENTRY_POINT(GOMP_doacross_ull_wait, unsigned long long)

}  // namespace gomp_ompt
