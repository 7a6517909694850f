// The deviations of LLVM's offloading runtime (libomptarget) from OMPT's text, as libomp.h has those of libomp.
//
// Functions are async-signal-safe unless they say otherwise.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMPTARGET_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMPTARGET_H_

#include <stddef.h>
#include <stdint.h>

#include "proto/ompt_state.h"

namespace ompprof::collect::libomptarget {

// The state of a thread whose youngest frame is the runtime's, within a target construct that the thread began. The
// runtime does not change the thread's state for a construct.
// Seen: 19. Test: omptarget_test, PathsAndStates.
inline OmptState StateInConstruct(OmptState state) {
  const bool works = state == OmptState::kWorkSerial || state == OmptState::kWorkParallel;
  return works || state == OmptState::kOverhead ? OmptState::kWaitTarget : state;
}

// Copies the type that device_initialize gives for a device, or nothing if it is not a word of printable characters.
// The runtime gives the text of a temporary string, whose memory may have other contents by now. `size` is the room in
// `copy`, with the NUL.
// Seen: 19. Test: libomptarget_quirks_test, TypeOfADevice.
void CopyDeviceType(const char* type, char* copy, size_t size);

// Who waits for a kernel, by the type of its device.
enum class Launches {
  kWait,         // every other runtime: the event of the launch ends when the kernel has ended
  kReturnEarly,  // a GPU: the launch only queues the kernel. The runtime waits before the construct ends
  kOnHost        // a device that is the host's processor: the launching thread executes the kernel
};
// Seen: 19. Test: libomptarget_quirks_test, LaunchesOfADevice.
Launches LaunchesOf(const char* type);

// Whether a file, by the last part of its path, of `length` bytes, is the program's code for a device. A device that is
// the host's processor executes this code from a temporary file. What else the runtime calls is a part of the runtime.
// Seen: 14 to 19. Test: libomptarget_quirks_test, Images.
bool IsImage(const char* name, uint32_t length);

// Why no event comes from the offloading runtime at `path`, though set_callback answered "always"; NULL: events come.
// libomp answers for it. The runtime itself asks for OMPT in a file named libomp.so, and Debian's package of the
// runtime has libomp.so.5 only. Before 17, the runtime asks for no OMPT at all. Not in the handler. Seen: 14 to 19.
// Test: omptarget_test, WithoutTheFile.
const char* WhyNoEvents(const char* path);

}  // namespace ompprof::collect::libomptarget

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMPTARGET_H_
