// The entry points of dynamically scheduled loops. libgomp has them twice, for loop variables of type long (loop.cc)
// and unsigned long long (loop_ull.cc). For each type, it has an entry point for every schedule with the same
// arguments. The including file says how a loop's space is given:
//
//   using Value = long;
//   #define SPACE_PARAMETERS long start, long end, long increment
//   #define SPACE_ARGUMENTS start, end, increment
//   #define SPACE_IS_UP (increment > 0)
//   LOOP_ENTRY_POINTS(GOMP_loop_)
//
// A statically scheduled loop comes here only if it has an ordered clause, task reductions or a lastprivate
// (conditional:). gcc computes the chunks of all other static loops inline, so the shim does not see these loops.
#ifndef RUNTIME_SHIM_GOMP_LOOP_H_
#define RUNTIME_SHIM_GOMP_LOOP_H_

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/gomp/ordered.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {

// A doacross loop nest: libgomp numbers the iterations of the shared loops from 0.
template <class Value>
Work DoacrossWork(unsigned dimensions, const Value* counts, const void* codeptr_ra) {
  Work work = CountedWork(ompt_work_loop, static_cast<uint64_t>(counts[0]), codeptr_ra);
  work.dimensions = dimensions;
  return work;
}

// `start` begins the loop in libgomp, and returns whether there is a chunk for this thread. The first iteration of this
// chunk is then at `first` (NULL: libgomp hands out no chunks, and only keeps the loop's reductions). `make_work`
// returns the work. `dimensions` belongs to a doacross loop nest; otherwise 0.
template <class Value, class MakeWork, class Start>
inline __attribute__((always_inline)) bool StartLoop(const Caller& caller, const Value* first, unsigned dimensions,
                                                     MakeWork make_work, Start start) {
  Task* task = this_thread.current;
  InRuntime in_runtime(caller);
  InState overhead(ompt_state_overhead);
  if (!AnyRegistered(EventBits(ompt_callback_work, ompt_callback_dispatch))) {
    BeginUnheardLoop(task, dimensions);
    return start();
  }
  BeginWork(task, make_work());
  const bool has_chunk = start();
  if (has_chunk && first != nullptr) DispatchChunk(task, static_cast<uint64_t>(*first));
  return has_chunk;
}

// `next` fetches the next chunk.
template <class Value, class Next>
inline __attribute__((always_inline)) bool NextChunk(const Value* first, const Caller& caller, Next next) {
  if (!Tracing()) return next();
  Task* task = this_thread.current;
  InRuntime in_runtime(caller);
  InState overhead(ompt_state_overhead);
  const bool has_chunk = next();
  if (has_chunk) DispatchChunk(task, static_cast<uint64_t>(*first));
  return has_chunk;
}

// The same in a loop with ordered regions: the call waits for the turn of the finished chunk.
template <class Value, class Next>
__attribute__((noinline)) bool NextOrderedChunk(const Value* first, Caller caller, Next next) {
  if (!Tracing()) return next();
  Task* task = this_thread.current;
  InRuntime in_runtime(caller);
  WaitingFor waiting(ompt_state_wait_ordered, OrderedWaitId(task));
  const bool has_chunk = next();
  if (has_chunk) DispatchChunk(task, static_cast<uint64_t>(*first));
  return has_chunk;
}

}  // namespace gomp_ompt

#define LOOP_WORK() \
  LoopWork(SPACE_IS_UP, start, (SPACE_IS_UP ? start < end : end < start) ? end : start, increment, caller.codeptr_ra)

#define LOOP_START_(name, work, number_of_loops, reductions, parameters, ...)                           \
  DECLARE_REAL_OF_STUB(name, bool parameters);                                                          \
  FROM_STUB bool name##_slowly parameters {                                                             \
    if (!Tracing()) return REAL(name)(__VA_ARGS__);                                                     \
    const Caller caller = CALLER();                                                                     \
    if (reductions != nullptr) NeedTeam(this_thread.current);                                           \
    return StartLoop(                                                                                   \
        caller, first, number_of_loops, [&] { return work; }, [&] { return REAL(name)(__VA_ARGS__); }); \
  }                                                                                                     \
  JUMP_STUB(name)

#define LOOP_START(name)                                                                                           \
  LOOP_START_(name, LOOP_WORK(), 0, nullptr, (SPACE_PARAMETERS, Value chunk, Value * first, Value * end_of_chunk), \
              SPACE_ARGUMENTS, chunk, first, end_of_chunk)
#define LOOP_START_RUNTIME(name)                                                                                       \
  LOOP_START_(name, LOOP_WORK(), 0, nullptr, (SPACE_PARAMETERS, Value * first, Value * end_of_chunk), SPACE_ARGUMENTS, \
              first, end_of_chunk)
#define LOOP_START_GENERAL(name)                                                                                       \
  LOOP_START_(name, LOOP_WORK(), 0, reductions,                                                                        \
              (SPACE_PARAMETERS, long schedule, Value chunk, Value* first, Value* end_of_chunk, uintptr_t* reductions, \
               void** memory),                                                                                         \
              SPACE_ARGUMENTS, schedule, chunk, first, end_of_chunk, reductions, memory)

