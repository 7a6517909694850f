// Wrappers that are only a jump if there is no tool (x86-64). They serve two kinds of functions. Some functions have
// arguments on the stack: the compiler would load these, and save registers for them, before it tests for a tool. Other
// functions are called so often that each instruction counts.
//
//   DECLARE_REAL_OF_STUB(GOMP_task, void(...));
//   FROM_STUB void GOMP_task_slowly(...) { if (!Tracing()) return REAL(GOMP_task)(...); ... CALLER() is the user's call
//   ... } JUMP_STUB(GOMP_task)
//
// A function with an event that few tools listen to has two versions behind the stub. The version for the case that
// nobody listens (..._unheard) keeps only the data that a sampling tool can see: the state, the wait id, the frame.
#ifndef RUNTIME_SHIM_GOMP_JUMP_STUB_H_
#define RUNTIME_SHIM_GOMP_JUMP_STUB_H_

#include <stddef.h>

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/activation.h"
#include "runtime_shim/ompt/callbacks.h"

// Named like C functions, so that the assembly can name them.
#define HIDDEN extern "C" __attribute__((visibility("hidden")))

// A function that a stub jumps to, so its caller is the stub's caller. It is not inlined into another such function,
// because that function would save registers for both.
#define FROM_STUB HIDDEN __attribute__((used, noinline))

// DECLARE_REAL and DECLARE_REAL_VERSION, for a function that has a stub. At the scope of a namespace.
#define DECLARE_REAL_OF_STUB_VERSION(name, alias, version, ...)                                                 \
  HIDDEN ::gomp_ompt::RealFunction alias##_real;                                                                \
  struct Tag_##alias {                                                                                          \
    static constexpr ::gomp_ompt::RealFunction* kFunction = &alias##_real;                                      \
  };                                                                                                            \
  using Real_##alias = ::gomp_ompt::RealOfStub<Tag_##alias, __VA_ARGS__>;                                       \
  ::gomp_ompt::RealFunction alias##_real = {#name, version,                                                     \
                                            reinterpret_cast<::gomp_ompt::AnyFunction>(&Real_##alias::LookUp)}; \
  static ::gomp_ompt::RealFunction* const listed_##alias __attribute__((section("real_functions"), used)) =     \
      &alias##_real

#define DECLARE_REAL_OF_STUB(name, ...) DECLARE_REAL_OF_STUB_VERSION(name, name, nullptr, __VA_ARGS__)

#define STUB_(name, ...)          \
  asm(".pushsection .text\n"      \
      ".globl " #name             \
      "\n"                        \
      ".type " #name              \
      ", @function\n"             \
      ".p2align 4\n" #name        \
      ":\n"                       \
      ".cfi_startproc\n"          \
      "endbr64\n" __VA_ARGS__     \
      ".cfi_endproc\n"            \
      ".size " #name ", .-" #name \
      "\n"                        \
      ".popsection\n");

#define STUB_UNLESS_OFF_(name) "cmpb $1, _ZN9gomp_ompt9tool_modeE(%rip)\njne " #name
#define STUB_REAL_(name) "jmp *" #name "_real+16(%rip)\n"
#define STUB_IF_HEARD_(events, name) "testb " events "\njne " #name

// Exports `name`. This is a jump to the real function once it is known for all callers, and while there is no tool.
// Otherwise, it is a jump to name_slowly.
#define JUMP_STUB(name) STUB_(name, STUB_UNLESS_OFF_(name) "_slowly\n" STUB_REAL_(name))

// The same, with two functions for the case that there may be a tool. name_heard serves if a tool listens to one of
// `events` (STUB_ below), otherwise name_unheard.
#define LISTENING_STUB(name, events) \
  STUB_(name, STUB_UNLESS_OFF_(1f) "\n" STUB_REAL_(name) "1:\n" STUB_IF_HEARD_(events, name) "_heard\n" \
                                                         "jmp " #name "_unheard\n")

// For functions that release a mutex, which never wait: the real function if nobody listens, otherwise name_heard.
#define RELEASE_STUB(name) STUB_(name, STUB_IF_HEARD_(STUB_RELEASE_EVENTS, name) "_heard\n" STUB_REAL_(name))

// Events by their byte in registered_events.
#define STUB_ACQUIRE_EVENTS "$0x0c, _ZN9gomp_ompt17registered_eventsE+3(%rip)"
#define STUB_RELEASE_EVENTS "$0x02, _ZN9gomp_ompt17registered_eventsE+2(%rip)"
#define STUB_DISPATCH_EVENTS "$0x01, _ZN9gomp_ompt17registered_eventsE+4(%rip)"
#define STUB_SYNC_EVENTS "$0x81, _ZN9gomp_ompt17registered_eventsE+2(%rip)"

namespace gomp_ompt {

static_assert(static_cast<int>(Mode::kOff) == 1 && sizeof(tool_mode) == 1 && offsetof(RealFunction, pointer) == 16,
              "as the assembly has them");
static_assert(EventBits(ompt_callback_mutex_acquire, ompt_callback_mutex_acquired) == uint64_t{0x0c} << 24);
static_assert(EventBits(ompt_callback_mutex_released) == uint64_t{0x02} << 16);
static_assert(EventBits(ompt_callback_dispatch) == uint64_t{0x01} << 32);
static_assert(EventBits(ompt_callback_sync_region, ompt_callback_sync_region_wait) == uint64_t{0x81} << 16);

template <class Tag, class Signature>
struct RealOfStub;

template <class Tag, class Result, class... Arguments>
struct RealOfStub<Tag, Result(Arguments...)> {
  using Pointer = Result (*)(Arguments...);

  static Result LookUp(Arguments... arguments) {
    return reinterpret_cast<Pointer>(FindReal(*Tag::kFunction))(arguments...);
  }

  static Pointer Get() {
    return reinterpret_cast<Pointer>(__atomic_load_n(&Tag::kFunction->pointer, __ATOMIC_RELAXED));
  }
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_JUMP_STUB_H_
