// A program that is its own tool. A 10 kHz signal on each of its threads, OpenMP's or not, asks every async-signal-safe
// entry point. Meanwhile regions (nested, serialized), tasks, teams, target regions and threads come and go. The
// answers have to agree with each other. The program counts errors, and prints the first sentences.
//
// Argument: seconds. Prints its counts, for sampled_test.cc to compare with the required counts.
#include <errno.h>
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

constexpr long kPeriodNs = 100000;
constexpr int kDeepest = 40;  // task levels; the program nests far fewer
constexpr uint64_t kTaskMagic = 0x7a5c000000000000, kRegionMagic = 0x4e91000000000000, kMagicMask = 0xffff000000000000;

ompt_get_thread_data_t get_thread_data;
ompt_get_num_places_t get_num_places;
ompt_get_place_proc_ids_t get_place_proc_ids;
ompt_get_place_num_t get_place_num;
ompt_get_partition_place_nums_t get_partition_place_nums;
ompt_get_proc_id_t get_proc_id;
ompt_get_state_t get_state;
ompt_get_parallel_info_t get_parallel_info;
ompt_get_task_info_t get_task_info;
ompt_get_task_memory_t get_task_memory;
ompt_get_num_devices_t get_num_devices;
ompt_get_num_procs_t get_num_procs;
ompt_get_target_info_t get_target_info;
ompt_get_unique_id_t get_unique_id;
ompt_get_callback_t get_callback;
ompt_enumerate_states_t enumerate_states;

bool is_state[0x200];

std::atomic<long> samples, unknown, idle, serial, parallel, waiting, explicit_tasks, target_regions, deep, failures;
std::atomic<bool> stop;

thread_local timer_t timer;
thread_local bool has_timer;
thread_local bool is_stranger;
thread_local uint64_t last_id;
thread_local volatile char* stack_end;  // its oldest address

// Async-signal-safe, but for snprintf, which is safe for these formats.
__attribute__((format(printf, 1, 2))) void Fail(const char* format, ...) {
  if (failures.fetch_add(1) >= 5) return;
  char line[300];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof(line) - 1, format, arguments);
  va_end(arguments);
  line[length] = '\n';
  if (write(STDOUT_FILENO, line, static_cast<size_t>(length) + 1) < 0) abort();
}

bool IsOnThisStack(const void* address) {
  return address > __builtin_frame_address(0) && address < const_cast<char*>(stack_end);
}

// The frames of all levels that lie on this thread's stack, the youngest first.
void CheckFrames(const ompt_frame_t* frame, int level, const void** youngest_allowed) {
  const void* inner[] = {frame->enter_frame.ptr, frame->exit_frame.ptr};
  for (const void* address : inner) {
    if (address == nullptr || !IsOnThisStack(address)) continue;
    if (address < *youngest_allowed)
      Fail("level %d: frame %p is younger than %p of a level within", level, address, *youngest_allowed);
    *youngest_allowed = address;
  }
  for (const int flags : {frame->enter_frame_flags, frame->exit_frame_flags}) {
    const int place = flags & 0xf0;
    if ((flags & ~0xf1) != 0 ||
        (flags != 0 && place != ompt_frame_framepointer && place != ompt_frame_cfa && place != ompt_frame_stackaddress))
      Fail("level %d: frame flags %x", level, static_cast<unsigned>(flags));
  }
}

int CheckTasks() {
  const void* youngest = __builtin_frame_address(0);
  int level = 0;
  for (; level < kDeepest; level++) {
    int flags = -1, thread_num = -1;
    ompt_data_t *task = nullptr, *region = nullptr;
    ompt_frame_t* frame = nullptr;
    const int result = get_task_info(level, &flags, &task, &frame, &region, &thread_num);
    if (result == 0) break;
    if (result != 2 || task == nullptr || frame == nullptr) {
      Fail("level %d: result %d, task %p, frame %p", level, result, static_cast<void*>(task),
           static_cast<void*>(frame));
      break;
    }
    const int kind = flags & (ompt_task_initial | ompt_task_implicit | ompt_task_explicit | ompt_task_target);
    if (kind == 0 || (kind & (kind - 1)) != 0) Fail("level %d: task flags %x", level, static_cast<unsigned>(flags));
    if (task->value != 0 && (task->value & kMagicMask) != kTaskMagic)
      Fail("level %d: task data %lx", level, task->value);
    if (region != nullptr && region->value != 0 && (region->value & kMagicMask) != kRegionMagic)
      Fail("level %d: region data %lx", level, region->value);
    if (thread_num < 0 || thread_num > 64) Fail("level %d: thread number %d", level, thread_num);
    CheckFrames(frame, level, &youngest);
    if (level == 0 && (flags & ompt_task_explicit) != 0) explicit_tasks++;
  }
  if (level == kDeepest) Fail("more than %d tasks", kDeepest);
  if (level >= 4) deep++;
  // Every out-parameter may be NULL. A region may end meanwhile, on another thread.
  const bool has_task = get_task_info(0, nullptr, nullptr, nullptr, nullptr, nullptr) != 0;
  if (has_task != (level > 0) && get_state(nullptr) != ompt_state_idle) Fail("NULLs change the answer");
  if (get_task_info(kDeepest, nullptr, nullptr, nullptr, nullptr, nullptr) != 0) Fail("a task at level %d", kDeepest);
  if (get_task_info(-1, nullptr, nullptr, nullptr, nullptr, nullptr) != 0) Fail("a task at level -1");
  return level;
}

