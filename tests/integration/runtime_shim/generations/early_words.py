"""The log of OpenMP 5.1 (log_tool.c) in the words of Technical Report 2 (early_log_tool.c).

Written from spec 003 and 004, and from the header of LLVM 3.9 to 5 where that is older than the documents' words
(runtime_shim/README.md). Not shared with the shim.
"""

TASK_TARGET, TASKWAIT, UNDEFERRED, LEAGUE, INVOKER_RUNTIME, INITIAL = 1 << 3, 1 << 4, 1 << 27, 1 << 30, 2, 1
BEGIN, END = 1, 2
IMPLICIT_PARALLEL = 9  # the barrier that ends a region: OpenMP 5.1 has lost the region at its end
# "ompt_event_" and begin or end. None: the report has no word for it.
SYNC_REGION = {5: "taskwait", 6: "taskgroup", 7: None}
WORK = {1: "loop", 2: "sections", 3: "single_in_block", 4: "single_others"}
MUTEX = {1: "lock", 2: "lock", 3: "nest_lock", 4: "nest_lock", 5: "critical", 6: "atomic", 7: "ordered"}
TESTS = (2, 4)  # mutexes that are tested
POINT = {BEGIN: "begin", END: "end"}
TARGET_REGION = 1  # ompt_target_t without nowait
VERSION = {"tr2": 1, "draft": 2}

# The answers of ompt_set_callback: "no callback is possible", "when convenient"; all others are "always".
IMPOSSIBLE = (9, 10, 35, 36, 37, 38, 61)
SOMETIMES = (27, 28, 32)


STATES = {
    "work_serial": 0x00,
    "work_parallel": 0x01,
    "work_reduction": 0x02,
    "idle": 0x10,
    "overhead": 0x20,
    "wait_barrier": 0x40,
    "wait_barrier_implicit": 0x41,
    "wait_barrier_explicit": 0x42,
    "wait_taskwait": 0x50,
    "wait_taskgroup": 0x51,
    "wait_lock": 0x60,
    "wait_nest_lock": 0x61,
    "wait_critical": 0x62,
    "wait_atomic": 0x63,
    "wait_ordered": 0x64,
    "wait_single": 0x6F,  # LLVM's
    "undefined": 0x70,
}
PLACEHOLDERS = ("idle", "overhead", "barrier_wait", "task_wait", "mutex_wait")  # LLVM's


def answer(event):
    return 0 if event in (0, 62) else 1 if event in IMPOSSIBLE else 3 if event in SOMETIMES else 4


def own_lines(generation):
    """What the older tool logs at its start. There are 61 events. A callback is kept if it may be called."""
    told = [("initialize", 1, VERSION[generation])]
    told += [("set", event, answer(event), int(answer(event) > 1)) for event in range(63)]
    told += [("state", number, "ompt_state_" + name) for name, number in STATES.items()]
    told += [("placeholder", "ompt_" + name, 1) for name in PLACEHOLDERS]
    return told + [("other", 0)]


def thread_begin(kind):
    return [("thread_begin", min(kind, 3), 1)]


def parallel_begin(task, exit_frame, enter_frame, requested, flags, _code):
    invoker = int(flags & INVOKER_RUNTIME != 0)
    return [] if flags & LEAGUE else [("parallel_begin", task, exit_frame, enter_frame, 1, requested, 1, invoker)]


def parallel_end(region, task, flags, _code):
    return [] if flags & LEAGUE else [("parallel_end", region, task, int(flags & INVOKER_RUNTIME != 0))]


def task_create(task, frame, flags, _dependences, _code, has_function=1):
    return [("task_begin", task, frame, 1, has_function)]


def task_schedule(prior, status, following, is_discarded):
    switch = [("task_switch", prior, following)]
    if status in (1, 3):  # complete, cancel
        return [("task_end", prior)] + ([] if is_discarded else [("task_switch", 0, following)])
    return {4: switch, 5: [], 6: [("task_end", prior)], 7: switch}[status]


def implicit_task(endpoint, _region, task, _size, _index, flags):
    if flags & INITIAL:
        return [("initial_task_" + POINT[endpoint], 1, task)]
    return [("implicit_task_" + POINT[endpoint], 1, task)]


def sync_region(prefix, kind, endpoint, region, task, _code):
    name = SYNC_REGION.get(kind, "barrier")
    if kind == IMPLICIT_PARALLEL and endpoint == END:
        region = 1
    return [] if name is None else [(f"{prefix}{name}_{POINT[endpoint]}", region, task)]


def work(kind, endpoint, region, task, _count, _code):
    if kind not in WORK:
        return []
    has_function = endpoint == BEGIN and WORK[kind] != "single_others"
    return [(f"{WORK[kind]}_{POINT[endpoint]}", region, task) + ((region,) if has_function else ())]


def mutex(word, kind, wait_id):
    if word == "wait" and kind in TESTS:
        return []
    nested = {"acquired": "_first", "release": "_last"} if MUTEX[kind] == "nest_lock" else {}
    return [(f"{word}_{MUTEX[kind]}{nested.get(word, '')}", wait_id)]


EVENTS = {
    "thread_begin": thread_begin,
    "thread_end": lambda known: [("thread_end", known)],
    "parallel_begin": parallel_begin,
    "parallel_end": parallel_end,
    "task_create": task_create,
    "task_schedule": task_schedule,
    "implicit_task": implicit_task,
    "control_tool": lambda command, modifier, *_: [("control", command, modifier)],
    "sync_region": lambda *of: sync_region("", *of),
    "sync_region_wait": lambda *of: sync_region("wait_", *of),
    "work": work,
    "mutex_acquire": lambda kind, _hint, _impl, wait_id, _code: mutex("wait", kind, wait_id),
    "mutex_acquired": lambda kind, wait_id, _code: mutex("acquired", kind, wait_id),
    "mutex_released": lambda kind, wait_id, _code: mutex("release", kind, wait_id),
    "lock_init": lambda kind, _hint, _impl, wait_id, _code: mutex("init", kind, wait_id),
    "lock_destroy": lambda kind, wait_id, _code: mutex("destroy", kind, wait_id),
    "nest_lock": lambda endpoint, wait_id, _code: [("acquired_nest_lock_next" if endpoint == BEGIN else "release_nest_lock_prev", wait_id)],
    "finalize": lambda _known: [("runtime_shutdown",)],
}


def has_code(lines, at):
    """Whether the target task that is created at this line has code of the program: its construct begins behind it."""
    for line in lines[at:]:
        if line[0] == "target" and line[2] == BEGIN:
            return int(line[1] & 7 == TARGET_REGION)
    return 0


def translate(lines, generation):
    told = own_lines(generation)
    for at, (word, *values) in enumerate(lines):
        if word == "task_create" and values[2] & TASKWAIT:
            if values[2] & UNDEFERRED:  # without nowait
                told += [("taskwait_begin", *taskwait_ids(values)), ("wait_taskwait_begin", *taskwait_ids(values))]
        elif word == "task_schedule" and values[1] == 8:
            if values[0]:
                told += [("wait_taskwait_end", 1, 1), ("taskwait_end", 1, 1)]
        elif word == "task_create" and values[2] & TASK_TARGET:
            told += task_create(*values, has_function=has_code(lines, at))
        elif word in EVENTS:
            told += EVENTS[word](*values)
    return told


def taskwait_ids(values):
    """Region and task of a taskwait with dependences. The programs have none outside all regions."""
    return 1, values[0]
