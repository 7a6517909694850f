// Frames as in the chapter of Technical Report 6: canonical frame addresses without flags. The exit frame is that of
// the frame that calls the task's code. The enter frame is that of the user's frame that called the runtime.
#ifndef RUNTIME_SHIM_GENERATIONS_TR6_FRAMES_H_
#define RUNTIME_SHIM_GENERATIONS_TR6_FRAMES_H_

#include <omp-tools.h>

#include "runtime_shim/generations/frame.h"

namespace gomp_ompt {
namespace tr6 {

// Async-signal-safe.
Frame ConvertFrame(const ompt_frame_t& frame);

}  // namespace tr6
}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_TR6_FRAMES_H_
