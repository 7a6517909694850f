// Says whether the process has given up system calls (seccomp(2)). A filter may kill on any call that it does not list.
// So the collector may make no system call from there on: no timer, no signal, no helper, no wrapper. sealing.h puts
// the seal on.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_SEAL_H_
#define OMPPROF_PROFILER_COLLECT_BASE_SEAL_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

struct Seal {
  std::atomic<bool> process{};     // for good, and for its forked children
  std::atomic<uint32_t> inside{};  // threads in code of ours that makes system calls
  std::atomic<uint32_t> begun{};   // futex: 0 no thread sets the seal, 1 a thread is setting it, 2 it is set
};
extern Seal seal;

// The running code is a child that the calling thread made by vfork. The filter belongs to the child, the memory to the
// parent. True until the child's exec or _exit.
extern __thread bool sealed_vfork_child __attribute__((tls_model("initial-exec"), visibility("hidden")));

// No system call may be made on the collector's behalf. Async-signal-safe.
inline bool IsSealed() { return seal.process.load(std::memory_order_acquire) || sealed_vfork_child; }

// Lives while a thread is in the collector, in a place that another thread's filter may overtake. The constructor and
// the destructor tell the filtering thread, which waits for this thread.
class InsideSeal {
 public:
  InsideSeal() {
    seal.inside.fetch_add(1, std::memory_order_seq_cst);
    sealed_ = seal.process.load(std::memory_order_seq_cst) || sealed_vfork_child;
  }
  ~InsideSeal() { seal.inside.fetch_sub(1, std::memory_order_release); }
  InsideSeal(const InsideSeal&) = delete;
  InsideSeal& operator=(const InsideSeal&) = delete;
  bool sealed() const { return sealed_; }

 private:
  bool sealed_;
};

// Called in a forked child: threads of the parent that were inside, or about to seal, do not exist there.
void ForgetOtherSealers();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_SEAL_H_
