"""All rows of the matrix."""

import rows_limits
import rows_others
import rows_processes
import rows_programs
import rows_runtimes
import rows_stacks

ALL = (
    rows_stacks.ROWS
    + rows_limits.ROWS
    + rows_processes.ROWS
    + rows_others.ROWS
    + rows_programs.ROWS
    + rows_runtimes.ROWS
)

assert len({row.name for row in ALL}) == len(ALL), "two rows of one name"

# Rows whose name begins so, and the test under tests/integration that runs the same program in the same ways, with the
# profiler and without. faults_more_test (scripts/test --all) and scripts/faults run them too.
ELSEWHERE = {
    "constructors": "loading_test",
    "constructors_gcc": "loading_test",
    "exits": "exits_test",
    "host": "host_test",
    "limits": "limits_test",
    "runtimes": "local_runtimes_test",
    "sanitized": "host_test",
    "signals": "host_test",
    "unloading": "host_test",
    "unseen": "unseen_threads_test",
}


def is_elsewhere(row):
    return row.name.split()[0] in ELSEWHERE
