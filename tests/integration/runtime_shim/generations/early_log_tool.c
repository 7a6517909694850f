/* Logs the events of the two generations of OMPT with integer ids, in their own numbers: Technical Report 2, or with
   -DDRAFT the draft behind it. Needs no header of either. tools_test.py compares the logs.

   A line is a word and numbers. Of an id, the number is 1 if the tool has heard of the thread, region or task; of a
   pointer, whether there is one. Lines that begin with "wrong" stand for answers that contradict the event. */
#include "early.h"
#include "log.h"

static uint64_t (*get_thread_id)(void);
static uint64_t (*get_parallel_id)(int level);
static uint64_t (*get_task_id)(int level);

/* What each id stands for. Threads are numbered from 1, in the order in which they begin. */
enum { kRegion = 1, kTask = 2 };
#define IDS (1 << 22)
static atomic_uchar kinds[IDS], types_of_threads[IDS];
static atomic_int threads;

static int Put(atomic_uchar* table, uint64_t id, int kind) {
  return id != 0 && id < IDS && atomic_exchange(&table[id], (unsigned char)kind) == 0;
}
static int New(uint64_t id, int kind) { return Put(kinds, id, kind); }
static int Known(uint64_t id, int kind) { return id != 0 && id < IDS && atomic_load(&kinds[id]) == kind; }

/* The entry points' answers inside an event of a task. */
static void Check(const char* word, uint64_t region, uint64_t task) {
  if (get_parallel_id(0) != region) LOG("wrong parallel_id %s\n", word);
  if (get_task_id(0) != task) LOG("wrong task_id %s\n", word);
}

static void ThreadBegin(int type, uint64_t id) {
  LOG("thread_begin %d %d\n", type, Put(types_of_threads, id, type));
  if (get_thread_id() != id) LOG("wrong thread_id\n");
  atomic_fetch_add(&threads, 1);
}
static void ThreadEnd(int type, uint64_t id) {
  LOG("thread_end %d\n", id < IDS && atomic_load(&types_of_threads[id]) == type);
}
static void ParallelBegin(uint64_t task, const Frame* frame, uint64_t region, uint32_t requested, void* function,
                          int invoker) {
  LOG("parallel_begin %d %d %d %d %u %d %d\n", Known(task, kTask), Is(frame->exit), Is(frame->reenter),
      New(region, kRegion), requested, Is(function), invoker);
  if (get_task_id(0) != task) LOG("wrong task_id parallel_begin\n");
}
static void ParallelEnd(uint64_t region, uint64_t task, int invoker) {
  LOG("parallel_end %d %d %d\n", Known(region, kRegion), Known(task, kTask), invoker);
  if (get_task_id(0) != task) LOG("wrong task_id parallel_end\n");
}
static void TaskBegin(uint64_t task, const Frame* frame, uint64_t created, void* function) {
  LOG("task_begin %d %d %d %d\n", Known(task, kTask), Is(frame->reenter), New(created, kTask), Is(function));
}
static void TaskEnd(uint64_t task) { LOG("task_end %d\n", Known(task, kTask)); }
static void TaskSwitch(uint64_t suspended, uint64_t resumed) {
  LOG("task_switch %d %d\n", Known(suspended, kTask), Known(resumed, kTask));
  if (suspended != 0 && !Known(suspended, kTask)) LOG("wrong suspended\n");
  if (get_task_id(0) != resumed) LOG("wrong task_id task_switch\n");
}
static void Control(uint64_t command, uint64_t modifier) { LOG("control %d %d\n", (int)command, (int)modifier); }
static void Shutdown(void) {
  for (int id = 1; id <= atomic_load(&threads); id++)
    if (atomic_load(&types_of_threads[id]) == 0) LOG("wrong number of a thread\n");
  LOG("runtime_shutdown\n");
  Write();
}
static void ImplicitTaskBegin(uint64_t region, uint64_t task) {
  LOG("implicit_task_begin %d %d\n", Known(region, kRegion), New(task, kTask));
  Check("implicit_task_begin", region, task);
}
/* One argument in the report, two in LLVM's header. */
static void InitialTaskBegin(uint64_t first, uint64_t second) {
  LOG("initial_task_begin %d %d\n", first == second, New(first, kTask));
  if (get_task_id(0) != first) LOG("wrong task_id initial_task_begin\n");
}
static void InitialTaskEnd(uint64_t first, uint64_t second) {
  LOG("initial_task_end %d %d\n", first == second, Known(first, kTask));
}

