// A program with an OpenMP runtime of its own, one thread, which tells its tool things that are not so, each time it is
// asked: from the first tenth of each region on, so that the tool has seen the truth before.
//   lying_runtime LIE [CPU_MS]
#include <x86intrin.h>

#include "small_runtime.h"

TRUTH_WORK(serial_work)
TRUTH_WORK(region_work)
TRUTH_WORK(late_work)

static truth::Account serial("path", "main;serial_part;serial_work"), region("path", "main;solve;region_work"),
    late("path", "main;solve;late_work");

// Of libhandler_clock.so: the runtime's own time is not the handler's.
extern "C" void handler_clock_foreign(uint64_t ticks) __attribute__((weak));

namespace runtime {

enum Lie {
  kNone,
  kEndless,         // explicit tasks within explicit tasks, without an end
  kEndlessRegions,  // the same of implicit tasks
  kDeep,            // 200,000 explicit tasks, to which the runtime goes one by one
  kCircle,          // three explicit tasks around each other
  kItself,          // a task around itself
  kLongCircle,      // a thousand around each other
  kChanging,        // something else at each question
  kWrongOrder,      // the frames of tasks lie the wrong way around
  kOutside,         // they lie outside the stack
  kUnaligned,       // and at odd addresses
  kUnknownState,    // states that no document knows
  kUnknownFlags,    // tasks of all kinds or of none
  kNull,            // no task data, no frame, no region
  kNearNull,        // where these would lie in a record at NULL
  kNothing,         // "unavailable now" (1) at every depth
  kEndsTwice,       // and once more: regions that have ended end again
  kSlow,            // an entry point returns after 0.3 ms
  kSlowEndless,     // tasks without an end, after 10 us each
  kLies
};
static const char* const kNames[kLies] = {
    "none",      "endless", "endless_regions", "deep",      "circle",        "itself",        "long_circle",
    "changing",  "order",   "outside",         "unaligned", "unknown_state", "unknown_flags", "null",
    "near_null", "nothing", "ends_twice",      "slow",      "slow_endless"};

static volatile int lie = kNone;  // the one that is told now
static uint64_t asked;
constexpr int kTasks = 1000;
static ompt_data_t explicit_data[kTasks];
static ompt_frame_t explicit_frames[kTasks];

static int Explicit(int which, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                    int* thread_num) {
  *flags = ompt_task_explicit;
  *task = &explicit_data[which];
  *frame = &explicit_frames[which];
  *parallel = &region_data;
  *thread_num = 0;
  return 2;
}

static void Spin(double us) {
  const uint64_t end = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) + static_cast<uint64_t>(us * 1000);
  while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

static int Lied(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                int* thread_num) {
  // As a thread within a task of a deep stack might have it, were it so.
  static ompt_data_t data[32];
  static ompt_frame_t made[32];
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const int which = level & 31;
  const auto say = [&](int kind, uint64_t exit, uint64_t enter) {
    made[which].exit_frame.value = exit;
    made[which].enter_frame.value = enter;
    made[which].exit_frame_flags = made[which].enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
    *flags = kind;
    *task = &data[which];
    *frame = &made[which];
    *parallel = &region_data;
    *thread_num = 0;
    return 2;
  };
  ++asked;
  switch (lie) {
    case kEndless:
      Explicit(0, flags, task, frame, parallel, thread_num);
      *task = nullptr;  // so that none can be known again
      return 2;
    case kSlowEndless:
      Spin(10);
      return Explicit(level % kTasks, flags, task, frame, parallel, thread_num);
    case kEndlessRegions:
      Explicit(level % kTasks, flags, task, frame, parallel, thread_num);
      *flags = ompt_task_implicit;
      return 2;
    case kDeep: {
      constexpr int kDeepest = 200000;
      volatile int walked = 0;
      while (walked < level && walked < kDeepest) walked = walked + 1;
      if (level >= kDeepest) return TaskInfo(level - kDeepest, flags, task, frame, parallel, thread_num);
      *task = nullptr;
      *frame = &explicit_frames[level % kTasks];
      *flags = ompt_task_explicit;
      return 2;
    }
    case kCircle:
      return Explicit(level % 3, flags, task, frame, parallel, thread_num);
    case kItself:
      return Explicit(0, flags, task, frame, parallel, thread_num);
    case kLongCircle:
      return Explicit(level % kTasks, flags, task, frame, parallel, thread_num);
    case kChanging: {
      const uint64_t chance = asked * 0x9e3779b97f4a7c15u >> 40;
      if (chance % 7 == 0) return 0;
      constexpr int kKinds[] = {ompt_task_explicit, ompt_task_implicit, ompt_task_initial, ompt_task_target};
      return say(kKinds[chance % 4], chance % 5 == 0 ? 0 : here + chance % 4096,
                 chance % 3 == 0 ? 0 : here + chance % 512);
    }
    case kWrongOrder:
      if (level >= 20) return 0;
      return say(level == 19      ? ompt_task_initial
                 : level % 4 == 3 ? ompt_task_implicit
                                  : ompt_task_explicit,
                 here + 4096 - level * 100, here + 8192 - level * 100);
    case kOutside: {
      if (level >= 6) return 0;
      const uint64_t kPlaces[] = {16,         UINT64_MAX - 7,   reinterpret_cast<uint64_t>(&made),
                                  1ull << 63, here - (1 << 20), reinterpret_cast<uint64_t>(&Spin)};
      return say(level == 5 ? ompt_task_initial : ompt_task_explicit, kPlaces[level], kPlaces[5 - level]);
    }
    case kUnaligned:
      if (level >= 3) return 0;
      return say(level == 2 ? ompt_task_initial : ompt_task_explicit, here + 1 + level * 333, here + 3 + level * 331);
    case kUnknownFlags: {
      const int kKinds[] = {0, -1, 0x7fffffff, 0x40000000, ompt_task_explicit | ompt_task_implicit};
      return level >= 100 ? 0 : say(kKinds[level % 5], 0, 0);
    }
    case kNull:
      if (level >= 4) return 0;
      say(level == 3 ? ompt_task_initial : level % 2 == 0 ? ompt_task_implicit : ompt_task_explicit, 0, 0);
      *task = *parallel = nullptr;
      *frame = nullptr;
      return 2;
    case kNearNull:
      if (level >= 4) return 0;
      say(level == 3 ? ompt_task_initial : level % 2 == 0 ? ompt_task_implicit : ompt_task_explicit, 0, 0);
      *task = reinterpret_cast<ompt_data_t*>(0x10);
      *parallel = reinterpret_cast<ompt_data_t*>(0x220);
      *frame = reinterpret_cast<ompt_frame_t*>(0x18);
      return 2;
    case kNothing:
      return 1;
    case kSlow:
      Spin(300);
      break;
  }
  return TaskInfo(level, flags, task, frame, parallel, thread_num);
}

static int GetState(ompt_wait_id_t* wait_id) {
  const uint64_t begin = __rdtsc();
  int said = state;
  *wait_id = 0;
  if (lie == kSlow) Spin(300);
  if (lie == kUnknownState) {
    constexpr int kStates[] = {-1, 0x7fffffff, 0x12345, -0x7fffffff - 1, 0x1ff, 0x202};
    said = kStates[++asked % 6];
    *wait_id = asked;
  }
  if (lie == kChanging) said = ++asked % 2 != 0 ? ompt_state_work_parallel : ompt_state_wait_critical;
  if (handler_clock_foreign != nullptr) handler_clock_foreign(__rdtsc() - begin);
  return said;
}

static int GetTaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                       int* thread_num) {
  const uint64_t begin = __rdtsc();
  const int result = lie == kNone ? TaskInfo(level, flags, task, frame, parallel, thread_num)
                                  : Lied(level, flags, task, frame, parallel, thread_num);
  if (handler_clock_foreign != nullptr) handler_clock_foreign(__rdtsc() - begin);
  return result;
}

}  // namespace runtime

