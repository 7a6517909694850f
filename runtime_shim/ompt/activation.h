// Finding a tool, starting it, ending it. OpenMP 5.1 section 4.2; the order of the search is that of 4.2.2 and of the
// TR6-era chapter's "Tool activation".
#ifndef RUNTIME_SHIM_OMPT_ACTIVATION_H_
#define RUNTIME_SHIM_OMPT_ACTIVATION_H_

#include <stdint.h>

#include <atomic>

namespace gomp_ompt {

enum class Mode : uint8_t {
  kUndecided,   // nobody has called libgomp yet: whether there is a tool will be asked then
  kOff,         // no tool, or none any more: every wrapper is a tail call
  kOn,          // a tool is active
  kOnByCaller,  // likewise, and the calls of some libraries go to another OpenMP runtime, which is none of its business
};

extern std::atomic<Mode> tool_mode;

// For a trampoline, which runs what a wrapper began: the tool may have gone since.
inline bool IsToolActive() {
  const Mode mode = tool_mode.load(std::memory_order_relaxed);
  return mode == Mode::kOn || mode == Mode::kOnByCaller;
}

// Called at the first call into libgomp of the process (and again in the child of a fork): looks for a tool and starts
// it. `active` is the mode that it then has. True if one is active. A call from within (a tool's initializer that uses
// OpenMP) answers false.
bool ActivateTool(Mode active);

// How often a tool was started: a thread that an earlier one knew (before a fork) is new to the next.
uint32_t ToolEpoch();

// ompt_finalize_tool, and the end of the process: ends the calling thread for the tool, calls its finalizer once, and
// turns every wrapper back into a tail call.
void FinalizeTool();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_ACTIVATION_H_
