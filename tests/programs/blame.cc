// Known answers about threads that keep others waiting (blame_truth.h):
//   blame MODE THREADS [MS]
// A run takes about MS of wall time. Threads work by computing. In the modes that say so they sleep, which takes no CPU
// time: then truth holds however few processors there are.
#include <dlfcn.h>
#include <omp.h>

#include "blame_truth.h"

using blame_truth::Activity;
using blame_truth::Add;
using blame_truth::kNoTeam;

TRUTH_WORK(slow_iterations)
TRUTH_WORK(quick_iterations)
TRUTH_WORK(triangle_row)
TRUTH_WORK(hold_most)
TRUTH_WORK(hold_second)
TRUTH_WORK(hold_third)
TRUTH_WORK(hold_fourth)
TRUTH_WORK(hold_fifth)
TRUTH_WORK(under_both)
TRUTH_WORK(under_inner)
TRUTH_WORK(in_unnamed)
TRUTH_WORK(in_named)
TRUTH_WORK(between_criticals)
TRUTH_WORK(in_ordered)
TRUTH_WORK(in_atomic)
TRUTH_WORK(between_atomics)
TRUTH_WORK(long_task)
TRUTH_WORK(short_task)
TRUTH_WORK(other_work)
TRUTH_WORK(untied_task)
TRUTH_WORK(cancelling_task)
TRUTH_WORK(behind_tasks)
TRUTH_WORK(target_work)
TRUTH_WORK(serial_part)
TRUTH_WORK(parallel_part)
TRUTH_WORK(inner_slow)
TRUTH_WORK(inner_quick)
TRUTH_WORK(outer_only)

constexpr int kTeam = 1;
static int threads;
static double ms;

static int Me() { return omp_get_thread_num(); }

static void Sleep(double milliseconds) {
  timespec left{static_cast<time_t>(milliseconds / 1000), static_cast<long>(milliseconds * 1e6) % 1000000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

// The main thread opens a region, and comes back from it. From then on its team is idle.
static void Open() { Add(0, Activity::kOpensTeam, kTeam); }
static void Closed(const char* function = "main") {
  Add(0, Activity::kWorking, kNoTeam, function);
  for (int i = 1; i < threads; i++) Add(i, Activity::kIdle, kNoTeam);
}
static void Works(const char* function) { Add(Me(), Activity::kWorking, kTeam, function); }
static void Waits() { Add(Me(), Activity::kWaiting, kTeam); }

// One thread has the slow block of the iterations.
static void RunBlock() {
  for (int round = 0; round < 4; round++) {
    Open();
#pragma omp parallel num_threads(threads)
    {
      Works("quick_iterations");
#pragma omp for schedule(static) nowait
      for (int i = 0; i < threads * 4; i++) {
        if (i / 4 == threads - 1) {
          Works("slow_iterations");
          slow_iterations(truth::Iterations(ms / 16));
        } else {
          quick_iterations(truth::Iterations(ms / 64 / threads));
        }
      }
      Waits();
    }
    Closed();
  }
}

TRUTH_FUNCTION void slow_block_asleep() {
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("slow_block_asleep");
    Sleep(Me() == threads - 1 ? ms / 5 : ms / 50);
    Waits();
  }
  Closed();
}

TRUTH_FUNCTION void even_block_asleep() {
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("even_block_asleep");
    Sleep(ms / 20);
    Waits();
  }
  Closed();
}

static void RunBlockAsleep() {
  for (int round = 0; round < 4; round++) {
    slow_block_asleep();
    even_block_asleep();
  }
}

// Iteration i takes i times as long as the first. Threads wait at an explicit barrier and at the region's end.
static void RunTriangle() {
  for (int round = 0; round < 2; round++) {
    Open();
#pragma omp parallel num_threads(threads)
    {
      for (int half = 0; half < 2; half++) {
        Works("triangle_row");
#pragma omp for schedule(static) nowait
        for (int row = 0; row < 32; row++) triangle_row(truth::Iterations(ms / 4 * row / 512 / (threads > 2 ? 2 : 1)));
        Waits();
        if (half == 0) {
#pragma omp barrier
        }
      }
    }
    Closed();
  }
}

