// Stacks with unreadable pages in the way of a walk of frames. The program itself does not touch these pages.
//   stack_pages carved|carved_without_cfi|barrier|barrier_by_number [MS]
// Each mode does its work on the main thread's stack and on another thread's.
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "truth.h"

TRUTH_WORK(host_work)

static double ms;
static truth::Account work("function", "host_work");
static constexpr uintptr_t kPage = 4096;
static constexpr size_t kPart = 16 * kPage;

static void Work(double part) {
  const truth::Timed timed(work);
  host_work(truth::Iterations(ms * part));
}

static bool by_number;  // makes the system call through syscall()

static bool Protect(uintptr_t page, int protection) {
  if (by_number) return syscall(SYS_mprotect, page, kPage, protection) == 0;
  return mprotect(reinterpret_cast<void*>(page), kPage, protection) == 0;
}

// Calls function() with the stack pointer at `top`. From there on each of the two tells something wrong about its
// frame. The CFI of the first puts its CFA above `top`. The second has no CFI, and its frame pointer does so.
extern "C" void CallOnCarved(uintptr_t top, void (*function)());
extern "C" void CallOnCarvedWithoutCfi(uintptr_t top, void (*function)());
__asm__(
    ".text\n"
    ".type CallOnCarved, @function\n"
    "CallOnCarved:\n"
    ".cfi_startproc\n"
    "push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    "mov %rsp, %rbx\n"
    "mov %rdi, %rsp\n"
    "call *%rsi\n"
    "mov %rbx, %rsp\n"
    "pop %rbx\n"
    ".cfi_adjust_cfa_offset -8\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size CallOnCarved, .-CallOnCarved\n"
    ".type CallOnCarvedWithoutCfi, @function\n"
    "CallOnCarvedWithoutCfi:\n"
    "push %rbx\n"
    "push %rbp\n"
    "mov %rsp, %rbx\n"
    "mov %rdi, %rsp\n"
    "mov %rdi, %rbp\n"
    "call *%rsi\n"
    "mov %rbx, %rsp\n"
    "pop %rbp\n"
    "pop %rbx\n"
    "ret\n"
    ".size CallOnCarvedWithoutCfi, .-CallOnCarvedWithoutCfi\n");

// A stack carved out of this one. Its last word is at the end of a page, and the next page is a guard. In every other
// turn the guard is open, so that walks pass over it.
static bool Carved(void (*call)(uintptr_t, void (*)())) {
  alignas(4096) volatile char part[kPart];
  for (size_t at = 0; at < kPart; at += kPage) part[at] = 0;
  const uintptr_t guard = reinterpret_cast<uintptr_t>(part) + kPart - 4 * kPage;
  bool done = true;
  for (int turn = 0; turn < 10; turn++) {
    call(guard, [] { Work(0.025); });
    done = done && Protect(guard, PROT_NONE);
    call(guard, [] { Work(0.025); });
    done = done && Protect(guard, PROT_READ | PROT_WRITE);
  }
  return done;
}

// The frames above this function's frame are unreadable while it works, and readable in between. A garbage collector's
// barrier does the same.
extern "C" __attribute__((noinline)) void WorkBelow(uintptr_t barrier, bool* done) {
  volatile char apart[4 * kPage];  // this function's own words are in no protected page
  apart[0] = 0;
  asm volatile("" ::"r"(apart));
  for (int turn = 0; turn < 10; turn++) {
    Work(0.025);
    const bool closed = Protect(barrier, PROT_NONE);
    Work(0.025);
    const bool opened = Protect(barrier, PROT_READ | PROT_WRITE);
    *done = *done && closed && opened;
  }
}

// `depth` frames of some 500 bytes. They fill the protected page, four pages above the innermost frame.
extern "C" __attribute__((noinline)) void Deeper(int depth, bool* done) {
  volatile char frame[400];
  frame[0] = 0;
  if (depth > 0) {
    Deeper(depth - 1, done);
  } else {
    WorkBelow((reinterpret_cast<uintptr_t>(frame) & ~(kPage - 1)) + 4 * kPage, done);
  }
  TRUTH_NO_TAIL_CALL();
}

static bool Barrier() {
  static bool done;
  done = true;
  Deeper(100, &done);
  return done;
}

static const char* mode;

static bool Run() {
  if (strcmp(mode, "carved") == 0) return Carved(CallOnCarved);
  if (strcmp(mode, "carved_without_cfi") == 0) return Carved(CallOnCarvedWithoutCfi);
  return Barrier();
}

int main(int argc, char** argv) {
  mode = argc > 1 ? argv[1] : "barrier";
  by_number = strcmp(mode, "barrier_by_number") == 0;
  ms = static_cast<double>(truth::Argument(argc, argv, 2, 1000));
  truth::Iterations(1);
  const bool in_main = Run();
  static bool in_thread;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        in_thread = Run();
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  printf("done in main %d, in a thread %d\n", in_main, in_thread);
  work.Print();
  truth::PrintProcess();
  return in_main && in_thread ? 7 : 1;
}
