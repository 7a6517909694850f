// The state of the helper thread, for writer.cc (the thread) and own_rounds.cc (a process that has none, or stops it).
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_WRITER_THREAD_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_WRITER_THREAD_H_

#include <limits.h>
#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/os.h"
#include "profiler/collect/write/flush_schedule.h"
#include "profiler/collect/write/rounds/round.h"

namespace ompprof::collect {

// The program waits for the writer at most this long, at a flush or at its end. This allows for a slow disk, and ends a
// hang.
constexpr uint64_t kPatienceNs = 20ull * 1000000000ull;

// The thread's state. Each value follows the previous value. If the thread cannot be stopped, kAsked returns to
// kServing.
enum Place : uint32_t {
  kServing,
  kAsked,   // asked to pause
  kParked,  // waits until the caller has the file
  kGone,    // gone, or going
};

struct WriterThread {
  RoundWriter rounds;
  pthread_t thread;
  std::atomic<int> tid;
  std::atomic<uint32_t> flush_requested;
  std::atomic<uint32_t> flush_done;  // futex
  std::atomic<uint32_t> opened;      // futex: 0 not yet, 1 yes, 2 failed
  std::atomic<uint32_t> stop;
  std::atomic<uint32_t> stopped;  // futex
  std::atomic<bool> joined;
  std::atomic<uintptr_t> unloading;       // an address in an object that dlclose may unload now; 0: none
  std::atomic<const char*> flush_reason;  // for a footer after a flush; NULL: no footer is wanted
  const char* stop_reason;                // for the last footer, set before `stop`
  bool open_now;
  std::atomic<uint32_t> place;  // futex: a Place
  std::atomic<int> handover;    // in the program's table: receives the file's descriptor at a pause; -1: none
  std::atomic<bool> for_good;   // the pause has no end: the file is closed
  int carried;                  // the file's descriptor in the program's table, while there is no thread; -1: none
  std::atomic<bool> threadless;
  std::atomic<uint32_t> round_taken;  // futex: 1 while a thread of the program makes a round (threadless)
  std::atomic<uint64_t> due_ns;       // the time of the next round (threadless)
  std::atomic<bool> cannot_open;      // the last round did not find the file (threadless)
  FlushSchedule schedule;
  char error[2 * PATH_MAX + 256];
};

extern std::atomic<WriterThread*> writer;

// When a thread of the program no longer waits for the writer. A copy that advances may take longer.
class Patience {
 public:
  explicit Patience(const WriterThread* self) : self_(self), until_(MonotonicNs() + kPatienceNs) {}
  bool IsOver() {
    const uint64_t now = MonotonicNs();
    const uint32_t pieces = self_->rounds.file.staged.pieces();
    if (pieces != pieces_) until_ = now + kPatienceNs;
    pieces_ = pieces;
    return now > until_;
  }

 private:
  const WriterThread* self_;
  uint32_t pieces_ = 0;
  uint64_t until_;
};

// The thread's parts. `Start` returns 0 or an error number.
int StartThread(WriterThread* self);
bool EnsureOpen(WriterThread* self);
void Round(WriterThread* self, bool last);
void WriteWantedFooter(WriterThread* self);
// Runs rounds until `stop` and then ends the file, or runs rounds until the thread must leave.
void Serve(WriterThread* self);

// In a process without the thread. StartsWithoutHelper: no thread is to be tried. NeedPlace: there was no place. The
// last two make the rounds of FlushNow and StopWriter.
bool StartsWithoutHelper(bool of_main_process);
void NeedPlace();
void BeginOwnRounds(WriterThread* self);
void FlushHere(WriterThread* self);
void StopHere(WriterThread* self);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_WRITER_THREAD_H_
