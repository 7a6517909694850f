// Walks over real stacks: each test knows who called whom.
#include <errno.h>
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <memory>

#include "tests/unit/collect/unwind/walk_fixture.h"

// Calls function(argument) with a frame whose CFA is in rbx. The fast walk cannot follow such CFI.
extern "C" void CallWithFrameInRbx(void (*function)(void*), void* argument);
__asm__(
    ".text\n"
    ".type CallWithFrameInRbx, @function\n"
    "CallWithFrameInRbx:\n"
    ".cfi_startproc\n"
    "push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_offset %rbx, -16\n"
    "mov %rsp, %rbx\n"
    ".cfi_def_cfa_register %rbx\n"
    "sub $72, %rsp\n"
    "and $-16, %rsp\n"
    "mov %rdi, %rax\n"
    "mov %rsi, %rdi\n"
    "call *%rax\n"
    "mov %rbx, %rsp\n"
    ".cfi_def_cfa_register %rsp\n"
    "pop %rbx\n"
    ".cfi_adjust_cfa_offset -8\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size CallWithFrameInRbx, .-CallWithFrameInRbx\n");

// In libconstructed.so. Its constructor calls the second function.
extern "C" int HasConstructor();
extern "C" void CallFromConstructor();

namespace ompprof::collect {
namespace {

// The walks that CallFromConstructor took, before this file's own variables were initialized: the fast walk and the
// other.
struct FromConstructor {
  Trace fast, slow;
};
FromConstructor& TakenInConstructor() {
  static FromConstructor taken;
  return taken;
}

sigjmp_buf g_jump;  // of a handler that leaves by it

void TakeInHandlerAndJump(int, siginfo_t*, void* context) {
  g_walker->Walk(static_cast<const ucontext_t*>(context), &g_trace);
  siglongjmp(g_jump, 1);
}

// The thread sanitizer takes signals itself and calls handlers later, from another stack. A handler would then not walk
// the interrupted stack.
#if defined(__SANITIZE_THREAD__)
#define NEEDS_THE_KERNELS_SIGNAL_FRAMES() GTEST_SKIP() << "the thread sanitizer calls signal handlers by itself"
#else
#define NEEDS_THE_KERNELS_SIGNAL_FRAMES()
#endif

TEST_F(WalkTest, FromACallbackToTheRoot) {
  TAKE_OUTER();
  TakeHere(&cfi_);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 1);
  EXPECT_FALSE(g_trace.frames[0].return_address);
  EXPECT_TRUE(g_trace.frames[1].return_address);
  for (uint32_t i = 1; i < g_trace.count; ++i) EXPECT_GT(g_trace.frames[i].cfa, g_trace.frames[i - 1].cfa);
}

TEST_F(WalkTest, CheckedReadsGiveTheSame) {
  TAKE_OUTER();
  TakeHere(&checked_);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
}

TEST_F(WalkTest, LibunwindAgrees) {
  char error[256];
  const Unwinder* engine = LibunwindUnwinder(error, sizeof(error));
  if (engine == nullptr) GTEST_SKIP() << error;
  TAKE_OUTER();
  Walker libunwind(engine);
  TakeHere(&libunwind);
  ASSERT_EQ(g_trace.count, g_outer.count + 1);
  for (uint32_t i = 1; i < g_outer.count; ++i) EXPECT_EQ(g_trace.frames[i + 1].pc, g_outer.frames[i].pc);
}

TEST_F(WalkTest, FromAHandlerIncludingWhatItInterrupted) {
  TAKE_OUTER();
  Install(SIGUSR1, TakeInHandler);
  raise(SIGUSR1);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
}

void RaiseInHandler(int, siginfo_t*, void*) { raise(SIGUSR1); }

// The walk passes the outer handler's trampoline. The trampoline's frame is known: it is not a return address.
void ExpectThroughSignalFrame() {
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  unsigned interrupted = 0;
  for (uint32_t i = 1; i < g_trace.count; ++i) interrupted += !g_trace.frames[i].return_address;
  EXPECT_EQ(interrupted, 2u);  // the trampoline and the frame below it
}

TEST_F(WalkTest, ThroughASignalFrame) {
  NEEDS_THE_KERNELS_SIGNAL_FRAMES();
  TAKE_OUTER();
  Install(SIGUSR1, TakeInHandler);
  Install(SIGUSR2, RaiseInHandler);
  raise(SIGUSR2);
  ExpectThroughSignalFrame();
}

TEST_F(WalkTest, FromAnAlternateStackToTheThreadsOwn) {
  NEEDS_THE_KERNELS_SIGNAL_FRAMES();
  TAKE_OUTER();
  const auto memory = std::make_unique<char[]>(1 << 16);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = 1 << 16;
  ASSERT_EQ(sigaltstack(&stack, nullptr), 0);
  Install(SIGUSR1, TakeInHandler);
  Install(SIGUSR2, RaiseInHandler, SA_ONSTACK);
  raise(SIGUSR2);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  ExpectThroughSignalFrame();
}

int CompareAndTake(const void* a, const void* b) {
  TakeHere(g_walker);
  return memcmp(a, b, sizeof(int));
}

TEST_F(WalkTest, ThroughQsort) {
  TAKE_OUTER();
  int values[] = {3, 1, 2, 5, 4};
  qsort(values, 5, sizeof(int), CompareAndTake);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_GE(g_trace.count, g_outer.count + 3);
}

TEST_F(WalkTest, ThroughAFrameThatNeedsAnotherRegister) {
  TAKE_OUTER();
  CallWithFrameInRbx(TakeHere, &cfi_);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 2);
}

