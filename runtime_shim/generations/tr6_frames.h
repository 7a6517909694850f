// Frames as in the chapter of Technical Report 6: canonical frame addresses without flags. The exit frame is that of
// the frame that calls the task's code. The enter frame is that of the user's frame that called the runtime.
#ifndef RUNTIME_SHIM_GENERATIONS_TR6_FRAMES_H_
#define RUNTIME_SHIM_GENERATIONS_TR6_FRAMES_H_

#include <omp-tools.h>

namespace gomp_ompt {
namespace tr6 {

struct Frame {
  void* exit_frame;
  void* enter_frame;
};

// Async-signal-safe.
Frame ConvertFrame(const ompt_frame_t& frame);

// The calling thread's copy of the frame of the task at `level`. It stays until the thread asks for some other levels.
// Tools may not expect a frame at a constant place. Async-signal-safe.
Frame* KeepFrame(int level, const ompt_frame_t& frame);

}  // namespace tr6
}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_TR6_FRAMES_H_
