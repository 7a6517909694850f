// A frame as in the generations before OpenMP 5.0: two addresses, without flags.
#ifndef RUNTIME_SHIM_GENERATIONS_FRAME_H_
#define RUNTIME_SHIM_GENERATIONS_FRAME_H_

namespace gomp_ompt {

struct Frame {
  void* exit;   // exit_runtime_frame, exit_frame
  void* enter;  // reenter_runtime_frame, enter_frame
};

// The calling thread's copy of the frame of the task at `level`. It stays until the thread asks for some other levels.
// Tools may not expect a frame at a constant place. Async-signal-safe.
Frame* KeepFrame(int level, const Frame& frame);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_FRAME_H_
