// A program with one thread and an OpenMP runtime of its own. The runtime lies to its tool at each question. Lies begin
// after the first tenth of each region, so that the tool has seen the truth before.
//   lying_runtime LIE [CPU_MS]
#include <x86intrin.h>

#include "small_runtime.h"

TRUTH_WORK(serial_work)
TRUTH_WORK(region_work)
TRUTH_WORK(late_work)

static truth::Account serial("path", "main;serial_part;serial_work"), region("path", "main;solve;region_work"),
    late("path", "main;solve;late_work");

// From libhandler_clock.so: it takes the runtime's own time off the handler's.
extern "C" void handler_clock_foreign(uint64_t ticks) __attribute__((weak));

namespace runtime {

// A question of ompt_get_task_info, and where its answer goes.
struct Question {
  int level;
  int* flags;
  ompt_data_t** task;
  ompt_frame_t** frame;
  ompt_data_t** parallel;
  int* thread_num;
  uint64_t stack;  // an address on the thread's stack
};

// How the runtime lies. An entry point that a lie leaves out says the truth.
struct Lie {
  const char* name;
  int (*task_info)(const Question& question);
  int (*state)(ompt_wait_id_t* wait_id);
  bool ends_twice;  // regions that have ended end again
};

static const Lie* volatile lie;  // told now, if any is
static uint64_t asked;           // how often a lie was told
constexpr int kTasks = 1000;
static ompt_data_t explicit_data[kTasks];
static ompt_frame_t explicit_frames[kTasks];

// The answer is one of a thousand explicit tasks.
static int Explicit(const Question& question, int which) {
  *question.flags = ompt_task_explicit;
  *question.task = &explicit_data[which];
  *question.frame = &explicit_frames[which];
  *question.parallel = &region_data;
  *question.thread_num = 0;
  return 2;
}

static int Truth(const Question& question) {
  return TaskInfo(question.level, question.flags, question.task, question.frame, question.parallel,
                  question.thread_num);
}

// The answer is a task of these flags with frames at these addresses, as a thread within a task of a deep stack might
// have it.
static ompt_data_t made_data[32];
static ompt_frame_t made_frames[32];
static int Made(const Question& question, int flags, uint64_t exit, uint64_t enter) {
  const int which = question.level & 31;
  made_frames[which].exit_frame.value = exit;
  made_frames[which].enter_frame.value = enter;
  made_frames[which].exit_frame_flags = made_frames[which].enter_frame_flags = kRuntimesFrame;
  *question.flags = flags;
  *question.task = &made_data[which];
  *question.frame = &made_frames[which];
  *question.parallel = &region_data;
  *question.thread_num = 0;
  return 2;
}

static void Spin(double us) {
  const uint64_t end = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) + static_cast<uint64_t>(us * 1000);
  while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

// Explicit tasks within explicit tasks, without an end.
static int Endless(const Question& question) {
  Explicit(question, 0);
  *question.task = nullptr;  // so that none can be known again
  return 2;
}

// Implicit tasks without an end.
static int EndlessRegions(const Question& question) {
  Explicit(question, question.level % kTasks);
  *question.flags = ompt_task_implicit;
  return 2;
}

// Tasks without an end, after 10 us each.
static int SlowEndless(const Question& question) {
  Spin(10);
  return Explicit(question, question.level % kTasks);
}

// 200,000 explicit tasks, to which the runtime goes one by one.
static int Deep(const Question& question) {
  constexpr int kDeepest = 200000;
  volatile int walked = 0;
  while (walked < question.level && walked < kDeepest) walked = walked + 1;
  if (question.level >= kDeepest) {
    Question below = question;
    below.level -= kDeepest;
    return Truth(below);
  }
  *question.task = nullptr;
  *question.frame = &explicit_frames[question.level % kTasks];
  *question.flags = ompt_task_explicit;
  return 2;
}

// Three explicit tasks around each other.
static int Circle(const Question& question) { return Explicit(question, question.level % 3); }

// A task around itself.
static int Itself(const Question& question) { return Explicit(question, 0); }

// A thousand tasks around each other.
static int LongCircle(const Question& question) { return Explicit(question, question.level % kTasks); }

// Another answer to each question.
static int Changing(const Question& question) {
  const uint64_t chance = asked * 0x9e3779b97f4a7c15u >> 40;
  if (chance % 7 == 0) return 0;
  constexpr int kKinds[] = {ompt_task_explicit, ompt_task_implicit, ompt_task_initial, ompt_task_target};
  return Made(question, kKinds[chance % 4], chance % 5 == 0 ? 0 : question.stack + chance % 4096,
              chance % 3 == 0 ? 0 : question.stack + chance % 512);
}

// The frames of tasks lie the wrong way around.
static int WrongOrder(const Question& question) {
  const int level = question.level;
  if (level >= 20) return 0;
  const int kind = level == 19 ? ompt_task_initial : level % 4 == 3 ? ompt_task_implicit : ompt_task_explicit;
  return Made(question, kind, question.stack + 4096 - level * 100, question.stack + 8192 - level * 100);
}

// The frames lie outside the stack.
static int Outside(const Question& question) {
  const int level = question.level;
  if (level >= 6) return 0;
  const uint64_t kPlaces[] = {16,
                              UINT64_MAX - 7,
                              reinterpret_cast<uint64_t>(&made_frames),
                              1ull << 63,
                              question.stack - (1 << 20),
                              reinterpret_cast<uint64_t>(&Spin)};
  return Made(question, level == 5 ? ompt_task_initial : ompt_task_explicit, kPlaces[level], kPlaces[5 - level]);
}

// The frames lie at odd addresses.
static int Unaligned(const Question& question) {
  const int level = question.level;
  if (level >= 3) return 0;
  return Made(question, level == 2 ? ompt_task_initial : ompt_task_explicit, question.stack + 1 + level * 333,
              question.stack + 3 + level * 331);
}

// Tasks of all kinds or of none.
static int UnknownFlags(const Question& question) {
  const int kKinds[] = {0, -1, 0x7fffffff, 0x40000000, ompt_task_explicit | ompt_task_implicit};
  return question.level >= 100 ? 0 : Made(question, kKinds[question.level % 5], 0, 0);
}

// Four tasks without frames, the outermost the initial one.
static int FourTasks(const Question& question) {
  const int level = question.level;
  if (level >= 4) return 0;
  return Made(question,
              level == 3       ? ompt_task_initial
              : level % 2 == 0 ? ompt_task_implicit
                               : ompt_task_explicit,
              0, 0);
}

// No task data, no frame, no region.
static int Null(const Question& question) {
  const int answer = FourTasks(question);
  if (answer == 0) return 0;
  *question.task = *question.parallel = nullptr;
  *question.frame = nullptr;
  return answer;
}

// Task data, frame and region where they would lie in a record at NULL.
static int NearNull(const Question& question) {
  const int answer = FourTasks(question);
  if (answer == 0) return 0;
  *question.task = reinterpret_cast<ompt_data_t*>(0x10);
  *question.parallel = reinterpret_cast<ompt_data_t*>(0x220);
  *question.frame = reinterpret_cast<ompt_frame_t*>(0x18);
  return answer;
}

// "Unavailable now" at every depth.
static int Nothing(const Question&) { return 1; }

// Both entry points return after 0.3 ms.
static int Slow(const Question& question) {
  Spin(300);
  return Truth(question);
}
static int SlowState(ompt_wait_id_t*) {
  Spin(300);
  return state;
}

// States that no document knows.
static int UnknownState(ompt_wait_id_t* wait_id) {
  constexpr int kStates[] = {-1, 0x7fffffff, 0x12345, -0x7fffffff - 1, 0x1ff, 0x202};
  const int said = kStates[++asked % 6];
  *wait_id = asked;
  return said;
}

static int ChangingState(ompt_wait_id_t*) {
  return ++asked % 2 != 0 ? ompt_state_work_parallel : ompt_state_wait_critical;
}

static constexpr Lie kLies[] = {
    {"none", nullptr, nullptr, false},
    {"endless", Endless, nullptr, false},
    {"endless_regions", EndlessRegions, nullptr, false},
    {"deep", Deep, nullptr, false},
    {"circle", Circle, nullptr, false},
    {"itself", Itself, nullptr, false},
    {"long_circle", LongCircle, nullptr, false},
    {"changing", Changing, ChangingState, false},
    {"order", WrongOrder, nullptr, false},
    {"outside", Outside, nullptr, false},
    {"unaligned", Unaligned, nullptr, false},
    {"unknown_state", Truth, UnknownState, false},
    {"unknown_flags", UnknownFlags, nullptr, false},
    {"null", Null, nullptr, false},
    {"near_null", NearNull, nullptr, false},
    {"nothing", Nothing, nullptr, false},
    {"ends_twice", Truth, nullptr, true},
    {"slow", Slow, SlowState, false},
    {"slow_endless", SlowEndless, nullptr, false},
};

static int GetState(ompt_wait_id_t* wait_id) {
  const uint64_t begin = __rdtsc();
  *wait_id = 0;
  const Lie* told = lie;
  const int said = told != nullptr && told->state != nullptr ? told->state(wait_id) : state;
  if (handler_clock_foreign != nullptr) handler_clock_foreign(__rdtsc() - begin);
  return said;
}

static int GetTaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                       int* thread_num) {
  const uint64_t begin = __rdtsc();
  const Question question = {
      level, flags, task, frame, parallel, thread_num, reinterpret_cast<uint64_t>(__builtin_frame_address(0))};
  const Lie* told = lie;
  int result = 0;
  if (told != nullptr && told->task_info != nullptr) {
    ++asked;
    result = told->task_info(question);
  } else {
    result = Truth(question);
  }
  if (handler_clock_foreign != nullptr) handler_clock_foreign(__rdtsc() - begin);
  return result;
}

}  // namespace runtime

static const runtime::Lie* wanted_lie;

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
  runtime::lie = nullptr;
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void solve(double ms) {
  runtime::fork_call(body, ms);
  for (int again = 0; wanted_lie->ends_twice && runtime::parallel_end != nullptr && again < 4; again++) {
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
  for (const runtime::Lie& lie : runtime::kLies) {
    if (argc > 1 && strcmp(argv[1], lie.name) == 0) wanted_lie = &lie;
  }
  if (wanted_lie == nullptr) return 2;
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