void CallAgain(void* walker) { CallWithFrameInRbx(TakeHere, walker); }

void TakeBySingleFrames(void* walker) {
  ucontext_t context;
  CaptureContext(&context);
  static_cast<Walker*>(walker)->Walk(&context, &g_trace, 1);
}

TEST_F(WalkTest, ThroughSuchFramesInPieces) {
  TAKE_OUTER();
  CallWithFrameInRbx(CallAgain, &cfi_);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  CallWithFrameInRbx(TakeBySingleFrames, &cfi_);
  EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  EXPECT_EQ(g_trace.count, g_outer.count + 2);
}

__attribute__((noinline)) void CallAt(uintptr_t target) {
  if (sigsetjmp(g_jump, 1) == 0) reinterpret_cast<void (*)()>(target)();
}

TEST_F(WalkTest, FromACallThroughABadPointer) {
  for (const uintptr_t target : {uintptr_t{0}, uintptr_t{1}, uintptr_t{0x1000}, uintptr_t{1} << 46}) {
    TAKE_OUTER();
    Install(SIGSEGV, TakeInHandlerAndJump, SA_NODEFER);
    CallAt(target);
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer)) << target;
    EXPECT_EQ(g_trace.count, g_outer.count + 2);
    EXPECT_EQ(g_trace.frames[0].pc, target);
  }
  signal(SIGSEGV, SIG_DFL);
}

__attribute__((noinline)) int Recurse(int depth, Walker* walker, uint32_t step) {
  if (depth == 0) {
    ucontext_t context;
    CaptureContext(&context);
    walker->Walk(&context, &g_trace, step);
    return 1;
  }
  volatile int below = Recurse(depth - 1, walker, step);
  return below + 1;
}

TEST_F(WalkTest, ContinuesWhereALimitStoppedIt) {
  TAKE_OUTER();
  auto whole = std::make_unique<Trace>();
  EXPECT_EQ(Recurse(300, &cfi_, Trace::kMax), 301);
  *whole = g_trace;
  EXPECT_TRUE(EndsInCallersOf(*whole, g_outer));
  EXPECT_EQ(whole->count, g_outer.count + 301);
  for (const uint32_t step : {1u, 2u, 7u, 64u}) {
    Recurse(300, &cfi_, step);
    EXPECT_EQ(g_trace.count, whole->count) << step;
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer)) << step;
  }
}

thread_local uint32_t g_left, g_fills;

__attribute__((noinline)) int RecurseWithFuel(int depth, Walker* walker) {
  if (depth == 0) {
    ucontext_t context;
    CaptureContext(&context);
    Fuel fuel;  // none in it yet
    g_fills = 0;
    walker->Walk(&context, &g_trace, Trace::kMax, &fuel, g_left, &g_fills);
    return 1;
  }
  volatile int below = RecurseWithFuel(depth - 1, walker);
  return below + 1;
}

TEST_F(WalkTest, StopsWithoutFuelAndGoesOnWithMore) {
  TAKE_OUTER();
  for (const uint32_t left : {50u, 100u, 250u}) {
    g_left = left;
    InvalidateUnwindCaches();  // rules are looked up, at a price of their own
    EXPECT_EQ(RecurseWithFuel(300, &cfi_), 301);
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer)) << left;
    EXPECT_EQ(g_trace.count, g_outer.count + 301) << left;
    EXPECT_GE(g_fills, g_trace.count / left) << left;
    EXPECT_LE(g_fills, g_trace.count / left + 40) << left;
  }
}

TEST_F(WalkTest, SaysLimitWhenThereIsMoreAndNothingAfterTheEnd) {
  ucontext_t context;
  CaptureContext(&context);
  const Unwinder* engine = CfiUnwinder();
  void* state = calloc(1, engine->state_bytes);
  engine->init_thread(state, ThisStack());
  Cursor cursor;
  Frame frames[Trace::kMax];
  engine->start(state, &context, &cursor);
  WalkResult result = engine->walk(state, &cursor, frames, 3);
  EXPECT_EQ(result.end, WalkEnd::kLimit);
  EXPECT_EQ(result.frames, 3u);
  EXPECT_EQ(cursor.frames_done, 3u);
  result = engine->walk(state, &cursor, frames, Trace::kMax);
  EXPECT_EQ(result.end, WalkEnd::kRoot);
  result = engine->walk(state, &cursor, frames, Trace::kMax);
  EXPECT_EQ(result.end, WalkEnd::kRoot);
  EXPECT_EQ(result.frames, 0u);
  free(state);
}

