#include "runtime_shim/ompt/tool_state.h"

namespace gomp_ompt {

std::atomic<Mode> tool_mode{Mode::kUndecided};
std::atomic<uint32_t> tool_epoch{0};

// Even, like the epoch without a tool.
constexpr uint32_t kEpochOfNoThread = 0xfffffffe;
std::atomic<uint32_t> epoch_for_all{kEpochOfNoThread};

void SetMode(Mode mode) {
  epoch_for_all.store(mode == Mode::kOn ? ToolEpoch() : kEpochOfNoThread, std::memory_order_release);
  tool_mode.store(mode, std::memory_order_release);
}

}  // namespace gomp_ompt
