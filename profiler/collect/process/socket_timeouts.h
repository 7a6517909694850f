// A socket with a timeout (SO_RCVTIMEO, SO_SNDTIMEO) fails at a signal, in read and write too. Few programs have such
// sockets, so the wrappers of transfers ask only where one was made.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_SOCKET_TIMEOUTS_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_SOCKET_TIMEOUTS_H_

#include <atomic>

namespace ompprof::collect {

inline std::atomic<bool> sockets_have_timeouts{false};

inline bool SocketsHaveTimeouts() { return sockets_have_timeouts.load(std::memory_order_relaxed); }

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_SOCKET_TIMEOUTS_H_
