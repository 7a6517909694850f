#include "profiler/collect/write/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <new>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/base/tick_clock.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/sampling/signal_claim.h"
#include "profiler/collect/sampling/signal_cost.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/files/descriptor_passing.h"
#include "profiler/collect/write/rounds/round.h"
#include "profiler/collect/write/writer_thread.h"
#include "profiler/collect/write/writer_wake.h"
#include "profiler/config/mpi_ranks.h"
#include "scripts/bazel/libc_floor/system_calls.h"

namespace ompprof::collect {

std::atomic<WriterThread*> writer{nullptr};

namespace {

constexpr size_t kStackBytes = 256 << 10;

// At most this many ended threads wait for a file, or for room on its disk. They take some megabytes.
constexpr uint32_t kMaxWaitingThreads = 64;

// Leaves the program's descriptor table: copies of its descriptors would keep its pipes open, and its lowest free
// numbers must stay free. Closes all descriptors except `keep` (-1: none). False: the table is still the program's.
bool LeaveDescriptorTable(int keep) {
  constexpr unsigned kUnshare = 1u << 1;  // CLOSE_RANGE_UNSHARE
  const long from = keep + 1;
  if (RawSyscall(SYS_close_range, from, ~0u, kUnshare) == 0) {
    if (keep > 0) RawSyscall(SYS_close_range, 0, keep - 1, 0);
    return true;
  }
  constexpr long kCloneFiles = 0x400;
  if (RawSyscall(SYS_unshare, kCloneFiles) != 0) return false;
  const long limit = sysconf(_SC_OPEN_MAX);
  for (long fd = 0; fd < limit && fd < 65536; ++fd) {
    if (fd != keep) RawSyscall(SYS_close, fd);
  }
  return true;
}

// Starts the sampling when --delay has passed. Returns the time to sleep, at most `interval`.
uint64_t StartIfDue(uint64_t interval) {
  if (!session.delayed.load(std::memory_order_relaxed)) return interval;
  const uint64_t due = session.start_mono_ns + session.config.delay_ns;
  const uint64_t now = MonotonicNs();
  if (now < due) return due - now < interval ? due - now : interval;
  if (session.delayed.exchange(false)) SetCollecting(true);
  return interval;
}

uint64_t (*look_from_writer)() = nullptr;

// A program that makes threads without libc may end without libc, as Go's do. What has come since the last round is
// lost then, so rounds are more often.
constexpr uint64_t kOftener = 10;

// Sleeps until `interval` has passed or a round is asked for. Meanwhile, fits the callbacks' clock, and looks.
void Sleep(uint64_t interval) {
  const uint64_t begin = MonotonicNs();
  uint64_t until = begin + interval;
  for (;;) {
    const uint64_t next_fit = FitTickClock();
    const uint64_t next_look = look_from_writer != nullptr ? look_from_writer() : 0;
    if (session.unseen_threads.load(std::memory_order_relaxed))
      until = std::min(until, begin + session.config.flush_interval_ns / kOftener);
    const uint64_t now = MonotonicNs();
    if (now >= until || writer_wake.IsAsked()) return;
    uint64_t left = until - now;
    if (next_fit != 0 && next_fit < left) left = next_fit;
    if (next_look != 0 && next_look < left) left = next_look;
    writer_wake.SleepUnlessAsked(left);
  }
}

}  // namespace

bool EnsureOpen(WriterThread* self) {
  if (self->rounds.file.log.is_open()) return true;
  if (self->opened.load(std::memory_order_relaxed) != 0) return false;
  const bool ok = self->rounds.file.Open(self->rounds.program, self->error, sizeof(self->error));
  self->opened.store(ok ? 1 : 2, std::memory_order_release);
  if (!ok) session.collecting.store(false, std::memory_order_relaxed);
  return ok;
}

void Round(WriterThread* self, bool last) {
  RoundWriter* rounds = &self->rounds;
  const uintptr_t unloading = self->unloading.load(std::memory_order_acquire);
  if (unloading != 0) rounds->modules.table.Expect(unloading);
  const bool wanted = AnythingSampled() || (last && self->open_now) || rounds->file.log.is_open();
  const bool written = wanted && EnsureOpen(self) && rounds->Run(last);
  const bool hopeless = self->opened.load(std::memory_order_relaxed) == 2;
  if (unloading == 0) rounds->modules.table.Expect(0);
  if (!written && !last) rounds->threads.DiscardEnded(hopeless ? 0 : kMaxWaitingThreads);
  RemoveDrainedThreads();
}

namespace {

// Another thread wants this thread to end, for a while or for good. False: it no longer wants this.
bool Leave(WriterThread* self) {
  const int handover = self->handover.load(std::memory_order_acquire);
  RoundWriter& rounds = self->rounds;
  bool closed = false;
  if (self->for_good.load(std::memory_order_relaxed) && !rounds.file.staged.is_active() && rounds.file.log.is_open()) {
    rounds.file.log.Remember();
    closed = rounds.file.log.CloseForNow(rounds.file.path);
  }
  if (handover >= 0 && rounds.file.log.is_open()) SendDescriptor(session.pid, handover, rounds.file.log.descriptor());
  uint32_t place = kAsked;
  if (!self->place.compare_exchange_strong(place, kParked, std::memory_order_acq_rel)) {
    if (closed) rounds.file.write_error = rounds.file.log.OpenByName(rounds.file.path);
    return false;
  }
  rounds.cpu_before_ns += ThreadCpuNs();
  FutexWake(&self->place);
  while ((place = self->place.load(std::memory_order_acquire)) == kParked) FutexWait(&self->place, kParked, 0);
  if (place == kGone) return true;
  rounds.cpu_before_ns -= ThreadCpuNs();
  return false;
}

// Copies a profile that has grown elsewhere to its name. After the last copy, nothing is left there.
void Publish(WriterThread* self, bool last) {
  StagedFile* staged = &self->rounds.file.staged;
  if (!staged->is_active()) return;
  const int error = staged->Publish(self->rounds.file.log);
  if (error == 0 && last) return staged->Remove();
  if (error == 0 || !last) return;
  RawSyscall(SYS_fchmod, self->rounds.file.log.descriptor(), 0400);  // `record` need not try again
  snprintf(self->error, sizeof(self->error), "the profile stays in %s on this node: it cannot be copied to %s: %s",
           staged->path(), self->rounds.file.path,
           error == -ESTALE ? "another run has taken the name" : strerror(-error));
}

}  // namespace

void WriteWantedFooter(WriterThread* self) {
  const char* reason = self->flush_reason.exchange(nullptr, std::memory_order_acq_rel);
  if (reason == nullptr || !self->rounds.file.log.is_open()) return;
  self->rounds.WriteFooter(reason);
  Publish(self, /*last=*/false);
}

void Serve(WriterThread* self) {
  for (;;) {
    if (self->stop.load(std::memory_order_acquire) == 0) Sleep(StartIfDue(self->schedule.UntilNext(MonotonicNs())));
    writer_wake.Clear();
    const bool last = self->stop.load(std::memory_order_acquire) != 0;
    const uint32_t requested = self->flush_requested.load(std::memory_order_acquire);
    YieldSignalIfTaken();
    FindUnmaskedThreads();
    if (!self->threadless.load(std::memory_order_relaxed)) {
      signal_cost.MeasureIfMany();
      RefreshLoadedObjects();  // may wait for the loader's lock
    }
    Round(self, last);
    if (last) break;
    WriteWantedFooter(self);
    if (requested != self->flush_done.load(std::memory_order_relaxed)) {
      self->flush_done.store(requested, std::memory_order_release);
      FutexWake(&self->flush_done);
    }
    if (self->place.load(std::memory_order_acquire) == kAsked && Leave(self)) return;
  }
  if (self->rounds.file.log.is_open()) {
    self->rounds.WriteFooter(self->stop_reason);
    if (self->rounds.file.write_error != 0) {
      snprintf(self->error, sizeof(self->error), "the profile %s is incomplete: %s", self->rounds.file.path,
               strerror(-self->rounds.file.write_error));
    }
    Publish(self, /*last=*/true);
    self->rounds.file.log.Close();
  }
  self->stopped.store(1, std::memory_order_release);
  FutexWake(&self->stopped);
}

namespace {

void* Main(void* argument) {
  const OwnFloatingPoint floating_point;  // a thread begins with the floating-point traps of its maker
  auto* self = static_cast<WriterThread*>(argument);
  self->tid.store(Tid(), std::memory_order_relaxed);
  prctl(PR_SET_NAME, "ompprof");
  const bool left = LeaveDescriptorTable(self->carried);
  self->rounds.generated.BeginDescriptors(left);
  if (self->carried >= 0) {
    const int own = left ? self->carried : static_cast<int>(RawSyscall(SYS_fcntl, self->carried, F_DUPFD_CLOEXEC, 512));
    self->rounds.file.log.Adopt(own);
  }
  uint32_t place = kGone;
  if (self->place.compare_exchange_strong(place, kServing, std::memory_order_acq_rel)) FutexWake(&self->place);
  if (self->open_now) {
    EnsureOpen(self);
    FutexWake(&self->opened);
  }
  Serve(self);
  if (self->place.load(std::memory_order_acquire) == kGone) real.pthread_detach(pthread_self());
  return nullptr;
}

}  // namespace

int StartThread(WriterThread* self) {
  const uint64_t before = SetSignalMask(kAllSignals);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  int result = real.pthread_create(&self->thread, &attributes, Main, self);
  if (result == EINVAL) result = real.pthread_create(&self->thread, nullptr, Main, self);  // large static TLS
  pthread_attr_destroy(&attributes);
  SetSignalMask(before);
  return result;
}

namespace {

// A rank's place is the rank's; any other process has a place by its number. Not in the writer thread, because the
// program may change its environment at the same time.
void BeginSchedule(WriterThread* self) {
  const char* rank = self->open_now ? config::MpiRank() : "";
  const uint32_t number = static_cast<uint32_t>(rank[0] != '\0' ? strtoul(rank, nullptr, 10) : session.pid);
  self->schedule.Begin(number, session.config.flush_interval_ns, ClockNs(CLOCK_REALTIME), MonotonicNs());
}

}  // namespace

void LookFromWriter(uint64_t (*look)()) { look_from_writer = look; }

bool StartWriter(bool open_now, char* error, size_t size) {
  void* memory = MapFixed(sizeof(WriterThread));
  if (memory == nullptr) {
    snprintf(error, size, "no memory for the writer");
    return false;
  }
  auto* self = new (memory) WriterThread;  // the pages are zero already
  self->open_now = open_now;
  self->carried = -1;
  self->handover.store(-1, std::memory_order_relaxed);
  self->rounds.Prepare();
  BeginSchedule(self);
  writer_wake.Clear();
  writer.store(self, std::memory_order_release);
  const bool without = StartsWithoutHelper(/*of_main_process=*/open_now);
  const int result = without ? 0 : StartThread(self);
  if (without || result == EAGAIN) {
    if (!without) NeedPlace();
    BeginOwnRounds(self);
  } else if (result != 0) {
    writer.store(nullptr, std::memory_order_release);
    snprintf(error, size, "cannot start the writer thread: %s", strerror(result));
    return false;
  }
  if (!open_now) return true;
  while (self->opened.load(std::memory_order_acquire) == 0) FutexWait(&self->opened, 0, kPatienceNs);
  if (self->opened.load(std::memory_order_acquire) == 1) {
    if (self->rounds.file.renamed)
      Warn("%s exists already and stays as it is; the profile of %s goes to %s", session.config.output,
           program_invocation_short_name, self->rounds.file.path);
    if (self->rounds.file.stage_error != 0)
      Warn("no profile can grow in the folder %s of --stage: %s; the profile is written to %s at once",
           session.config.stage, strerror(self->rounds.file.stage_error), self->rounds.file.path);
    return true;
  }
  snprintf(error, size, "%s", self->error);
  self->open_now = false;
  char ignored[8];
  StopWriter("not opened", ignored, sizeof(ignored));
  JoinWriter();
  return false;
}

void FlushNow(const char* footer_reason) {
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self == nullptr || self->stop.load(std::memory_order_relaxed) != 0) return;
  if (footer_reason != nullptr) self->flush_reason.store(footer_reason, std::memory_order_release);
  const uint32_t wanted = self->flush_requested.fetch_add(1, std::memory_order_acq_rel) + 1;
  Patience patience(self);
  writer_wake.AskAgain();
  for (;;) {
    if (self->threadless.load(std::memory_order_acquire)) return FlushHere(self);
    const uint32_t done = self->flush_done.load(std::memory_order_acquire);
    if (static_cast<int32_t>(done - wanted) >= 0 || patience.IsOver() ||
        self->stop.load(std::memory_order_relaxed) != 0)
      return;
    FutexWait(&self->flush_done, done, 100000000);
    writer_wake.AskAgain();
  }
}

