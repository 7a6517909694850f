// Walks at every instruction. With the processor's trap flag set, each instruction of a function and of its callees
// ends in SIGTRAP. From each instruction the walk must arrive at the same callers. The functions have prologues,
// epilogues, lazy binding through the PLT and realigned stacks; some are in the vDSO.
#include <alloca.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <memory>

#include "tests/unit/collect/unwind/walk_fixture.h"

namespace ompprof::collect {
namespace {

struct Stepping {
  std::unique_ptr<Walker> walker;
  Trace outer;
  Trace here;
  unsigned steps;
  unsigned failures;
  uintptr_t failed_pc[8];
};
Stepping g;

void OnTrap(int, siginfo_t*, void* context) {
  g.walker->Walk(static_cast<const ucontext_t*>(context), &g.here);
  ++g.steps;
  if (!EndsInCallersOf(g.here, g.outer)) {
    if (g.failures < 8) g.failed_pc[g.failures] = g.here.frames[0].pc;
    ++g.failures;
  }
}

// pushf uses the stack, so step over the red zone first. Meanwhile rbp gives the frame.
#define XOR_TRAP_FLAG()          \
  __asm__ volatile(              \
      "lea -128(%%rsp), %%rsp\n" \
      "pushfq\n"                 \
      "xorq $0x100, (%%rsp)\n"   \
      "popfq\n"                  \
      "lea 128(%%rsp), %%rsp\n"  \
      :                          \
      :                          \
      : "memory", "cc")

__attribute__((noinline, optimize("no-omit-frame-pointer"))) void StepThrough(void (*body)()) {
  ucontext_t context;
  CaptureContext(&context);
  g.walker->Walk(&context, &g.outer);
  XOR_TRAP_FLAG();
  body();
  XOR_TRAP_FLAG();
}

class SingleStepTest : public testing::Test {
 protected:
  void SetUp() override {
    g.walker = std::make_unique<Walker>(CfiUnwinder());
    g.steps = g.failures = 0;
    struct sigaction action = {};
    action.sa_sigaction = OnTrap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, nullptr);
  }

  void Expect(void (*body)(), unsigned at_least) {
    StepThrough(body);
    EXPECT_EQ(g.outer.end, WalkEnd::kRoot);
    EXPECT_GE(g.steps, at_least);
    EXPECT_EQ(g.failures, 0u);
    for (unsigned i = 0; i < g.failures && i < 8; ++i) {
      char line[128];
      snprintf(line, sizeof(line), "0x%lx", g.failed_pc[i]);
      ADD_FAILURE() << "no walk from " << line << " of " << g.steps << " steps";
    }
    RecordProperty("steps", static_cast<int>(g.steps));
  }
};

volatile int g_sink;

int CompareInts(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }

// The first call of each library function goes through ld.so's resolver (the test links with -z lazy). The resolver's
// frame is in rbx.
TEST_F(SingleStepTest, LazyBindingAndQsort) {
  Expect(
      [] {
        int values[] = {5, 3, 9, 1, 7, 2, 8};
        qsort(values, 7, sizeof(int), CompareInts);
        g_sink = values[0] + static_cast<int>(strtol("12345", nullptr, 10)) + rand() + ffsl(values[1]);
      },
      1000);
}

TEST_F(SingleStepTest, PrintfAndAllocation) {
  Expect(
      [] {
        char text[128];
        g_sink = snprintf(text, sizeof(text), "%d %s %.3f %p", 42, "words", 3.25, static_cast<void*>(text));
        void* memory = malloc(100);
        memory = realloc(memory, 100000);
        free(memory);
      },
      1000);
}

__attribute__((noinline)) int Realign(int n) {
  alignas(64) volatile char block[64];
  auto* variable = static_cast<volatile char*>(alloca(static_cast<size_t>(n) * 32 + 16));
  block[n] = static_cast<char>(n);
  variable[n] = block[n];
  return n == 0 ? variable[0] : Realign(n - 1) + block[n];
}

TEST_F(SingleStepTest, RealignedStacks) {
  Expect([] { g_sink = Realign(6); }, 100);
}

TEST_F(SingleStepTest, Vdso) {
  Expect(
      [] {
        timespec now;
        for (int i = 0; i < 3; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
        g_sink = static_cast<int>(now.tv_nsec);
      },
      50);
}

TEST_F(SingleStepTest, OptimizedWithoutFramePointer) {
  struct Deep {
    __attribute__((noinline, optimize("omit-frame-pointer")))  //
    static unsigned
    Call(unsigned n, unsigned a, unsigned b, unsigned c) {
      if (n == 0) return a + b * c;
      const unsigned left = Call(n - 1, b, c, a);
      const unsigned right = Call(n / 2, c, a, left);
      return left * 31 + right + a * b + c;
    }
  };
  Expect([] { g_sink = static_cast<int>(Deep::Call(8, 1, 2, 3) & 0xffff); }, 200);
}

// Frames of different sizes: a walk that takes a frame for another must not arrive by luck.
template <int kDepth>
__attribute__((noinline, optimize("omit-frame-pointer"))) int ThrowAt() {
  struct Cleanup {
    ~Cleanup() { g_sink = g_sink + 1; }
  } cleanup;
  volatile char scratch[8 + 48 * kDepth];
  scratch[kDepth] = kDepth;
  g_sink = scratch[kDepth];
  if constexpr (kDepth == 0) {
    throw kDepth;
  } else {
    return ThrowAt<kDepth - 1>() + 1;
  }
}

// While libgcc installs the registers of a landing pad, it overwrites registers that its callers saved, and no CFI
// describes that. Where the stack pointer gives the frame, walks fail at some instructions of _Unwind_RaiseException.
TEST_F(SingleStepTest, ThrowAndCatch) {
  StepThrough([] {
    try {
      ThrowAt<5>();
    } catch (int) {
      g_sink = 0;
    }
  });
  EXPECT_GT(g.steps, 5000u);
  EXPECT_LT(g.failures, g.steps / 50);
  printf("%u of %u walks failed\n", g.failures, g.steps);
}

}  // namespace
}  // namespace ompprof::collect
