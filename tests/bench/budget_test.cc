// The most that a sample may cost, as ratios and counts that hold on any machine and under any load. scripts/bench
// prints the times themselves.
#include <dlfcn.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/bench/deep_stack.h"
#include "tests/bench/sampled_thread.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

// Calls function() with a frame whose CFA is in rbx; an expression gives rbx. Such CFI takes a walk with all registers.
extern "C" void CallWithFrameInRbx(void (*function)());
__asm__(
    ".text\n"
    ".type CallWithFrameInRbx, @function\n"
    "CallWithFrameInRbx:\n"
    ".cfi_startproc\n"
    "push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    "mov %rsp, %rbx\n"
    ".cfi_def_cfa_register %rbx\n"
    ".cfi_escape 0x10, 3, 2, 0x73, 0\n"  // rbx is saved at [rbx + 0]
    "and $-16, %rsp\n"
    "call *%rdi\n"
    "mov %rbx, %rsp\n"
    "pop %rbx\n"
    ".cfi_def_cfa %rsp, 8\n"
    ".cfi_same_value %rbx\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size CallWithFrameInRbx, .-CallWithFrameInRbx\n");

namespace ompprof::bench {
namespace {

constexpr int kRounds = 50;
constexpr int kSamples = 200;

// The least CPU time of a sample in many rounds: its cost when nothing disturbs it.
template <typename Sample>
double LeastNs(Sample sample) {
  double least = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t begin = CpuNs();
    for (int i = 0; i < kSamples; ++i) sample();
    least = std::min(least, static_cast<double>(CpuNs() - begin) / kSamples);
  }
  return least;
}

// Measured: 0.27 us against 3.7 us, a fourteenth.
TEST(Budget, ASampleOf32FramesCostsLessThanHalfOfGlibcsBacktrace) {
  double ours = 0, glibc = 0;
  uint64_t lost = 0;
  OnNewThread([&] {
    const SampledThread thread(collect::CfiUnwinder(), &collect::kOnCpuTimer);
    InHandlerAt(25, [&](ucontext_t* context) {
      static void* frames[64];
      ASSERT_GE(backtrace(frames, 64), 32);
      ours = LeastNs([&] {
        thread.Take(context);
        thread.Drain();
      });
      glibc = LeastNs([&] { backtrace(frames, 64); });
    });
    for (const auto& counter : thread.state()->paths.lost) lost += counter.samples;
  });
  EXPECT_EQ(lost, 0u);
  EXPECT_GT(ours, 0);
  EXPECT_LT(ours, 0.5 * glibc);
}

// An alternate stack of 8 KiB has 4.8 KiB left where the kernel saves AVX-512 registers.
constexpr long kStackOfASample = 2560;
constexpr unsigned char kPaint = 0xa5;

const SampledThread* g_sampled;
alignas(64) unsigned char g_stack[64 << 10];
long g_used;

// On g_stack: takes a sample of the interrupted code, and looks how far down the sample wrote.
void SampleOnPaintedStack(int, siginfo_t*, void* context) {
  static siginfo_t info;
  g_sampled->BeDue();
  info = g_sampled->Signal();
  static void (*const handler)(int, siginfo_t*, void*) = SampledThread::Handler();
  auto* const here = static_cast<unsigned char*>(__builtin_frame_address(0));
  unsigned char* const below = here - 512;  // beside this function's own frame
  for (volatile unsigned char* at = g_stack; at < below; ++at) *at = kPaint;
  handler(SIGPROF, &info, context);
  const unsigned char* lowest = g_stack;
  while (lowest < below && *lowest == kPaint) ++lowest;
  g_used = here - lowest;
}

// The part of the stack that a sample needs when `call` raises SIGUSR2.
template <typename Call>
void ExpectSmallStack(Call call) {
  OnNewThread([&] {
    const SampledThread thread(collect::CfiUnwinder(), &collect::kOnCpuTimer);
    g_sampled = &thread;
    const stack_t stack = {g_stack, 0, sizeof(g_stack)};
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = SampleOnPaintedStack;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR2, &action, nullptr);
    for (int i = 0; i < 3; ++i) {
      collect::InvalidateUnwindCaches();
      g_used = 0;
      const uint64_t before = thread.state()->paths.ring.head();
      call();
      EXPECT_EQ(thread.state()->paths.ring.head(), before + 1);
      EXPECT_GT(thread.state()->paths.buffer.last_size, 6u) << "a whole stack";
      EXPECT_GT(g_used, 512) << "what was painted must have been written to";
      EXPECT_LE(g_used, kStackOfASample);
    }
    const stack_t none = {nullptr, SS_DISABLE, 0};
    sigaltstack(&none, nullptr);
    thread.Drain();
  });
}

TEST(Budget, StackOfASampleInALibraryThatMayGo) {
  void* const library = dlopen("tests/unit/collect/unwind/libreloaded.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto reloaded = reinterpret_cast<int (*)(int (*)(int), int)>(dlsym(library, "Reloaded"));
  ASSERT_NE(reloaded, nullptr);
  ExpectSmallStack([&] { reloaded([](int number) { return raise(number); }, SIGUSR2); });
  dlclose(library);
}

TEST(Budget, StackOfASampleThatNeedsAllRegisters) {
  ExpectSmallStack([] { CallWithFrameInRbx([] { raise(SIGUSR2); }); });
}

// Samples in a known place add no nodes: the file of a long run does not grow with its stacks' depth.
TEST(Budget, TheSameStackAddsNoNodes) {
  uint32_t first = 0, last = 0;
  OnNewThread([&] {
    const SampledThread thread(collect::CfiUnwinder(), &collect::kOnCpuTimer);
    InHandlerAt(121, [&](ucontext_t* context) {
      thread.Take(context);
      first = thread.state()->paths.slot->tree.size();
      for (int i = 0; i < 100; ++i) {
        thread.Take(context);
        thread.Drain();
      }
      last = thread.state()->paths.slot->tree.size();
    });
  });
  EXPECT_GE(first, 128u);
  EXPECT_EQ(last, first);
}

// The size of the whole file, modules and tree included, over the samples that it stands for.
TEST(Budget, BytesWrittenPerSample) {
  testing::Launch launch;
  launch.program = "demo_heat";
  launch.arguments = {"2"};
  const testing::Outcome run = testing::RunProgram(launch);
  ASSERT_TRUE(run.Exited(0)) << run.Describe();
  ASSERT_EQ(run.profiles.size(), 1u) << run.Describe();
  const testing::Profile profile(run.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  struct stat file;
  ASSERT_EQ(stat(run.profiles[0].c_str(), &file), 0);
  ASSERT_GT(profile.Samples(), 500) << "demo_heat 2 runs for more than a second of CPU time";
  EXPECT_LT(static_cast<double>(file.st_size) / profile.Samples(), 24) << file.st_size << " bytes";
}

}  // namespace
}  // namespace ompprof::bench
