"""Rows about the places of the sampling signal: stacks, masks, handlers, and uses of the processor."""

from row import Row

SHORT = ("{ms}",)


def stacks(mode, **more):
    return Row(f"stacks {mode}", "stacks", (mode, *SHORT), **more)


def masks(mode, **more):
    return Row(f"masks {mode}", "masks", (mode, *SHORT), **more)


def handlers(mode, **more):
    return Row(f"handlers {mode}", "handlers", (mode, *SHORT), **more)


def machine(mode, **more):
    return Row(f"machine {mode}", "machine", (mode, *SHORT), **more)


BLOCKED = "all signals are blocked half of the time, which has no samples"
OWN_SIGNAL = "the program takes SIGPROF for itself"

ROWS = [
    stacks("page_away"),
    stacks("page_away_in_a_thread"),
    stacks("carved_stack"),
    stacks("carved_stack_in_a_thread"),
    stacks("frames_that_lead_there"),
    stacks("frames_that_lead_away"),
    stacks("alt_stack_2048"),
    stacks("alt_stack_least"),
    stacks("alt_stack_4096"),
    stacks("alt_stack_16384"),
    stacks("sigaltstack_coroutine"),
    stacks("freed_alt_stack"),
    stacks("overflow_recovered"),
    stacks("swapcontext"),
    stacks("deep_recursion"),
    stacks("near_the_end"),
    stacks("own_memory"),
    stacks("huge_stack"),
    stacks("given_back"),
    stacks("no_limit", needs=("root",)),
    masks("ppoll", loses=BLOCKED),
    masks("ppoll_in_a_thread", loses=BLOCKED),
    masks("pselect", loses=BLOCKED),
    masks("epoll_pwait", loses=BLOCKED),
    masks("sigsuspend", loses=BLOCKED),
    masks("sigpending", loses=BLOCKED),
    masks("raw_signalfd", loses=BLOCKED),
    masks("raw_sigtimedwait", loses=BLOCKED),
    masks("mask_changes", loses=BLOCKED),
    masks("sigwait_threads"),
    handlers("itimer_prof", loses=OWN_SIGNAL),
    handlers("itimer_virtual"),
    handlers("itimer_real"),
    handlers("raise_prof", loses="killed"),
    handlers("itimer_prof_by_default", loses="killed"),
    handlers("defaults"),
    handlers("takes_all", loses=OWN_SIGNAL),
    handlers("timer_of_threads"),
    handlers("own_cpu_timer"),
    handlers("faults_jump_out"),
    handlers("faults_mended"),
    handlers("illegal_instructions"),
    handlers("bus_errors"),
    handlers("alarms_jump_out"),
    handlers("one_shot_and_nested"),
    handlers("children"),
    handlers("broken_pipe", loses="killed"),
    handlers("queued_in_order"),
    handlers("blocking_calls"),
    handlers("registers_in_a_handler"),
    handlers("end_in_a_handler"),
    machine("float_traps"),
    machine("float_flags"),
    machine("usual_traps_in_regions"),
    machine("all_traps"),
    machine("rounding"),
    machine("vector_registers"),
    machine("alignment_check", known="the handler reads what is not aligned, which raises SIGBUS while the flag is set"),
    machine("direction_flag"),
    machine("no_timestamps", known="the handler reads the time-stamp counter"),
    machine("other_thread_pointer", known="the handler finds its thread by the thread pointer"),
    machine("stack_pointer_as_data", known="a signal needs a stack, and the program has no alternate one"),
    machine("red_zone"),
    machine("slow_numbers"),
]