#define OF_TASK(name, word)                                           \
  static void name(uint64_t region, uint64_t task) {                  \
    LOG(word " %d %d\n", Known(region, kRegion), Known(task, kTask)); \
    Check(word, region, task);                                        \
  }
OF_TASK(ImplicitTaskEnd, "implicit_task_end")
OF_TASK(WaitBarrierBegin, "wait_barrier_begin")
OF_TASK(WaitBarrierEnd, "wait_barrier_end")
OF_TASK(WaitTaskwaitBegin, "wait_taskwait_begin")
OF_TASK(WaitTaskwaitEnd, "wait_taskwait_end")
OF_TASK(WaitTaskgroupBegin, "wait_taskgroup_begin")
OF_TASK(WaitTaskgroupEnd, "wait_taskgroup_end")
OF_TASK(BarrierBegin, "barrier_begin")
OF_TASK(BarrierEnd, "barrier_end")
OF_TASK(TaskwaitBegin, "taskwait_begin")
OF_TASK(TaskwaitEnd, "taskwait_end")
OF_TASK(TaskgroupBegin, "taskgroup_begin")
OF_TASK(TaskgroupEnd, "taskgroup_end")
OF_TASK(LoopEnd, "loop_end")
OF_TASK(SectionsEnd, "sections_end")
OF_TASK(SingleInBlockEnd, "single_in_block_end")
OF_TASK(SingleOthersBegin, "single_others_begin")
OF_TASK(SingleOthersEnd, "single_others_end")
OF_TASK(WorkshareEnd, "workshare_end")
OF_TASK(MasterBegin, "master_begin")
OF_TASK(MasterEnd, "master_end")

#define WORK(name, word)                                                               \
  static void name(uint64_t region, uint64_t task, void* function) {                   \
    LOG(word " %d %d %d\n", Known(region, kRegion), Known(task, kTask), Is(function)); \
    Check(word, region, task);                                                         \
  }
WORK(LoopBegin, "loop_begin")
WORK(SectionsBegin, "sections_begin")
WORK(SingleInBlockBegin, "single_in_block_begin")
WORK(WorkshareBegin, "workshare_begin")

#define WAIT(name, word) \
  static void name(uint64_t wait_id) { LOG(word " %d\n", wait_id != 0); }
WAIT(IdleBegin, "idle_begin")
WAIT(IdleEnd, "idle_end")
WAIT(Flush, "flush")
WAIT(ReleaseLock, "release_lock")
WAIT(ReleaseNestLockLast, "release_nest_lock_last")
WAIT(ReleaseCritical, "release_critical")
WAIT(ReleaseAtomic, "release_atomic")
WAIT(ReleaseOrdered, "release_ordered")
WAIT(ReleaseNestLockPrev, "release_nest_lock_prev")
WAIT(WaitLock, "wait_lock")
WAIT(WaitNestLock, "wait_nest_lock")
WAIT(WaitCritical, "wait_critical")
WAIT(WaitAtomic, "wait_atomic")
WAIT(WaitOrdered, "wait_ordered")
WAIT(AcquiredLock, "acquired_lock")
WAIT(AcquiredNestLockFirst, "acquired_nest_lock_first")
WAIT(AcquiredNestLockNext, "acquired_nest_lock_next")
WAIT(AcquiredCritical, "acquired_critical")
WAIT(AcquiredAtomic, "acquired_atomic")
WAIT(AcquiredOrdered, "acquired_ordered")
WAIT(InitLock, "init_lock")
WAIT(InitNestLock, "init_nest_lock")
WAIT(DestroyLock, "destroy_lock")
WAIT(DestroyNestLock, "destroy_nest_lock")