TRUTH_FUNCTION void triangle_asleep() {
  for (int round = 0; round < 2; round++) {
    Open();
#pragma omp parallel num_threads(threads)
    {
      for (int half = 0; half < 2; half++) {
        Works("triangle_asleep");
#pragma omp for schedule(static) nowait
        for (int row = 0; row < 16; row++) Sleep(ms / 4 * row / 120 * threads / 2);
        Waits();
        if (half == 0) {
#pragma omp barrier
        }
      }
    }
    Closed();
  }
}

// The log of a lock: a thread queues for it, holds it in the function that works, and releases it.
static void Queues(int lock) { Add(Me(), Activity::kQueueing, kTeam, "", lock); }
static void Holds(int lock, const char* function) { Add(Me(), Activity::kWorking, kTeam, function, -1, 1 + lock); }
static void Releases(int lock) { Add(Me(), Activity::kWorking, kTeam, "unlocked", -1, -1 - lock); }

static omp_lock_t lock;
static omp_nest_lock_t inner_lock;

// Takes the lock and gives it back in the function itself, so that others wait for that function.
#define LOCKED(name, work, asleep)                \
  TRUTH_FUNCTION void name(double milliseconds) { \
    Queues(0);                                    \
    omp_set_lock(&lock);                          \
    Holds(0, #name);                              \
    if (asleep)                                   \
      Sleep(milliseconds);                        \
    else                                          \
      work(truth::Iterations(milliseconds));      \
    omp_unset_lock(&lock);                        \
    Releases(0);                                  \
    TRUTH_NO_TAIL_CALL();                         \
  }
LOCKED(most_locked, hold_most, false)
LOCKED(second_locked, hold_second, false)
LOCKED(third_locked, hold_third, false)
LOCKED(fourth_locked, hold_fourth, false)
LOCKED(fifth_locked, hold_fifth, false)
LOCKED(most_locked_asleep, hold_most, true)
LOCKED(second_locked_asleep, hold_second, true)
LOCKED(third_locked_asleep, hold_third, true)
LOCKED(fourth_locked_asleep, hold_fourth, true)
LOCKED(fifth_locked_asleep, hold_fifth, true)

static void RunLock(bool asleep) {
  omp_init_lock(&lock);
  constexpr int kRounds = 8;
  const double all = ms / kRounds / threads;
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("unlocked");
    for (int round = 0; round < kRounds; round++) {
      (asleep ? most_locked_asleep : most_locked)(all * 0.8);
      (asleep ? second_locked_asleep : second_locked)(all * 0.05);
      (asleep ? third_locked_asleep : third_locked)(all * 0.05);
      (asleep ? fourth_locked_asleep : fourth_locked)(all * 0.05);
      (asleep ? fifth_locked_asleep : fifth_locked)(all * 0.05);
    }
    Waits();
  }
  Closed();
  omp_destroy_lock(&lock);
}
static void RunLockAwake() { RunLock(false); }
static void RunLockAsleep() { RunLock(true); }

// Locks that are held for a moment and taken again at once, thousands of times: a nestable lock that is taken twice, a
// lock, a critical.
static void RunShortHolds() {
  omp_init_lock(&lock);
  omp_init_nest_lock(&inner_lock);
  int64_t nested = 0, locked = 0, critical = 0;
#pragma omp parallel num_threads(threads)
  for (int round = 0; round < 100000; round++) {
    omp_set_nest_lock(&inner_lock);
    omp_set_nest_lock(&inner_lock);
    nested += round;
    omp_unset_nest_lock(&inner_lock);
    omp_unset_nest_lock(&inner_lock);
    omp_set_lock(&lock);
    locked += round;
    omp_unset_lock(&lock);
#pragma omp critical(short_holds)
    critical += round;
  }
  omp_destroy_nest_lock(&inner_lock);
  omp_destroy_lock(&lock);
  if (nested != locked || locked != critical) printf("the locks did not guard their sums\n");
}

