#include "runtime_shim/generations/tr6_frames.h"

#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {
namespace tr6 {
namespace {

// A frame that makes a call takes at least 16 bytes, because the stack is aligned at a call. The canonical address of a
// user's frame is not known without a walk. This address is in that frame, behind its beginning.
constexpr int kLeastFrame = 16;

bool IsFramePointer(int flags) { return (flags & ompt_frame_framepointer) != 0; }

void* Behind(const ompt_data_t& address, int distance) {
  return address.ptr != nullptr ? static_cast<char*>(address.ptr) + distance : nullptr;
}

}  // namespace

// Where a region continues in the frame that called, no frame of the runtime lies between the two tasks. Both addresses
// are then the end of the user's stack at the call, and stay.
Frame ConvertFrame(const ompt_frame_t& frame) {
  return {Behind(frame.exit_frame, IsFramePointer(frame.exit_frame_flags) ? kFramePointerToCfa : 0),
          Behind(frame.enter_frame, IsFramePointer(frame.enter_frame_flags) ? kFramePointerToCfa + kLeastFrame : 0)};
}

}  // namespace tr6
}  // namespace gomp_ompt
