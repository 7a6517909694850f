// Wrappers that without a tool are a jump and nothing else, for functions some of whose arguments are on the stack: the
// compiler would load those, and save registers for them, before it tests for a tool. (x86-64.)
//
//   DECLARE_REAL_OF_STUB(GOMP_task, void(...));
//   HIDDEN void GOMP_task_slowly(...) { if (!Tracing()) return REAL(GOMP_task)(...); ... CALLER() is the user's call
//   ... } JUMP_STUB(GOMP_task)
#ifndef RUNTIME_SHIM_GOMP_JUMP_STUB_H_
#define RUNTIME_SHIM_GOMP_JUMP_STUB_H_

#include <stddef.h>

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/activation.h"

// Named as C functions are, so that the assembly can name them.
#define HIDDEN extern "C" __attribute__((visibility("hidden")))

// DECLARE_REAL for a function that has a stub. At the scope of a namespace.
#define DECLARE_REAL_OF_STUB(name, ...)                                                                          \
  HIDDEN ::gomp_ompt::RealFunction name##_real;                                                                  \
  struct Tag_##name {                                                                                            \
    static constexpr ::gomp_ompt::RealFunction* kFunction = &name##_real;                                        \
  };                                                                                                             \
  using Real_##name = ::gomp_ompt::RealOfStub<Tag_##name, __VA_ARGS__>;                                          \
  ::gomp_ompt::RealFunction name##_real = {#name, nullptr,                                                       \
                                           reinterpret_cast<::gomp_ompt::AnyFunction>(&Real_##name::LookUp), 0}; \
  static ::gomp_ompt::RealFunction* const listed_##name __attribute__((section("real_functions"), used)) = &name##_real

// Exports `name`: a jump to the real function once that is known for all callers and while there is no tool, and to
// name_slowly otherwise.
#define JUMP_STUB(name)                           \
  asm(".pushsection .text\n"                      \
      ".globl " #name                             \
      "\n"                                        \
      ".type " #name                              \
      ", @function\n"                             \
      ".p2align 4\n" #name                        \
      ":\n"                                       \
      ".cfi_startproc\n"                          \
      "endbr64\n"                                 \
      "cmpb $1, _ZN9gomp_ompt9tool_modeE(%rip)\n" \
      "jne " #name                                \
      "_slowly\n"                                 \
      "jmp *" #name                               \
      "_real+16(%rip)\n"                          \
      ".cfi_endproc\n"                            \
      ".size " #name ", .-" #name                 \
      "\n"                                        \
      ".popsection\n");

namespace gomp_ompt {

static_assert(static_cast<int>(Mode::kOff) == 1 && sizeof(tool_mode) == 1 && offsetof(RealFunction, pointer) == 16,
              "as the assembly has them");

template <class Tag, class Signature>
struct RealOfStub;

template <class Tag, class Result, class... Arguments>
struct RealOfStub<Tag, Result(Arguments...)> {
  using Pointer = Result (*)(Arguments...);

  static Result LookUp(Arguments... arguments) {
    return reinterpret_cast<Pointer>(FindReal(*Tag::kFunction, __builtin_frame_address(0)))(arguments...);
  }

  static Pointer Get() {
    return reinterpret_cast<Pointer>(__atomic_load_n(&Tag::kFunction->pointer, __ATOMIC_RELAXED));
  }
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_JUMP_STUB_H_