// Every other thread takes both locks, the rest the inner one. Holders of the outer lock wait, too.
TRUTH_FUNCTION void both_locked(double milliseconds) {
  Queues(0);
  omp_set_lock(&lock);
  Holds(0, "both_locked");
  Queues(1);
  omp_set_nest_lock(&inner_lock);
  Holds(1, "both_locked");
  under_both(truth::Iterations(milliseconds));
  omp_set_nest_lock(&inner_lock);  // the thread has it already: no waiting
  omp_unset_nest_lock(&inner_lock);
  omp_unset_nest_lock(&inner_lock);
  Releases(1);
  omp_unset_lock(&lock);
  Releases(0);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void inner_locked(double milliseconds) {
  Queues(1);
  omp_set_nest_lock(&inner_lock);
  Holds(1, "inner_locked");
  under_inner(truth::Iterations(milliseconds));
  omp_unset_nest_lock(&inner_lock);
  Releases(1);
  TRUTH_NO_TAIL_CALL();
}

static void RunTwoLocks() {
  omp_init_lock(&lock);
  omp_init_nest_lock(&inner_lock);
  constexpr int kRounds = 8;
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("unlocked");
    for (int round = 0; round < kRounds; round++) {
      if (Me() % 2 == 0)
        both_locked(ms / kRounds / threads * 1.5);
      else
        inner_locked(ms / kRounds / threads * 0.5);
    }
    Waits();
  }
  Closed();
}

TRUTH_FUNCTION void unnamed_critical(double milliseconds) {
  Queues(0);
#pragma omp critical
  {
    Holds(0, "unnamed_critical");
    in_unnamed(truth::Iterations(milliseconds));
  }
  Releases(0);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void named_critical(double milliseconds) {
  Queues(1);
#pragma omp critical(named)
  {
    Holds(1, "named_critical");
    in_named(truth::Iterations(milliseconds));
  }
  Releases(1);
  TRUTH_NO_TAIL_CALL();
}

static void RunCriticals() {
  constexpr int kRounds = 8;
  const double all = ms / kRounds / threads;
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("between_criticals");
    for (int round = 0; round < kRounds; round++) {
      unnamed_critical(all * 0.7);
      between_criticals(truth::Iterations(all * 0.05));
      named_critical(all * 0.25);
    }
    Waits();
  }
  Closed();
}

TRUTH_FUNCTION void ordered_part(double milliseconds) {
  Queues(0);
#pragma omp ordered
  {
    Holds(0, "ordered_part");
    in_ordered(truth::Iterations(milliseconds));
  }
  Releases(0);
  TRUTH_NO_TAIL_CALL();
}

static void RunOrdered() {
  constexpr int kRounds = 8;
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("unordered");
#pragma omp for ordered schedule(static, 1) nowait
    for (int i = 0; i < kRounds * threads; i++) ordered_part(ms / kRounds / threads);
    Waits();
  }
  Closed();
}

// Compilers of both runtimes make these calls for an atomic construct that no instruction can do (gcc: long double).
// One lock serves all of them. The calls are made by hand, because nothing that takes long can be written inside such a
// construct.
extern "C" void GOMP_atomic_start(void);
extern "C" void GOMP_atomic_end(void);

TRUTH_FUNCTION void atomic_update(double milliseconds) {
  Queues(0);
  GOMP_atomic_start();
  Holds(0, "atomic_update");
  in_atomic(truth::Iterations(milliseconds));
  GOMP_atomic_end();
  Releases(0);
  TRUTH_NO_TAIL_CALL();
}

static void RunAtomic() {
  constexpr int kRounds = 8;
  const double all = ms / kRounds / threads;
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("between_atomics");
    for (int round = 0; round < kRounds; round++) {
      atomic_update(all * 0.9);
      between_atomics(truth::Iterations(all * 0.1));
    }
    Waits();
  }
  Closed();
}