void CheckRegions(bool has_task) {
  int level = 0;
  for (; level < kDeepest; level++) {
    ompt_data_t* region = nullptr;
    int team_size = -1;
    if (get_parallel_info(level, &region, &team_size) == 0) break;
    if (region == nullptr || team_size < 0 || team_size > 64)
      Fail("region %d: %p, %d threads", level, static_cast<void*>(region), team_size);
    if (region != nullptr && region->value != 0 && (region->value & kMagicMask) != kRegionMagic)
      Fail("region %d: data %lx", level, region->value);
  }
  if (level == kDeepest) Fail("more than %d regions", kDeepest);
  if (level > 0 && !has_task) Fail("%d regions and no task", level);
  ompt_data_t *of_task = nullptr, *of_region = nullptr;
  if (get_task_info(0, nullptr, nullptr, nullptr, &of_task, nullptr) == 2 && of_task != nullptr &&
      get_parallel_info(0, &of_region, nullptr) == 2 && of_task != of_region)
    Fail("the current task's region is not the current region");
}

void CheckPlaces() {
  const int places = get_num_places();
  const int place = get_place_num();
  int ids[8], partition[8];
  if (place < -1 || place >= places) Fail("place %d of %d", place, places);
  if (places > 0 && get_place_proc_ids(0, 8, ids) < 1) Fail("a place without processors");
  if (get_place_proc_ids(places, 8, ids) != 0 || get_place_proc_ids(-1, 8, ids) != 0) Fail("a place that is none");
  if (get_partition_place_nums(8, partition) > places) Fail("a partition of more than all places");
  if (get_proc_id() < 0 || get_num_procs() < 1 || get_num_devices() != 0) Fail("processors or devices");
}

void OnTick(int) {
  const int saved_errno = errno;
  samples++;
  ompt_wait_id_t wait_id = 1;
  const int state = get_state(&wait_id);
  if (get_state(nullptr) < 0) Fail("no state");
  if (state < 0 || state >= 0x200 || !is_state[state]) Fail("state %x", static_cast<unsigned>(state));
  const ompt_data_t* data = get_thread_data();
  const int tasks = CheckTasks();
  CheckRegions(tasks > 0);
  CheckPlaces();
  if (data == nullptr) {
    unknown++;
    if (state != ompt_state_undefined || tasks != 0 || wait_id != 0 || get_place_num() != -1)
      Fail("an unknown thread in state %x with %d tasks", static_cast<unsigned>(state), tasks);
  } else {
    if (is_stranger) Fail("a thread without OpenMP is known");
    if (data->value != 0 && data->value != static_cast<uint64_t>(syscall(SYS_gettid))) Fail("another thread's data");
    if (state == ompt_state_idle) {
      idle++;
      if (tasks != 0) Fail("an idle thread in %d tasks", tasks);
    }
    if (state == ompt_state_work_serial) serial++;
    if (state == ompt_state_work_parallel) parallel++;
    if (state >= 0x010 && state < 0x080) waiting++;
  }
  void* memory = &memory;
  size_t size = 1;
  if (get_task_memory(&memory, &size, 0) != 0 || (memory == nullptr) != (size == 0)) Fail("task memory");
  uint64_t device = 1;
  ompt_id_t target = 0, operation = 0;
  if (get_target_info(&device, &target, &operation) == 1) {
    target_regions++;
    if (device != 0) Fail("device %lu", device);
  }
  ompt_callback_t callback = nullptr;
  if (get_callback(ompt_callback_thread_begin, &callback) != 1 || callback == nullptr) Fail("no callback");
  const uint64_t id = get_unique_id();
  if (id <= last_id) Fail("id %lu after %lu", id, last_id);
  last_id = id;
  errno = saved_errno;
}

void StartTimer() {
  if (has_timer) return;
  pthread_attr_t attributes;
  void* address = nullptr;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &address, &size);
  pthread_attr_destroy(&attributes);
  stack_end = static_cast<char*>(address) + size;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<int>(syscall(SYS_gettid));
  itimerspec period = {{0, kPeriodNs}, {0, kPeriodNs}};
  has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &period, nullptr) == 0;
}

void StopTimer() {
  if (has_timer) timer_delete(timer);
  has_timer = false;
}