static int wanted_lie;

TRUTH_FUNCTION void body(double ms) {
  {
    truth::Timed timed(region);
    region_work(truth::Iterations(ms * 0.1));
  }
  runtime::lie = wanted_lie;
  {
    truth::Timed timed(late);
    late_work(truth::Iterations(ms * 0.6));
  }
  runtime::lie = runtime::kNone;
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void solve(double ms) {
  runtime::fork_call(body, ms);
  for (int again = 0; wanted_lie == runtime::kEndsTwice && runtime::parallel_end != nullptr && again < 4; again++) {
    ++runtime::asked;
    runtime::parallel_end(&runtime::region_data, &runtime::task_data[1],
                          ompt_parallel_invoker_runtime | ompt_parallel_team, __builtin_return_address(0));
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void serial_part(double ms) {
  truth::Timed timed(serial);
  serial_work(truth::Iterations(ms * 0.3));
}

int main(int argc, char** argv) {
  for (int i = 0; i < runtime::kLies; i++) {
    if (argc > 1 && strcmp(argv[1], runtime::kNames[i]) == 0) wanted_lie = i;
  }
  if (argc < 2 || strcmp(argv[1], runtime::kNames[wanted_lie]) != 0) return 2;
  const double ms = static_cast<double>(truth::Argument(argc, argv, 2, 2000));
  runtime::Start("a runtime that lies");
  truth::Iterations(1);
  for (int round = 0; round < 4; round++) {
    solve(ms / 4);
    serial_part(ms / 4);
  }
  serial.Print();
  region.Print();
  late.Print();
  truth::PrintProcess();
  printf("truth count asked %llu\n", static_cast<unsigned long long>(runtime::asked));
  return 0;
}
