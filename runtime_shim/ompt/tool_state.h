// Says whether a tool is active, and which tool. Every wrapper and every entry point asks this first. activation.h
// changes it.
#ifndef RUNTIME_SHIM_OMPT_TOOL_STATE_H_
#define RUNTIME_SHIM_OMPT_TOOL_STATE_H_

#include <stdint.h>

#include <atomic>

namespace gomp_ompt {

enum class Mode : uint8_t {
  kUndecided,   // nobody has called libgomp yet: whether there is a tool will be asked then
  kOff,         // no tool, or none any more: every wrapper is a tail call
  kOn,          // a tool is active
  kOnByCaller,  // likewise; but each library has its own runtime, which may be another one than libgomp
};

extern std::atomic<Mode> tool_mode;
void SetMode(Mode mode);

// For a trampoline, which runs what a wrapper began: the tool may have gone since.
inline bool IsToolActive() {
  const Mode mode = tool_mode.load(std::memory_order_relaxed);
  return mode == Mode::kOn || mode == Mode::kOnByCaller;
}

extern std::atomic<uint32_t> tool_epoch;

// Of the tool: odd while one is active, another number for each. A thread that an earlier one knew (before a fork) is
// new to the next, and what was begun under one is not ended under another.
inline uint32_t ToolEpoch() { return tool_epoch.load(std::memory_order_relaxed); }

// The same while the mode is kOn, and otherwise a number that no thread has: a wrapper whose thread has it needs to
// look at nothing else.
extern std::atomic<uint32_t> epoch_for_all;

// From before the initializer until the finalizer.
inline bool HasTool() { return (ToolEpoch() & 1) != 0; }

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_TOOL_STATE_H_