TEST_F(WalkTest, TheSameAfterInvalidation) {
  TAKE_OUTER();
  for (int i = 0; i < 3; ++i) {
    InvalidateUnwindCaches();
    TakeHere(&cfi_);
    EXPECT_TRUE(EndsInCallersOf(g_trace, g_outer));
  }
}

volatile unsigned g_handler_walks, g_handler_failures;

void TakeInTimer(int, siginfo_t*, void* context) {
  static Trace trace;
  g_walker->Walk(static_cast<const ucontext_t*>(context), &trace);
  g_handler_walks = g_handler_walks + 1;
  g_handler_failures = g_handler_failures + !EndsInCallersOf(trace, g_outer);
}

// The sampling handler's walk interrupts a callback's walk on the same cache. The cache is emptied again and again.
TEST_F(WalkTest, AHandlerMayInterruptAWalk) {
  NEEDS_THE_KERNELS_SIGNAL_FRAMES();
  TAKE_OUTER();
  Install(SIGUSR1, TakeInTimer);
  g_handler_walks = g_handler_failures = 0;
  struct sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer;
  ASSERT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  // Once for each walk of the loop that has seen the last one: of a period, handlers could take all the time.
  const itimerspec soon = {{0, 0}, {0, 50000}};
  unsigned failures = 0;
  unsigned seen = ~0u;
  for (unsigned i = 0; i < 300000 || g_handler_walks < 100; ++i) {
    if (i % 64 == 0) InvalidateUnwindCaches();
    if (const unsigned walks = g_handler_walks; walks != seen) {
      seen = walks;
      timer_settime(timer, 0, &soon, nullptr);
    }
    TakeHere(&cfi_);
    failures += !EndsInCallersOf(g_trace, g_outer);
  }
  timer_delete(timer);
  EXPECT_EQ(failures, 0u);
  EXPECT_EQ(g_handler_failures, 0u);
}

TEST_F(WalkTest, EndsOnWildRegistersWithoutFaulting) {
  ucontext_t context;
  CaptureContext(&context);
  auto& gregs = context.uc_mcontext.gregs;
  const greg_t wild[] = {0, 1, 8, -1, -8, -16, greg_t{1} << 62, 0x1000, gregs[REG_RSP] & ~4095, gregs[REG_RIP]};
  const ucontext_t good = context;
  errno = 4711;
  for (const greg_t pc : wild) {
    for (const greg_t sp : wild) {
      for (const greg_t fp : wild) {
        context = good;
        gregs[REG_RIP] = pc;
        gregs[REG_RSP] = sp;
        gregs[REG_RBP] = fp;
        cfi_.Walk(&context, &g_trace);
        EXPECT_LT(g_trace.count, Trace::kMax);
        checked_.Walk(&context, &g_trace);
        EXPECT_LT(g_trace.count, Trace::kMax);
        Walker(FramePointerUnwinder(), {0, 0}).Walk(&context, &g_trace);
      }
    }
  }
  EXPECT_EQ(errno, 4711);
}

TEST_F(WalkTest, ANewThreadsStackEndsAtItsRoot) {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        Walker walker(CfiUnwinder());
        TakeHere(&walker);
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  EXPECT_EQ(g_trace.end, WalkEnd::kRoot);
  EXPECT_GE(g_trace.count, 4u);
}

// A function of libconstructed.so.
TEST(ConstructorTest, TheLoadersEntryIsTheRoot) {
  ASSERT_EQ(HasConstructor(), 1);
  for (const Trace* trace : {&TakenInConstructor().fast, &TakenInConstructor().slow}) {
    EXPECT_EQ(trace->end, WalkEnd::kRoot);
    EXPECT_GE(trace->count, 4u);  // this program, the library, and twice the loader
  }
}

TEST_F(WalkTest, FramePointersFollowTheSameCalls) {
  Walker fp(FramePointerUnwinder());
  Recurse(20, &cfi_, Trace::kMax);
  auto by_cfi = std::make_unique<Trace>(g_trace);
  Recurse(20, &fp, Trace::kMax);
  ASSERT_GE(g_trace.count, 21u);
  for (uint32_t i = 1; i < 21; ++i) {
    EXPECT_EQ(g_trace.frames[i].pc, by_cfi->frames[i].pc);
    EXPECT_EQ(g_trace.frames[i].cfa, by_cfi->frames[i].cfa);
  }
}

}  // namespace
}  // namespace ompprof::collect

void CallFromConstructor() {
  using namespace ompprof::collect;
  Walker walker(CfiUnwinder());
  TakeHere(&walker);
  TakenInConstructor().fast = g_trace;
  CallWithFrameInRbx([](void* with) { TakeHere(static_cast<Walker*>(with)); }, &walker);
  TakenInConstructor().slow = g_trace;
}
