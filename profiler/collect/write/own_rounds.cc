// A process without the helper thread: while a call of the program needs that (PauseWriter), or for good (EndHelper, or
// no thread could be had). For good, the program's threads make the rounds: in the signal handler, when a round is due,
// and at a flush.
//
// A round takes no lock of the program's, so it may interrupt any code. Each round opens the file by its name, and
// closes it: a descriptor that stays in the program's table would be seen there, and the program may close it.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/files/descriptor_passing.h"
#include "profiler/collect/write/writer.h"
#include "profiler/collect/write/writer_thread.h"
#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {
namespace {

// The program has needed the helper's place. Then a forked child needs it too.
std::atomic<bool> place_is_needed{false};

// A limit on the user's threads and processes that is lower may be used up by the processes of a run. Each process that
// the program starts would have a helper.
constexpr rlim_t kFewPlaces = 4096;

// Moves a descriptor out of the program's way: the program may count on the lowest free descriptors.
int MoveUp(int fd) {
  constexpr int kHigh = 512;
  const long high = fd < kHigh ? RawSyscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kHigh) : -1;
  if (high < 0) return fd;
  RawSyscall(SYS_close, fd);
  return static_cast<int>(high);
}

void NoteNeed() {
  AddNote(
      "the program uses as many threads and processes as a limit allows (ulimit -u, pids.max), so ompprof has no "
      "helper thread: the program's threads write the profile");
}

void NoteFew() {
  AddNote(
      "a limit allows few threads and processes (ulimit -u), so ompprof has no helper thread in this process: the "
      "program's threads write the profile");
}

// Around writes by a thread of the program. No signal handler of the program interrupts them. The signals that a failed
// write sends to its thread are taken away: the helper blocks them for good.
class OwnWrites {
 public:
  OwnWrites() : before_(SetSignalMask(kAllSignals)), pending_(Pending()) {}
  ~OwnWrites() {
    const uint64_t sent = kOfWrites & ~pending_;
    const timespec now{0, 0};
    while (sent != 0 && RawSyscall(SYS_rt_sigtimedwait, reinterpret_cast<long>(&sent), 0, reinterpret_cast<long>(&now),
                                   sizeof(sent)) > 0) {
    }
    SetSignalMask(before_);
  }
  OwnWrites(const OwnWrites&) = delete;
  OwnWrites& operator=(const OwnWrites&) = delete;

 private:
  static constexpr uint64_t kOfWrites = 1ull << (SIGXFSZ - 1) | 1ull << (SIGPIPE - 1);
  static uint64_t Pending() {
    uint64_t signals = 0;
    RawSyscall(SYS_rt_sigpending, reinterpret_cast<long>(&signals), sizeof(signals));
    return signals;
  }

  const OwnFloatingPoint floating_point_;
  const uint64_t before_;
  const uint64_t pending_;
};

// Of the thread's CPU time, only the time that this object lives is the writer's.
class OwnTime {
 public:
  explicit OwnTime(RoundWriter* rounds) : rounds_(rounds) { rounds_->cpu_before_ns -= ThreadCpuNs(); }
  ~OwnTime() { rounds_->cpu_before_ns += ThreadCpuNs(); }
  OwnTime(const OwnTime&) = delete;
  OwnTime& operator=(const OwnTime&) = delete;

 private:
  RoundWriter* const rounds_;
};

bool TryToTakeRounds(WriterThread* self) { return self->round_taken.exchange(1, std::memory_order_acquire) == 0; }

void LeaveRounds(WriterThread* self) {
  self->round_taken.store(0, std::memory_order_release);
  FutexWake(&self->round_taken);
}

// The thread that makes a round cannot be interrupted, so it is another thread. False: it took too long.
bool TakeRounds(WriterThread* self) {
  Patience patience(self);
  while (!TryToTakeRounds(self)) {
    if (patience.IsOver()) return false;
    FutexWait(&self->round_taken, 1, 10000000);
  }
  return true;
}

// The file of the rounds before, if there were any. False: it cannot be opened now.
bool FindFile(WriterThread* self) {
  RoundWriter& rounds = self->rounds;
  if (rounds.file.log.WasTaken()) rounds.file.log.Adopt(-1);
  if (rounds.file.log.is_open() || self->opened.load(std::memory_order_relaxed) != 1) return true;
  rounds.file.write_error = rounds.file.log.OpenByName(rounds.file.path);
  self->cannot_open.store(rounds.file.write_error != 0, std::memory_order_relaxed);
  return rounds.file.write_error == 0;
}

// A file that cannot be opened again stays open: a pipe, or a file of the user that the process was. So does a file
// that grows elsewhere (--stage), because its lock says that the process lives.
void LetFileGo(WriterThread* self) {
  LogFile& file = self->rounds.file.log;
  if (!file.is_open()) return;
  file.Remember();
  if (!self->rounds.file.staged.is_active() && file.CloseForNow(self->rounds.file.path)) return;
  file.Adopt(MoveUp(file.descriptor()));
}

void RoundHere(WriterThread* self) {
  const OwnTime own_time(&self->rounds);
  writer_wake.Clear();
  if (FindFile(self)) {
    Round(self, /*last=*/false);
    WriteWantedFooter(self);
    LetFileGo(self);
  }
  const uint64_t now = MonotonicNs();
  self->due_ns.store(now + self->schedule.UntilNext(now), std::memory_order_relaxed);
}