static int waits_for_task[blame_truth::kMaxThreads];

static void TaskBegins(const char* function) { Add(Me(), Activity::kTask, kTeam, function); }
static void TaskEnds() { Add(Me(), waits_for_task[Me()] != 0 ? Activity::kWaitingForTask : Activity::kWaiting, kTeam); }

// The primary has made tasks that others are to execute. They go to the region's end after that: libomp may never wake
// a thread that falls asleep there just before.
static std::atomic<bool> tasks_made;
static void AwaitTasks() {
  Works("creates_tasks");
  while (!tasks_made) {
  }
}

// A long task among short ones. The primary waits for the long task. With more than two threads a third does other
// work.
static void RunTasks(bool group) {
  constexpr int kShort = 16;
  for (int round = 0; round < 2; round++) {
    tasks_made = false;
    Open();
#pragma omp parallel num_threads(threads)
    {
      if (Me() == 0) {
        std::atomic<bool> taken{false};
        Works("creates_tasks");
        const auto create = [&] {
#pragma omp task shared(taken)
          {
            taken = true;
            TaskBegins("long_task");
            long_task(truth::Iterations(ms / 2.5));
            TaskEnds();
          }
          for (int i = 0; i < kShort; i++) {
#pragma omp task
            {
              TaskBegins("short_task");
              short_task(truth::Iterations(ms / 20 / kShort));
              TaskEnds();
            }
          }
          tasks_made = true;
          while (!taken) {
          }
          waits_for_task[0] = 1;
          Add(0, Activity::kWaitingForTask, kTeam);
        };
        if (group) {
#pragma omp taskgroup
          { create(); }
        } else {
          create();
#pragma omp taskwait
        }
        waits_for_task[0] = 0;
      } else {
        if (Me() == 2) {
          Works("other_work");
          other_work(truth::Iterations(ms / 8));
        }
        AwaitTasks();
      }
      Waits();
    }
    Closed();
  }
}
static void RunTaskwait() { RunTasks(false); }
static void RunTaskgroup() { RunTasks(true); }

// The others execute all of the primary's tasks, and then wait for the primary's own work. The tasks are untied. By
// clang, each begins with a part of its own, and has a further part for each place where it can be interrupted. The
// tasks are so many that they would fill a stack of waits, were they taken for nested ones.
static void RunUntied() {
  constexpr int kTasks = 40;
  for (int round = 0; round < 2; round++) {
    tasks_made = false;
    Open();
#pragma omp parallel num_threads(threads)
    {
      if (Me() == 0) {
        std::atomic<int> done{0};
        Works("creates_tasks");
        for (int i = 0; i < kTasks; i++) {
#pragma omp task untied shared(done)
          {
#pragma omp taskyield
            TaskBegins("untied_task");
            untied_task(truth::Iterations(ms / 10 / kTasks));
            TaskEnds();
            done++;
          }
        }
        tasks_made = true;
        while (done != kTasks) {
        }
        Works("behind_tasks");
        behind_tasks(truth::Iterations(ms / 4));
      } else {
        AwaitTasks();
      }
      Waits();
    }
    Closed();
  }
}

static std::atomic<bool> at_bottom, bottom_taken;

// A task within a task, each waiting for the next. The innermost waits for a task that another thread executes.
static void Descend(int levels) {
  if (levels > 0) {
#pragma omp task
    Descend(levels - 1);
#pragma omp taskwait
    return;
  }
#pragma omp task
  {
    bottom_taken = true;
    TaskBegins("long_task");
    long_task(truth::Iterations(ms / 4));
    TaskEnds();
  }
  at_bottom = true;
  while (!bottom_taken) {
  }
  waits_for_task[0] = 1;
  Add(0, Activity::kWaitingForTask, kTeam);
#pragma omp taskwait
  waits_for_task[0] = 0;
  TaskBegins("behind_tasks");
  behind_tasks(truth::Iterations(ms / 4));
}