#define DOACROSS_WORK() DoacrossWork(dimensions, counts, caller.codeptr_ra)
#define DOACROSS_START(name)                                                                                    \
  LOOP_START_(name, DOACROSS_WORK(), dimensions, nullptr,                                                       \
              (unsigned dimensions, Value* counts, Value chunk, Value* first, Value* end_of_chunk), dimensions, \
              counts, chunk, first, end_of_chunk)
#define DOACROSS_START_RUNTIME(name)                                                                              \
  LOOP_START_(name, DOACROSS_WORK(), dimensions, nullptr,                                                         \
              (unsigned dimensions, Value* counts, Value* first, Value* end_of_chunk), dimensions, counts, first, \
              end_of_chunk)
#define DOACROSS_START_GENERAL(name)                                                                              \
  LOOP_START_(name, DOACROSS_WORK(), dimensions, reductions,                                                      \
              (unsigned dimensions, Value* counts, long schedule, Value chunk, Value* first, Value* end_of_chunk, \
               uintptr_t* reductions, void** memory),                                                             \
              dimensions, counts, schedule, chunk, first, end_of_chunk, reductions, memory)

#define LOOP_NEXT(name)                                                                                 \
  DECLARE_REAL_OF_STUB(name, bool(Value*, Value*));                                                     \
  FROM_STUB bool name##_heard(Value* first, Value* end_of_chunk) {                                      \
    return NextChunk(first, CALLER(), [=] { return REAL(name)(first, end_of_chunk); });                 \
  }                                                                                                     \
  FROM_STUB bool name##_unheard(Value* first, Value* end_of_chunk) {                                    \
    if (!IsKnownForAll()) return name##_heard(first, end_of_chunk);                                     \
    return CallUnheard(ompt_state_overhead, CALLER(), [=] { return REAL(name)(first, end_of_chunk); }); \
  }                                                                                                     \
  LISTENING_STUB(name, STUB_DISPATCH_EVENTS)

#define LOOP_NEXT_ORDERED(name)                                                                \
  DECLARE_REAL(name, bool(Value*, Value*));                                                    \
  EXPORTED bool name(Value* first, Value* end_of_chunk) {                                      \
    if (ToolIsOff()) return REAL(name)(first, end_of_chunk);                                   \
    return NextOrderedChunk(first, CALLER(), [=] { return REAL(name)(first, end_of_chunk); }); \
  }

#define LOOP_ENTRY_POINTS(prefix)                              \
  LOOP_START(prefix##static_start)                             \
  LOOP_START(prefix##dynamic_start)                            \
  LOOP_START(prefix##guided_start)                             \
  LOOP_START(prefix##nonmonotonic_dynamic_start)               \
  LOOP_START(prefix##nonmonotonic_guided_start)                \
  LOOP_START(prefix##ordered_static_start)                     \
  LOOP_START(prefix##ordered_dynamic_start)                    \
  LOOP_START(prefix##ordered_guided_start)                     \
  LOOP_START_RUNTIME(prefix##runtime_start)                    \
  LOOP_START_RUNTIME(prefix##nonmonotonic_runtime_start)       \
  LOOP_START_RUNTIME(prefix##maybe_nonmonotonic_runtime_start) \
  LOOP_START_RUNTIME(prefix##ordered_runtime_start)            \
  LOOP_START_GENERAL(prefix##start)                            \
  LOOP_START_GENERAL(prefix##ordered_start)                    \
  DOACROSS_START(prefix##doacross_static_start)                \
  DOACROSS_START(prefix##doacross_dynamic_start)               \
  DOACROSS_START(prefix##doacross_guided_start)                \
  DOACROSS_START_RUNTIME(prefix##doacross_runtime_start)       \
  DOACROSS_START_GENERAL(prefix##doacross_start)               \
  LOOP_NEXT(prefix##static_next)                               \
  LOOP_NEXT(prefix##dynamic_next)                              \
  LOOP_NEXT(prefix##guided_next)                               \
  LOOP_NEXT(prefix##runtime_next)                              \
  LOOP_NEXT(prefix##nonmonotonic_dynamic_next)                 \
  LOOP_NEXT(prefix##nonmonotonic_guided_next)                  \
  LOOP_NEXT(prefix##nonmonotonic_runtime_next)                 \
  LOOP_NEXT(prefix##maybe_nonmonotonic_runtime_next)           \
  LOOP_NEXT_ORDERED(prefix##ordered_static_next)               \
  LOOP_NEXT_ORDERED(prefix##ordered_dynamic_next)              \
  LOOP_NEXT_ORDERED(prefix##ordered_guided_next)               \
  LOOP_NEXT_ORDERED(prefix##ordered_runtime_next)

#endif  // RUNTIME_SHIM_GOMP_LOOP_H_