// Async-signal-safe.
void RoundIfDue() {
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self == nullptr || self->stop.load(std::memory_order_acquire) != 0) return;
  const bool asked = writer_wake.IsAsked() && !self->cannot_open.load(std::memory_order_relaxed);
  if (!asked && MonotonicNs() < self->due_ns.load(std::memory_order_relaxed)) return;
  const OwnWrites own_writes;
  if (!TryToTakeRounds(self)) return;
  if (self->stop.load(std::memory_order_acquire) == 0) RoundHere(self);
  LeaveRounds(self);
}

}  // namespace

bool StartsWithoutHelper(bool of_main_process) {
  if (place_is_needed.load(std::memory_order_relaxed)) {
    NoteNeed();
    return true;
  }
  if (of_main_process || !HasFewPlaces()) return false;
  NoteFew();
  return true;
}

bool HasFewPlaces() {
  rlimit limit;
  return getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < kFewPlaces;
}

void BeginOwnRounds(WriterThread* self) {
  self->place.store(kGone, std::memory_order_relaxed);
  self->rounds.generated.BeginDescriptors(/*own=*/false);
  if (self->open_now && self->opened.load(std::memory_order_relaxed) == 0) {
    const OwnWrites own_writes;
    EnsureOpen(self);
  }
  LetFileGo(self);
  const uint64_t now = MonotonicNs();
  self->due_ns.store(now + self->schedule.UntilNext(now), std::memory_order_relaxed);
  self->threadless.store(true, std::memory_order_release);
  writer_wake.round_here.store(RoundIfDue, std::memory_order_release);
}

bool CanDelay() {
  const WriterThread* self = writer.load(std::memory_order_acquire);
  if (self != nullptr && !self->threadless.load(std::memory_order_relaxed)) return true;
  AddNote("without a helper thread, sampling begins before the time of --delay");
  return false;
}

void NeedPlace() {
  place_is_needed.store(true, std::memory_order_relaxed);
  NoteNeed();
}

void FlushHere(WriterThread* self) {
  const OwnWork own_work;
  const OwnWrites own_writes;
  if (!TakeRounds(self)) return;
  if (self->stop.load(std::memory_order_acquire) == 0) RoundHere(self);
  LeaveRounds(self);
}

void StopHere(WriterThread* self) {
  const OwnWrites own_writes;
  if (!TakeRounds(self)) return;
  const OwnTime own_time(&self->rounds);
  if (FindFile(self)) {
    Serve(self);
  } else {
    snprintf(self->error, sizeof(self->error), "the profile %s is incomplete: %s", self->rounds.file.path,
             strerror(-self->rounds.file.write_error));
    self->stopped.store(1, std::memory_order_release);
  }
  LeaveRounds(self);
}

Pause PauseWriter(bool for_good) {
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self == nullptr || self->stop.load(std::memory_order_acquire) != 0) return Pause::kNothing;
  uint32_t place = self->place.load(std::memory_order_acquire);
  if (place != kServing) return Pause::kNothing;
  // First what the helper reads once it is asked: it looks by itself, too.
  const DescriptorPassing passing;
  self->for_good.store(for_good, std::memory_order_relaxed);
  self->handover.store(passing.sender(), std::memory_order_release);
  if (!self->place.compare_exchange_strong(place, kAsked, std::memory_order_acq_rel)) {
    self->handover.store(-1, std::memory_order_release);
    return Pause::kNothing;
  }
  const uint64_t deadline = MonotonicNs() + kPatienceNs;
  while (self->place.load(std::memory_order_acquire) == kAsked) {
    writer_wake.AskAgain();
    FutexWait(&self->place, kAsked, 100000000);
    if (MonotonicNs() < deadline && self->stop.load(std::memory_order_acquire) == 0) continue;
    place = kAsked;
    if (!self->place.compare_exchange_strong(place, kServing, std::memory_order_acq_rel)) continue;
    self->handover.store(-1, std::memory_order_release);
    return Pause::kNothing;
  }
  self->handover.store(-1, std::memory_order_release);
  const int tid = self->tid.load(std::memory_order_relaxed);
  if (self->rounds.file.log.is_open()) {
    self->carried = passing.Receive();
    if (self->carried < 0) self->carried = self->rounds.file.log.OpenAgain(tid);
    if (self->carried >= 0) self->carried = MoveUp(self->carried);
  }
  const bool carried = !self->rounds.file.log.is_open() || self->carried >= 0;
  self->place.store(carried ? kGone : kServing, std::memory_order_release);
  FutexWake(&self->place);
  if (!carried) return Pause::kImpossible;
  AwaitThreadsEnd(session.pid, tid, kPatienceNs);
  self->tid.store(0, std::memory_order_relaxed);
  return Pause::kDone;
}

bool ResumeWriter() {
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (StartThread(self) != 0) {
    self->rounds.file.log.Adopt(self->carried);
    self->rounds.generated.BeginDescriptors(/*own=*/false);
    self->carried = -1;
    self->threadless.store(true, std::memory_order_release);
    return false;
  }
  while (self->place.load(std::memory_order_acquire) == kGone) FutexWait(&self->place, kGone, 100000000);
  if (self->carried >= 0) RawSyscall(SYS_close, self->carried);
  self->carried = -1;
  return true;
}

bool EndHelper(bool is_needed) {
  if (PauseWriter(/*for_good=*/true) != Pause::kDone) return false;
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self->carried >= 0) self->rounds.file.log.Adopt(self->carried);
  self->carried = -1;
  is_needed ? NeedPlace() : NoteFew();
  BeginOwnRounds(self);
  return true;
}

}  // namespace ompprof::collect