// Tasks as deep as programs nest them that walk lists and trees.
static void RunDeep() {
  constexpr int kLevels = 100;
  for (int round = 0; round < 2; round++) {
    at_bottom = bottom_taken = false;
    Open();
#pragma omp parallel num_threads(threads)
    {
      Works("creates_tasks");
      if (Me() == 0) {
        Descend(kLevels);
      } else {
        while (!at_bottom) {
        }
      }
      Waits();
    }
    Closed();
  }
}

// The primary waits for the task that it depends on, which another thread executes. It waits in a taskwait with
// dependences, and before an undeferred task with dependences.
static void RunDependence() {
  for (int round = 0; round < 2; round++) {
    tasks_made = false;
    Open();
#pragma omp parallel num_threads(threads)
    {
      if (Me() == 0) {
        std::atomic<bool> taken{false};
        [[maybe_unused]] int made = 0;
        Works("creates_tasks");
#pragma omp task shared(taken) depend(out : made)
        {
          taken = true;
          TaskBegins("long_task");
          long_task(truth::Iterations(ms / 4));
          TaskEnds();
        }
        tasks_made = true;
        while (!taken) {
        }
        waits_for_task[0] = 1;
        Add(0, Activity::kWaitingForTask, kTeam);
        if (round == 0) {
#pragma omp taskwait depend(in : made)
          waits_for_task[0] = 0;
          Works("behind_tasks");
          behind_tasks(truth::Iterations(ms / 4));
        } else {
#pragma omp task if (0) depend(in : made)
          {
            waits_for_task[0] = 0;
            Works("behind_tasks");
            behind_tasks(truth::Iterations(ms / 4));
          }
        }
      } else {
        AwaitTasks();
      }
      Waits();
    }
    Closed();
  }
}

#ifndef __clang__
// `omp taskwait depend(in : *address) nowait`, of which gcc 12 knows nothing. libgomp 13 has it, and so has the shim.
static void TaskwaitNowait(void* address) {
  auto* nowait = reinterpret_cast<void (*)(void**)>(dlvsym(RTLD_DEFAULT, "GOMP_taskwait_depend_nowait", "GOMP_5.1.1"));
  void* depend[] = {reinterpret_cast<void*>(1), nullptr, address};
  if (nowait != nullptr) nowait(depend);
}

// The primary waits in a taskwait for a task that another thread executes. Meanwhile another taskwait is complete, for
// which nobody waits.
static void RunNowait() {
  for (int round = 0; round < 2; round++) {
    tasks_made = false;
    Open();
#pragma omp parallel num_threads(threads)
    {
      if (Me() == 0) {
        std::atomic<bool> taken{false};
        int made = 0;
        Works("creates_tasks");
#pragma omp task shared(taken)
        {
          taken = true;
          TaskBegins("long_task");
          long_task(truth::Iterations(ms / 4));
          TaskEnds();
        }
        tasks_made = true;
        while (!taken) {
        }
#pragma omp task depend(out : made)
        {
          TaskBegins("short_task");
          short_task(truth::Iterations(ms / 20));
          TaskEnds();
        }
        TaskwaitNowait(&made);
        waits_for_task[0] = 1;
        Add(0, Activity::kWaitingForTask, kTeam);
#pragma omp taskwait
        waits_for_task[0] = 0;
        Works("behind_tasks");
        behind_tasks(truth::Iterations(ms / 4));
      } else {
        AwaitTasks();
      }
      Waits();
    }
    Closed();
  }
}
#endif

// The first task of a group cancels the group. Tasks that have not begun by then are thrown away, by threads that wait
// for the group or at the region's end. The mode needs OMP_CANCELLATION.
static void RunCancelled() {
  constexpr int kTasks = 40;
  for (int round = 0; round < 2; round++) {
    Open();
#pragma omp parallel num_threads(threads)
    {
      if (Me() == 0) {
        Works("creates_tasks");
#pragma omp taskgroup
        {
          for (int i = 0; i < kTasks; i++) {
#pragma omp task
            {
              TaskBegins("cancelling_task");
              cancelling_task(truth::Iterations(ms / 40));
              TaskEnds();
#pragma omp cancel taskgroup
            }
          }
          waits_for_task[0] = 1;
          Add(0, Activity::kWaitingForTask, kTeam);
        }
        waits_for_task[0] = 0;
        Works("behind_tasks");
        behind_tasks(truth::Iterations(ms / 4));
      }
      Waits();
    }
    Closed();
  }
}