/* Event n is the n-th of appendix A.2. */
static void* const kEvents[] = {
    NULL,
    ParallelBegin,
    ParallelEnd,
    TaskBegin,
    TaskEnd,
    ThreadBegin,
    ThreadEnd,
    Control,
    Shutdown,
    IdleBegin,
    IdleEnd,
    WaitBarrierBegin,
    WaitBarrierEnd,
    WaitTaskwaitBegin,
    WaitTaskwaitEnd,
    WaitTaskgroupBegin,
    WaitTaskgroupEnd,
    ReleaseLock,
    ReleaseNestLockLast,
    ReleaseCritical,
    ReleaseAtomic,
    ReleaseOrdered,
    ImplicitTaskBegin,
    ImplicitTaskEnd,
    InitialTaskBegin,
    InitialTaskEnd,
    TaskSwitch,
    LoopBegin,
    LoopEnd,
    SectionsBegin,
    SectionsEnd,
    SingleInBlockBegin,
    SingleInBlockEnd,
    SingleOthersBegin,
    SingleOthersEnd,
    WorkshareBegin,
    WorkshareEnd,
    MasterBegin,
    MasterEnd,
    BarrierBegin,
    BarrierEnd,
    TaskwaitBegin,
    TaskwaitEnd,
    TaskgroupBegin,
    TaskgroupEnd,
    ReleaseNestLockPrev,
    WaitLock,
    WaitNestLock,
    WaitCritical,
    WaitAtomic,
    WaitOrdered,
    AcquiredLock,
    AcquiredNestLockFirst,
    AcquiredNestLockNext,
    AcquiredCritical,
    AcquiredAtomic,
    AcquiredOrdered,
    InitLock,
    InitNestLock,
    DestroyLock,
    DestroyNestLock,
    Flush,
};

/* The states in the order of ompt_enumerate_state, from ompt_state_first. */
static void LogStates(Lookup lookup) {
  int (*enumerate)(int, int*, const char**) = (int (*)(int, int*, const char**))lookup("ompt_enumerate_state");
  const char* name;
  for (int state = 0x71; enumerate(state, &state, &name);) LOG("state %d %s\n", state, name);
}

/* Of each placeholder, whether it is a function of its own that can be called. */
static void LogPlaceholders(Lookup lookup) {
  static const char* const kNames[] = {"ompt_idle", "ompt_overhead", "ompt_barrier_wait", "ompt_task_wait",
                                       "ompt_mutex_wait"};
  void (*functions[5])(void);
  for (int i = 0; i < 5; i++) {
    int is_own = (functions[i] = lookup(kNames[i])) != NULL;
    for (int k = 0; k < i; k++) is_own &= functions[i] != functions[k];
    if (is_own) functions[i]();
    LOG("placeholder %s %d\n", kNames[i], is_own);
  }
  LOG("other %d\n", lookup("ompt_get_task_info") != NULL || lookup("ompt_enumerate_states") != NULL);
}

static void Register(Lookup lookup, const char* runtime_version, unsigned version) {
  int (*set_callback)(int, void*) = (int (*)(int, void*))lookup("ompt_set_callback");
  int (*get_callback)(int, void**) = (int (*)(int, void**))lookup("ompt_get_callback");
  get_thread_id = (uint64_t(*)(void))lookup("ompt_get_thread_id");
  get_parallel_id = (uint64_t(*)(int))lookup("ompt_get_parallel_id");
  get_task_id = (uint64_t(*)(int))lookup("ompt_get_task_id");
  LOG("initialize %d %u\n", strstr(runtime_version, "libgomp") != NULL, version);
  for (int event = 0; event <= 62; event++) {
    void* found = NULL;
    const int before = get_callback(event, &found);
    const int result = set_callback(event, event < 62 ? kEvents[event] : NULL);
    LOG("set %d %d %d\n", event, result, !before && get_callback(event, &found) && found == kEvents[event]);
  }
  LogStates(lookup);
  LogPlaceholders(lookup);
}
