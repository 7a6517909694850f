"""The OpenMP runtimes that costs are measured on, and how an OMPT tool or ompprof gets to a program on each of them.

construct_cost.py and tasks.py use them. Paths are of scripts/bench's outputs. The variants of all runtimes have common
names, so that one table can hold any of them.
"""

import dataclasses
import os

from interleaved import Variant

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "bazel-bin")
COLLECTOR = os.path.join(BUILT, "profiler/collect/libompprof.so")
SHIM = os.path.join(BUILT, "runtime_shim/libgomp_ompt.so")
FREQUENCY = 199  # samples a second and thread

# The names of variants.
ALONE, NOTHING, EMPTY_TOOL, OURS = "alone", "registers nothing", "empty tool", "ompprof"


@dataclasses.dataclass
class Runtime:
    """`suffix`: names of programs for this runtime end so. `needs_shim`: its OMPT is the shim's."""

    name: str
    suffix: str
    needs_shim: bool

    def program(self, name):
        return os.path.join(BUILT, "tests/bench", name + self.suffix)

    def alone(self):
        return Variant(ALONE)

    def nothing(self):
        """Under a tool that registers no callback, with everything that any tool needs."""
        return self._under(NOTHING, "libempty_tool.so")

    def empty_tool(self):
        """Under a tool that registers all callbacks, which do nothing."""
        return self._under(EMPTY_TOOL, "libregistering_tool.so")

    def ours(self, name=OURS, frequency=FREQUENCY, **options):
        """Under ompprof; an option max_overhead="0" is --max-overhead=0."""
        settings = {"OMPPROF_" + option.upper(): value for option, value in options.items()}
        preload = f"{COLLECTOR}:{SHIM}" if self.needs_shim else COLLECTOR
        environment = {"LD_PRELOAD": preload, "OMPPROF_FREQUENCY": str(frequency), **settings}
        return Variant(name, environment=environment, outputs=".ompprof")

    def _under(self, name, tool):
        path = os.path.join(BUILT, "tests/bench", tool)
        # The shim takes the tool that is in the process, as it takes an executable's own.
        return Variant(name, environment={"LD_PRELOAD": f"{SHIM}:{path}"} if self.needs_shim else {"OMP_TOOL_LIBRARIES": path})


LIBOMP = Runtime("libomp", "", needs_shim=False)
LIBGOMP = Runtime("libgomp", "_gcc", needs_shim=True)
ALL = {runtime.name: runtime for runtime in (LIBOMP, LIBGOMP)}