#ifndef __clang__
static thread_local int team_member;  // in a target region the thread has another number
static std::atomic<bool> target_begun;

TRUTH_FUNCTION void long_target() {
  target_begun = true;
  Add(team_member, Activity::kTask, kTeam, "long_target");
  target_work(truth::Iterations(ms / 8));
  Add(team_member, waits_for_task[team_member] != 0 ? Activity::kWaitingForTask : Activity::kWaiting, kTeam);
}

// Target regions on the host, as tasks. The primary waits for them, and other threads execute them at the region's end.
// After that these threads wait for the primary's own work.
static void RunTarget() {
  for (int round = 0; round < 4; round++) {
    Open();
#pragma omp parallel num_threads(threads)
    {
      team_member = Me();
      if (Me() == 0) {
        Works("creates_tasks");
        target_begun = false;
        void (*volatile run)() = long_target;  // a direct call would have to be code for any device
#pragma omp target nowait firstprivate(run)
        run();
        while (!target_begun) {
        }
        waits_for_task[0] = 1;
        Add(0, Activity::kWaitingForTask, kTeam);
#pragma omp taskwait
        waits_for_task[0] = 0;
        Works("behind_tasks");
        behind_tasks(truth::Iterations(ms / 8));
      }
      Waits();
    }
    Closed();
  }
}
#endif

// 40 % of the time is serial.
static void RunSerial() {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; round++) {
    Open();
#pragma omp parallel num_threads(threads)
    {
      Works("parallel_part");
      parallel_part(truth::Iterations(ms / kRounds * 0.6 / (threads > 2 ? threads / 2.0 : 1)));
      Waits();
    }
    Closed("serial_part");
    serial_part(truth::Iterations(ms / kRounds * 0.4));
  }
  Add(0, Activity::kWorking, kNoTeam, "main");
}

TRUTH_FUNCTION void asleep_at_end() { Sleep(ms / 2); }

// After its last region the program sleeps, and ends.
static void RunEndAsleep() {
  Open();
#pragma omp parallel num_threads(threads)
  {
    Works("parallel_part");
    Sleep(Me() == 0 ? ms / 2 : ms / 8);
    Waits();
  }
  Closed("exit");
}

// One thread sleeps, and ends the program, while the others wait for it at the region's end.
static void RunExitInRegion() {
#pragma omp parallel num_threads(threads)
  if (Me() == threads - 1) {
    asleep_at_end();
    exit(0);
  }
}

// libgomp ends the threads of a nested region together with the region.
#ifdef __clang__
constexpr Activity kAfterInnerRegion = Activity::kIdle;
#else
constexpr Activity kAfterInnerRegion = Activity::kGone;
#endif

// Two threads, each with a team of its own. In each team the primary keeps the others waiting. Then the second thread
// goes on alone, and the first waits for it.
static void RunNested() {
  omp_set_max_active_levels(2);
  const int inner_size = threads;
  threads = 2 * inner_size;
  for (int round = 0; round < 4; round++) {
    Add(0, Activity::kOpensTeam, kTeam);
#pragma omp parallel num_threads(2)
    {
      const int outer = Me();
      const int base = outer * inner_size;
      const int team = 2 + outer;
      Add(base, Activity::kWorking, kTeam, "outer_only");
      Add(base, Activity::kOpensTeam, team);
#pragma omp parallel num_threads(inner_size)
      {
        const int me = base + Me();
        if (Me() == 0) {
          Add(me, Activity::kWorking, team, "inner_slow");
          inner_slow(truth::Iterations(ms / 4 * (outer == 0 ? 0.5 : 0.3)));
        } else {
          Add(me, Activity::kWorking, team, "inner_quick");
          inner_quick(truth::Iterations(ms / 4 * 0.1));
        }
        Add(me, Activity::kWaiting, team);
      }
      Add(base, Activity::kWorking, kTeam, "outer_only");
      for (int i = 1; i < inner_size; i++) Add(base + i, kAfterInnerRegion, kNoTeam);
      if (outer == 1) outer_only(truth::Iterations(ms / 4 * 0.5));
      Add(base, Activity::kWaiting, kTeam);
    }
    Add(0, Activity::kWorking, kNoTeam, "main");
    Add(inner_size, Activity::kIdle, kNoTeam);
  }
}