std::atomic<uint64_t> next_value{1};

void OnThreadBegin(ompt_thread_t, ompt_data_t* data) {
  data->value = static_cast<uint64_t>(syscall(SYS_gettid));
  StartTimer();
}
void OnThreadEnd(ompt_data_t*) {
  if (!is_stranger) StopTimer();
}
void OnParallelBegin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* region, unsigned, int, const void*) {
  region->value = kRegionMagic | next_value++;
}
void OnImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task, unsigned, unsigned, int) {
  if (endpoint == ompt_scope_begin) task->value = kTaskMagic | next_value++;
}
void OnTaskCreate(ompt_data_t*, const ompt_frame_t*, ompt_data_t* task, int, int, const void*) {
  task->value = kTaskMagic | next_value++;
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
#define FIND(name) name = reinterpret_cast<ompt_##name##_t>(lookup("ompt_" #name))
  FIND(get_thread_data), FIND(get_num_places), FIND(get_place_proc_ids), FIND(get_place_num);
  FIND(get_partition_place_nums), FIND(get_proc_id), FIND(get_state), FIND(get_parallel_info), FIND(get_task_info);
  FIND(get_task_memory), FIND(get_num_devices), FIND(get_num_procs), FIND(get_target_info), FIND(get_unique_id);
  FIND(get_callback), FIND(enumerate_states);
#undef FIND
  is_state[ompt_state_undefined] = true;
  int state = ompt_state_undefined;
  for (const char* name = nullptr; enumerate_states(state, &state, &name) != 0;) is_state[state] = true;
  auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  set(ompt_callback_thread_begin, reinterpret_cast<ompt_callback_t>(OnThreadBegin));
  set(ompt_callback_thread_end, reinterpret_cast<ompt_callback_t>(OnThreadEnd));
  set(ompt_callback_parallel_begin, reinterpret_cast<ompt_callback_t>(OnParallelBegin));
  set(ompt_callback_implicit_task, reinterpret_cast<ompt_callback_t>(OnImplicitTask));
  set(ompt_callback_task_create, reinterpret_cast<ompt_callback_t>(OnTaskCreate));
  struct sigaction action = {};
  action.sa_handler = OnTick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  return 1;
}

void Finalize(ompt_data_t*) {
  signal(SIGPROF, SIG_IGN);
  printf(
      "%ld samples: unknown %ld, idle %ld, serial %ld, parallel %ld, waiting %ld, explicit tasks %ld, target %ld, "
      "deep %ld\n%ld failures\n",
      samples.load(), unknown.load(), idle.load(), serial.load(), parallel.load(), waiting.load(),
      explicit_tasks.load(), target_regions.load(), deep.load(), failures.load());
  fflush(stdout);
}

// Long enough to be sampled now and then.
void Work(int amount) {
  for (volatile int i = 0; i < amount; i = i + 1) {
  }
}

void RunTasks() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
      {
        Work(2000);
#pragma omp task if (0)
        Work(500);
      }
    }
#pragma omp taskloop grainsize(4)
    for (int i = 0; i < 20; i++) Work(1000);
  }
}

void RunNested(int depth) {
#pragma omp parallel num_threads(2)
  {
    Work(3000);
#pragma omp critical(nested)
    Work(300);
#pragma omp barrier
    if (depth > 0) RunNested(depth - 1);
#pragma omp for schedule(dynamic) ordered
    for (int i = 0; i < 4; i++) {
#pragma omp ordered
      Work(100);
    }
  }
}

void RunTeams() {
#pragma omp target
  Work(20000);
#pragma omp teams num_teams(2) thread_limit(2)
  {
    Work(3000);
#pragma omp parallel
    Work(3000);
  }
}

// The work of a thread of the program. Each thread has its own pool of libgomp's workers.
void RunRoot() {
  while (!stop) {
    RunTasks();
    RunNested(2);
    RunTeams();
    Work(30000);
#pragma omp parallel num_threads(1)
    Work(2000);
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return &result;
}

int main(int count, char** arguments) {
  const double seconds = count > 1 ? atof(arguments[1]) : 2;
  omp_set_max_active_levels(3);
#pragma omp critical(first)
  {}
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back([] {
      is_stranger = true;
      StartTimer();
      while (!stop) Work(10000);
      StopTimer();
    });
  threads.emplace_back(RunRoot);
  // Threads that come, run one region and go, sampled before they are known and after.
  threads.emplace_back([] {
    while (!stop) {
      std::thread([] {
        StartTimer();
        Work(100000);
        RunNested(0);
        Work(100000);
      }).join();
    }
  });
  timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double stop_at = static_cast<double>(end.tv_sec) + static_cast<double>(end.tv_nsec) / 1e9 + seconds;
  for (;;) {
    RunTasks();
    RunNested(2);
    RunTeams();
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 > stop_at) break;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return failures != 0;
}
