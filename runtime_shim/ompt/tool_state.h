// Says whether a tool is active, and which tool. Every wrapper and every entry point asks this first. activation.h
// changes it.
#ifndef RUNTIME_SHIM_OMPT_TOOL_STATE_H_
#define RUNTIME_SHIM_OMPT_TOOL_STATE_H_

#include <stdint.h>

#include <atomic>

namespace gomp_ompt {

enum class Mode : uint8_t {
  kUndecided,  // nobody has called libgomp yet; the first call will find out whether there is a tool
  kOff,        // no tool, or none any more: every wrapper is a tail call
  kOn,         // a tool is active
};

extern std::atomic<Mode> tool_mode;
void SetMode(Mode mode);

// For a trampoline, which runs code that a wrapper began: the tool may be gone since.
inline bool IsToolActive() { return tool_mode.load(std::memory_order_relaxed) == Mode::kOn; }

extern std::atomic<uint32_t> tool_epoch;

// The epoch of the tool: odd while a tool is active, another number for each tool. A thread that an earlier tool knew
// (before a fork) is new to the next tool. Events that began under one tool do not end under another.
inline uint32_t ToolEpoch() { return tool_epoch.load(std::memory_order_relaxed); }

// The epoch while the mode is kOn, otherwise a number that no thread has. A wrapper whose thread has this number needs
// no other check.
extern std::atomic<uint32_t> epoch_for_all;

// True from before the initializer until the finalizer.
inline bool HasTool() { return (ToolEpoch() & 1) != 0; }

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_TOOL_STATE_H_