TRUTH_FUNCTION void inner_asleep(int base, int team, double slow, double quick) {
#pragma omp parallel
  {
    const int me = base + Me();
    Add(me, Activity::kWorking, team, "inner_asleep");
    Sleep(Me() == 0 ? slow : quick);
    Add(me, Activity::kWaiting, team);
  }
}

// The same nested teams, asleep instead of computing: more threads than processors have the same truth.
TRUTH_FUNCTION void nested_asleep() {
  omp_set_max_active_levels(2);
  const int inner_size = threads;
  threads = 2 * inner_size;
  for (int round = 0; round < 4; round++) {
    Add(0, Activity::kOpensTeam, kTeam);
#pragma omp parallel num_threads(2)
    {
      const int outer = Me();
      const int base = outer * inner_size;
      Add(base, Activity::kWorking, kTeam, "nested_asleep");
      Add(base, Activity::kOpensTeam, 2 + outer);
      omp_set_num_threads(inner_size);
      inner_asleep(base, 2 + outer, ms / 8 * (outer == 0 ? 0.5 : 0.3), ms / 8 * 0.1);
      Add(base, Activity::kWorking, kTeam, "nested_asleep");
      for (int i = 1; i < inner_size; i++) Add(base + i, kAfterInnerRegion, kNoTeam);
      if (outer == 1) Sleep(ms / 8 * 0.5);
      Add(base, Activity::kWaiting, kTeam);
    }
    Add(0, Activity::kWorking, kNoTeam, "main");
    Add(inner_size, Activity::kIdle, kNoTeam);
  }
  blame_truth::Calls("nested_asleep", "inner_asleep");
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)();
  } modes[] = {{"block", RunBlock},
               {"block_asleep", RunBlockAsleep},
               {"triangle", RunTriangle},
               {"triangle_asleep", triangle_asleep},
               {"lock", RunLockAwake},
               {"lock_asleep", RunLockAsleep},
               {"two_locks", RunTwoLocks},
               {"criticals", RunCriticals},
               {"short_holds", RunShortHolds},
               {"ordered", RunOrdered},
               {"atomic", RunAtomic},
               {"taskwait", RunTaskwait},
               {"taskgroup", RunTaskgroup},
               {"deep", RunDeep},
               {"dependence", RunDependence},
               {"untied", RunUntied},
               {"cancelled", RunCancelled},
#ifndef __clang__
               {"target", RunTarget},
               {"nowait", RunNowait},
#endif
               {"serial", RunSerial},
               {"end_asleep", RunEndAsleep},
               {"exit_in_region", RunExitInRegion},
               {"nested", RunNested},
               {"nested_asleep", nested_asleep}};
  threads = static_cast<int>(truth::Argument(argc, argv, 2, 2));
  ms = static_cast<double>(truth::Argument(argc, argv, 3, 400));
  truth::Iterations(1);
  blame_truth::Prepare();
  for (const auto& mode : modes) {
    if (argc > 1 && strcmp(argv[1], mode.name) == 0) {
      mode.run();
      blame_truth::Print();
      truth::PrintProcess();
      if (mode.run == RunEndAsleep) asleep_at_end();
      return 0;
    }
  }
  fprintf(stderr, "usage: blame MODE THREADS [MS]\n");
  return 2;
}
