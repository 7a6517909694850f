// Walks through code without CFI, where the caller is guessed: each test knows who called whom.
#include <signal.h>

#include "tests/unit/collect/unwind/walk_fixture.h"

// Calls function(argument) with a frame pointer and no CFI at all.
extern "C" void CallWithoutCfi(void (*function)(void*), void* argument);
__asm__(
    ".text\n"
    ".type CallWithoutCfi, @function\n"
    "CallWithoutCfi:\n"
    "push %rbp\n"
    "mov %rsp, %rbp\n"
    "mov %rdi, %rax\n"
    "mov %rsi, %rdi\n"
    "call *%rax\n"
    "pop %rbp\n"
    "ret\n"
    ".size CallWithoutCfi, .-CallWithoutCfi\n");

// Calls function(argument) with a realigned stack, as in libjpeg-turbo's vector code. The frame pointer points at a
// word with the address of the caller's word. The word lies on a line of `alignment` bytes (32 or 64).
extern "C" void CallRealignedWithoutCfi(void (*function)(void*), void* argument, uintptr_t alignment);
__asm__(
    ".text\n"
    ".type CallRealignedWithoutCfi, @function\n"
    "CallRealignedWithoutCfi:\n"
    "push %rbp\n"
    "mov %rsp, %rax\n"
    "sub $4, %rsp\n"
    "neg %rdx\n"
    "and %rdx, %rsp\n"
    "mov %rax, (%rsp)\n"
    "mov %rsp, %rbp\n"
    "lea -64(%rsp), %rsp\n"
    "mov %rdi, %rax\n"
    "mov %rsi, %rdi\n"
    "call *%rax\n"
    "mov %rbp, %rsp\n"
    "pop %rsp\n"
    "pop %rbp\n"
    "ret\n"
    ".size CallRealignedWithoutCfi, .-CallRealignedWithoutCfi\n");

// A leaf without CFI, and without a frame, that traps in its middle.
extern "C" void TrapWithoutCfi();
__asm__(
    ".text\n"
    ".type TrapWithoutCfi, @function\n"
    "TrapWithoutCfi:\n"
    "int3\n"
    "ret\n"
    ".size TrapWithoutCfi, .-TrapWithoutCfi\n");

// The same leaf behind pushes. The frame pointer serves for other things, as in libjpeg-turbo's Huffman coder.
extern "C" void TrapBehindPushesWithoutCfi();
__asm__(
    ".text\n"
    ".type TrapBehindPushesWithoutCfi, @function\n"
    "TrapBehindPushesWithoutCfi:\n"
    "push %rbx\n"
    "push %rbp\n"
    "push %r12\n"
    "mov $0x1235, %ebp\n"
    "int3\n"
    "pop %r12\n"
    "pop %rbp\n"
    "pop %rbx\n"
    "ret\n"
    ".size TrapBehindPushesWithoutCfi, .-TrapBehindPushesWithoutCfi\n");

// A leaf that has made room for 16 words, and has written a few of them. One of the others holds `old`, the return
// address of an earlier call (OpenBLAS's kernels).
extern "C" void TrapAboveAnOldWordWithoutCfi(uintptr_t old);
__asm__(
    ".text\n"
    ".type TrapAboveAnOldWordWithoutCfi, @function\n"
    "TrapAboveAnOldWordWithoutCfi:\n"
    "sub $128, %rsp\n"
    "mov %rbx, (%rsp)\n"
    "mov %rbp, 8(%rsp)\n"
    "mov %rdi, 88(%rsp)\n"
    "movq $0, 104(%rsp)\n"  // where the caller of that call would be
    "mov $0x1235, %ebp\n"
    "int3\n"
    "mov 8(%rsp), %rbp\n"
    "add $128, %rsp\n"
    "ret\n"
    ".size TrapAboveAnOldWordWithoutCfi, .-TrapAboveAnOldWordWithoutCfi\n");