void ExpectUnload(uintptr_t address) {
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self != nullptr) self->unloading.store(address, std::memory_order_release);
}

void StopWriter(const char* reason, char* error, size_t size) {
  error[0] = '\0';
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self == nullptr) return;
  self->stop_reason = reason;
  self->stop.store(1, std::memory_order_release);
  writer_wake.AskAgain();
  Patience patience(self);
  while (self->stopped.load(std::memory_order_acquire) == 0 && !patience.IsOver()) {
    if (self->threadless.load(std::memory_order_acquire)) {
      StopHere(self);
    } else {
      FutexWait(&self->stopped, 0, 100000000);
    }
  }
  if (self->stopped.load(std::memory_order_acquire) == 0) {
    const StagedFile& staged = self->rounds.file.staged;
    snprintf(error, size, "the profile %s is incomplete: writing it took more than 20 seconds",
             staged.is_active() ? staged.path() : self->rounds.file.path);
    return;
  }
  snprintf(error, size, "%s", self->error);
}

void JoinWriter() {
  WriterThread* self = writer.load(std::memory_order_acquire);
  if (self == nullptr || self->threadless.load(std::memory_order_relaxed) ||
      self->stopped.load(std::memory_order_acquire) == 0 || self->joined.exchange(true))
    return;
  const OwnWork own_work;                    // exit() is no cancellation point
  real.pthread_join(self->thread, nullptr);  // no sanitizer has seen this thread's creation
  self->tid.store(0, std::memory_order_relaxed);
}

const char* OutputPath() {
  const WriterThread* self = writer.load(std::memory_order_acquire);
  return self != nullptr ? self->rounds.file.path : "";
}

int WriterTid() {
  const WriterThread* self = writer.load(std::memory_order_acquire);
  return self != nullptr ? self->tid.load(std::memory_order_relaxed) : 0;
}

void ForgetWriter() {
  writer.store(nullptr, std::memory_order_release);
  writer_wake.round_here.store(nullptr, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
