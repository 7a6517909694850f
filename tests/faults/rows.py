"""All rows of the matrix."""

import rows_limits
import rows_others
import rows_processes
import rows_programs
import rows_stacks

ALL = rows_stacks.ROWS + rows_limits.ROWS + rows_processes.ROWS + rows_others.ROWS + rows_programs.ROWS

assert len({row.name for row in ALL}) == len(ALL), "two rows of one name"