// A leaf that has saved six registers in `words` words. It has realigned its stack far below, for a buffer, and keeps
// the old stack pointer in rbx or r15, as OpenBLAS's kernels do. It writes to its other words and to the buffer.
#define ZERO_WORDS(words) "mov $" #words ", %ecx\n1: movq $0, -8(%rsp,%rcx,8)\ndec %ecx\njnz 1b\n"
#define TRAP_REALIGNED(name, words, old_sp) \
  extern "C" void name();                   \
  __asm__(".text\n.type " #name ", @function\n" #name ":\n"                                    \
          "sub $8*" #words ", %rsp\n" ZERO_WORDS(words)                                        \
          "mov %rbx, (%rsp)\nmov %rbp, 8(%rsp)\nmov %r12, 16(%rsp)\n"                          \
          "mov %r13, 24(%rsp)\nmov %r14, 32(%rsp)\nmov %r15, 40(%rsp)\n"                       \
          "mov %rsp, %" #old_sp "\nsub $0x2080, %rsp\nand $-4096, %rsp\n" ZERO_WORDS(32)       \
          "mov $0x1235, %ebp\nint3\nmov %" #old_sp ", %rsp\n"                                  \
          "mov (%rsp), %rbx\nmov 8(%rsp), %rbp\nmov 40(%rsp), %r15\n"                          \
          "add $8*" #words ", %rsp\nret\n.size " #name ", .-" #name "\n")
TRAP_REALIGNED(TrapRealignedByRbx, 8, rbx);
TRAP_REALIGNED(TrapRealignedByR15, 16, r15);

namespace ompprof::collect {
namespace {

using CallerGuessTest = WalkTest;

TEST_F(CallerGuessTest, ThroughCodeWithoutCfiThatRealignsItsStack) {
  TAKE_OUTER();
  for (const uintptr_t alignment : {16, 32, 64}) {
    CallRealignedWithoutCfi(TakeHere, &cfi_, alignment);
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer)) << alignment;
    EXPECT_EQ(g_trace.count, g_outer.count + 2) << alignment;
  }
}

TEST_F(CallerGuessTest, ThroughCodeWithoutCfiByItsFramePointer) {
  TAKE_OUTER();
  CallWithoutCfi(TakeHere, &cfi_);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 2);
}

TEST_F(CallerGuessTest, FromALeafWithoutCfi) {
  TAKE_OUTER();
  Install(SIGTRAP, TakeInHandler);
  TrapWithoutCfi();
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 1);
}

TEST_F(CallerGuessTest, FromALeafWithoutCfiThatHasPushedRegisters) {
  TAKE_OUTER();
  Install(SIGTRAP, TakeInHandler);
  TrapBehindPushesWithoutCfi();
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 1);
}

__attribute__((noinline)) uintptr_t ReturnAddress() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

// A return address whose function has a frame without a frame pointer. From the wrong place on the stack, the walk
// cannot go on.
__attribute__((noinline, optimize("omit-frame-pointer"))) uintptr_t OldReturnAddress() {
  const uintptr_t old = ReturnAddress();
  __asm__ volatile("" ::: "rbx", "memory");
  return old;
}

TEST_F(CallerGuessTest, FromALeafWithoutCfiWithAnOldWordOnItsStack) {
  TAKE_OUTER();
  Install(SIGTRAP, TakeInHandler);
  TrapAboveAnOldWordWithoutCfi(OldReturnAddress());
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 1);
}

TEST_F(CallerGuessTest, FromALeafWithoutCfiThatHasRealignedItsStack) {
  for (void (*const leaf)() : {TrapRealignedByRbx, TrapRealignedByR15}) {
    TAKE_OUTER();
    Install(SIGTRAP, TakeInHandler);
    leaf();
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
    EXPECT_EQ(g_trace.count, g_outer.count + 1);
  }
}

// The leaf has saved the frame pointer, which gives the callers' frames.
__attribute__((noinline, optimize("no-omit-frame-pointer"))) void CallBelowAFramePointer(void (*leaf)(), size_t size) {
  volatile char* const room = static_cast<volatile char*>(__builtin_alloca(size));
  room[0] = 1;
  leaf();
  room[size - 1] = 2;
}

TEST_F(CallerGuessTest, FromALeafThatHasSavedItsCallersFramePointer) {
  for (void (*const leaf)() : {TrapBehindPushesWithoutCfi, TrapRealignedByRbx, TrapRealignedByR15}) {
    TAKE_OUTER();
    Install(SIGTRAP, TakeInHandler);
    CallBelowAFramePointer(leaf, 1000);
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
    EXPECT_EQ(g_trace.count, g_outer.count + 2);
  }
}

}  // namespace
}  // namespace ompprof::collect
