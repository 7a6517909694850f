#include "profiler/collect/write/rounds/round.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/locks/lock_origins.h"
#include "profiler/collect/sampling/signal_cost.h"
#include "profiler/collect/thread/phase.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/files/free_number.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/config/output_name.h"
#include "proto/callpath_profile_magic.h"

namespace ompprof::collect {
namespace {

constexpr int kPiecesOfRound = 16;  // of a file with the names of generated code
// Further names of a profile. Processes that start at the same time take each other's names, and try the next ones.
constexpr unsigned kMostNumber = 1000000;
constexpr unsigned kMostTries = 10000;

// The name of a thread at its start and at its end is known. It is read meanwhile because the process may be killed. To
// open the file of a new thread costs some 20 us, so a round reads few names; the last one reads those of all threads
// that still live.
constexpr uint32_t kMostNames = 32;

void ReadThreadName(ThreadState* thread) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/comm", thread->identity.tid);
  char name[sizeof(thread->identity.name)];
  size_t length = ReadWholeFile(path, name, sizeof(name) - 1);
  while (length > 0 && name[length - 1] == '\n') --length;
  name[length] = '\0';
  if (length > 0) memcpy(thread->identity.name, name, length + 1);
}

// Counts the thread's moves between processor packages, as far as one look in each round sees them.
void WatchPackage(ThreadState* thread) {
  char path[64];
  char stat[1024];
  snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread->identity.tid);
  stat[ReadWholeFile(path, stat, sizeof(stat) - 1)] = '\0';
  const int cpu = ProcessorOf(stat);
  if (cpu < 0) return;
  const uint32_t package = PackageOf(static_cast<uint32_t>(cpu)) + 1;
  if (thread->written.package != 0 && thread->written.package != package) ++thread->written.socket_moves;
  thread->written.package = package;
}

// Marks the object at `code`, which is the collector or its shim. If it is linked into the program itself, nothing is
// marked.
void MarkOwn(uintptr_t code, ModuleTable* modules) {
  Module* module = modules->At(code, session.epoch.load(std::memory_order_relaxed));
  const auto program = reinterpret_cast<uintptr_t>(session.program_code);
  if (module == nullptr || program - module->low < module->high - module->low) return;
  module->profilers_own = true;
  module->written = false;
}

// The working directory of this process. After the removal of this directory, its name is unknown: child processes then
// write to the place where the process wrote.
char last_directory[PATH_MAX] = "/";

template <typename Visit>
void ForEachThread(Visit visit) {
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) visit(thread);
}

}  // namespace

void RoundWriter::Prepare() {
  ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable) - 1);
  executable[length > 0 ? length : 0] = '\0';
  if (getcwd(directory, sizeof(directory)) != nullptr) {
    strcpy(last_directory, directory);
  } else {
    strcpy(directory, last_directory);
  }
  if (gethostname(host, sizeof(host) - 1) != 0) strcpy(host, "localhost");
  argv_size = ReadWholeFile("/proc/self/cmdline", argv, sizeof(argv) - 1);
  if (argv_size > 0 && argv[argv_size - 1] != '\0') argv[argv_size++] = '\0';
  machine = ReadMachineFacts();
  load.Begin();
  settings_size = 0;
  for (char** entry = __environ; entry != nullptr && *entry != nullptr; ++entry) {
    const size_t size = strlen(*entry) + 1;
    if (!TunesOpenmp(*entry) || size > sizeof(settings) - settings_size) continue;
    memcpy(settings + settings_size, *entry, size);
    settings_size += size;
  }
  const auto copy = [](const char* variable, char* out, size_t size) {
    const char* const value = getenv(variable);
    snprintf(out, size, "%s", value != nullptr ? value : "");
  };
  copy("OMPPROF_RUN", run, sizeof(run));
  copy("OMPPROF_FOLDER", run_folder, sizeof(run_folder));
  modules.Init(executable);
}

// A process may be killed at any moment. The file has its header as soon as it appears.
bool RoundWriter::OpenFile(char* error, size_t size) {
  out.Raw(fields::kMagic, fields::kMagicSize);
  EncodeHeader({executable, host, config::MpiRank(), run, argv, argv_size, settings, settings_size, machine}, &out);
  // A process in another root, on another machine or of another user may not have the run's folder.
  if (run_folder[0] != '\0' && OpenFileBelow(run_folder, error, size)) return true;
  error[0] = '\0';
  return OpenFileBelow(directory, error, size);
}

bool RoundWriter::OpenFileBelow(const char* folder, char* error, size_t size) {
  const char* program = strrchr(executable, '/');
  config::OutputNameParts parts{folder,        program != nullptr ? program + 1 : executable,
                                host,          config::MpiRank(),
                                session.pid,
                                /*attempt=*/0, config::MpiRanks()};
  const auto expand = [&] { return config::ExpandOutputName(session.config.output, parts, path, sizeof(path)); };
  for (unsigned tries = 0; tries < kMostTries; ++tries) {
    if (!expand()) {
      snprintf(error, size, "OMPPROF_OUTPUT=%s is not a usable name; only %s are expanded", session.config.output,
               config::kNamePatterns);
      path[0] = '\0';
      return false;
    }
    if (parts.attempt == 0) config::MakeRankFolder(session.config.output, parts, path);
    const int result = file.Open(path, out.data(), out.size());
    if (result == 0) {
      StageFile();
      // `ompprof record` names its runs and moves the files of others away: then the name is the family's.
      renamed = parts.attempt != 0 && session.config.output[0] != '\0' && run[0] == '\0';
      out.Clear();
      return true;
    }
    if (result != -EEXIST) {
      snprintf(error, size, "cannot create the profile %s: %s", path, strerror(-result));
      path[0] = '\0';
      return false;
    }
    if (tries != 0) {
      ++parts.attempt;
      continue;
    }
    parts.attempt = FreeNumber(kMostNumber, [&](unsigned number) {
      parts.attempt = number;
      return expand() && access(path, F_OK) == 0;
    });
  }
  snprintf(error, size, "cannot create the profile %s: the names before it are taken", path);
  path[0] = '\0';
  return false;
}

void RoundWriter::StageFile() {
  const char* stage = session.config.stage;
  if (stage[0] == '\0') return;
  char folder[PATH_MAX];
  const bool absolute = stage[0] == '/';
  const char* const base = run_folder[0] != '\0' ? run_folder : directory;
  const int length = snprintf(folder, sizeof(folder), "%s%s%s", absolute ? "" : base, absolute ? "" : "/", stage);
  const bool fits = length > 0 && static_cast<size_t>(length) < sizeof(folder);
  const int error = fits ? staged.Begin(folder, path, out.data(), out.size(), &file) : -ENAMETOOLONG;
  stage_error = -error;
}

bool RoundWriter::FlushBuffer() {
  if (out.size() == 0) return true;
  write_error = file.Append(out.data(), out.size());
  if (write_error != 0) return false;
  out.Clear();
  return true;
}

bool RoundWriter::MakeRoom() { return out.room() >= kMaxRecordBytes || FlushBuffer(); }

bool RoundWriter::AnythingSampled() const {
  bool any = false;
  ForEachThread([&](ThreadState* thread) { any |= thread->paths.ring.head() != thread->paths.ring.tail(); });
  return any;
}

void RoundWriter::WriteOnce() {
  if (!own_modules_found) {
    own_modules_found = true;
    // The program itself is the first of the modules.
    if (executable[0] != '\0')
      modules.At(reinterpret_cast<uintptr_t>(session.program_code), session.epoch.load(std::memory_order_relaxed));
    MarkOwn(reinterpret_cast<uintptr_t>(&EncodeHeader), &modules);
  }
  for (int runtime = 0; runtime < kMaxRuntimes; ++runtime) {
    const RuntimeFacts* facts = Facts(runtime);
    if (runtime_written[runtime] || facts == nullptr) continue;
    if (!MakeRoom()) return;
    const Module* module = modules.At(facts->code, session.epoch.load(std::memory_order_relaxed));
    if (IsShim(runtime)) MarkOwn(facts->code, &modules);
    EncodeRuntime(*facts, module != nullptr ? module->id : 0, &out);
    runtime_written[runtime] = true;
  }
  const uint32_t objects = session.runtime_code.count.load(std::memory_order_acquire);
  for (; runtime_modules < objects; ++runtime_modules) {
    Module* module =
        modules.At(session.runtime_code.objects[runtime_modules].low, session.epoch.load(std::memory_order_relaxed));
    if (module == nullptr) continue;
    module->openmp_runtime = true;
    module->written = false;
  }
}

bool RoundWriter::WriteModules() {
  for (uint32_t i = 0; i < modules.size(); ++i) {
    Module& module = modules.entry(i);
    if (module.written) continue;
    if (!MakeRoom()) return false;
    EncodeModule(module, &out);
    module.written = true;
  }
  return true;
}

void RoundWriter::BeginDescriptors(bool own) {
  own_descriptors = own;
  perf_map.file.Forget();
  for (uint32_t i = 0; i < jit_dumps.count(); ++i) jit_dumps.dump(i).file.Forget();
}

// The names of code that the process generates. The files stay open only in a table of descriptors that the program
// does not see.
bool RoundWriter::WriteGenerated(bool last) {
  const bool written = WriteCodeMap(last) && WriteCodeDumps(last);
  if (!own_descriptors || last) {
    perf_map.file.Close();
    for (uint32_t i = 0; i < jit_dumps.count(); ++i) jit_dumps.dump(i).file.Close();
  }
  return written;
}

// A round copies a few pieces only. The last round copies all pieces, of which there is a largest number.
bool RoundWriter::WriteCodeMap(bool last) {
  for (int piece = 0; last || piece < kPiecesOfRound; ++piece) {
    if (!MakeRoom()) return false;
    const size_t size = perf_map.ReadMore(session.pid, session.start_unix_ns, code_text, sizeof(code_text));
    if (size == 0) break;
    EncodeCodeMap(code_text, size, &out);
  }
  return true;
}

// Reading the table of mappings may take milliseconds, so a program that generates no code is spared it.
bool RoundWriter::WriteCodeDumps(bool last) {
  any_generated_code |= new_generated_code;
  if (new_generated_code || (last && any_generated_code)) jit_dumps.Find(session.pid, code_text, sizeof(code_text));
  new_generated_code = false;
  for (uint32_t i = 0; i < jit_dumps.count(); ++i) {
    JitDump& dump = jit_dumps.dump(i);
    for (int piece = 0; last || piece < kPiecesOfRound; ++piece) {
      if (!MakeRoom()) return false;
      const size_t size =
          dump.ReadMore(session.start_unix_ns, reinterpret_cast<uint8_t*>(code_text), sizeof(code_text));
      if (size == 0) break;
      EncodeCodeDump(i + 1, dump.announced ? "" : dump.path, code_text, size, &out);
      dump.announced = true;
    }
  }
  return true;
}

bool RoundWriter::WriteTree(TreeSlot* slot) {
  const uint32_t epoch = session.epoch.load(std::memory_order_relaxed);
  const uint32_t end = slot->tree.size();
  while (slot->written < end) {
    if (!MakeRoom()) return false;
    const uint32_t first = slot->written + 1;
    const uint32_t count = end - slot->written < kMaxNodesPerBatch ? end - slot->written : kMaxNodesPerBatch;
    for (uint32_t i = 0; i < count; ++i) {
      const NodeKey key = slot->tree.node(first + i).key;
      if ((KeyKind(key) & 15) <= fields::kNodeExplicitTask && (KeyKind(key) & 15) >= fields::kNodeFrame)
        new_generated_code |= modules.At(KeyValue(key), epoch) == nullptr;
    }
    EncodeNodes(slot->tree, first, count, &out);
    slot->written += count;
  }
  return true;
}

bool RoundWriter::WriteNodes() {
  while (left_behind.size() != 0) {
    TreeSlot* slot = left_behind[left_behind.size() - 1];
    if (!WriteTree(slot)) return false;
    slot->left_behind = false;
    left_behind.RemoveBySwap(left_behind.size() - 1);
  }
  bool ok = true;
  ForEachThread([&](ThreadState* thread) { ok = ok && WriteTree(thread->paths.slot); });
  return ok && WriteModules();
}

bool RoundWriter::WriteThreads(bool last) {
  scale.BeginRound(last);
  bool ok = true;
  ForEachThread([&](ThreadState* thread) { ok = ok && WriteThread(thread, last); });
  return ok && (!last || WriteRest());
}

bool RoundWriter::WriteThread(ThreadState* thread, bool last) {
  const bool ended = thread->lifecycle.load(std::memory_order_acquire) == ThreadState::kEnded;
  if (!MakeRoom()) return false;
  const uint64_t head = thread->paths.ring.head();
  const bool sampled = head != thread->paths.ring.tail();
  if (!ended && sampled && machine.sockets > 1) WatchPackage(thread);
  // Written again whenever the thread was sampled, because the process may be killed: the record has the CPU time so
  // far.
  if (!thread->written.announced || (ended && !thread->written.end_announced) || last || sampled) {
    if (!ended && (last || (sampled && names_read++ < kMostNames))) ReadThreadName(thread);
    EncodeThread(thread, &out);
    thread->written.announced = true;
    thread->written.end_announced = ended;
  }
  if (thread->paths.slot->tree.size() > thread->paths.slot->written && !WriteNodes()) return false;
  scale.BeginThread(thread, head, ended || last);
  const bool written = WriteSamples(thread, head);
  scale.EndThread(thread, written && (ended || last));
  if (!written) return false;
  if (!ended && last && !thread->HasCarriedNowhere()) {
    thread->sampler.tail_weight += thread->sampler.carried_weight;
    thread->sampler.carried_weight = thread->sampler.carried_count = 0;
  }
  if ((ended || last) && !WriteEnd(thread)) return false;
  if (!WriteCounts(thread)) return false;
  if (ended) Drain(thread);
  return true;
}

// Writes the rest of a thread's data, which no sample has carried.
bool RoundWriter::WriteEnd(ThreadState* thread) {
  const bool counted = thread->sampler.counts.tail.any() && thread->paths.last_sample.node != 0;
  if (thread->sampler.tail_weight != 0 || counted) {
    if (!MakeRoom()) return false;
    WriteTail(thread);
  }
  if ((thread->waiting.cut_intervals[0].time_ns | thread->waiting.cut_intervals[1].time_ns) != 0) {
    if (!MakeRoom()) return false;
    WriteCutIntervals(thread);
  }
  return true;
}

// Writes, with `encode`, the entries of a thread's table that have changed since they were written. `stamp` changes
// with an entry.
template <typename Table, typename Stamp, typename Encode>
bool RoundWriter::WriteChanged(Table* table, Stamp stamp, Encode encode) {
  for (uint32_t i = 0; table != nullptr && i < table->size(); ++i) {
    auto* counts = table->entry(i);
    const uint64_t now = stamp(*counts);
    if (now == counts->written) continue;
    if (!MakeRoom()) return false;
    modules.At(counts->key.codeptr_ra, session.epoch.load(std::memory_order_relaxed));
    encode(*counts);
    counts->written = now;
  }
  return true;
}

namespace {

// The factor for what windows found of this row. Waits for a lock have the lock's factor, as have its holders' charges.
double ScaleOf(const ThreadState& thread, const WaitCounts& counts) {
  if (counts.key.wait_id == 0) return EstimateScale(counts);
  const ThreadLocks::Acquisitions& of_lock = thread.locks.AcquisitionsOf(counts.key.wait_id);
  return RatioScale(of_lock.all.load(std::memory_order_relaxed), of_lock.found.load(std::memory_order_relaxed),
                    of_lock.stands_for.load(std::memory_order_relaxed));
}

}  // namespace

// The thread's sums for each region, each worksharing construct and each kind of wait.
bool RoundWriter::WriteCounts(ThreadState* thread) {
  const uint32_t id = thread->identity.id;
  const auto value = [](const std::atomic<uint64_t>& count) { return count.load(std::memory_order_relaxed); };
  return WriteChanged(
             thread->tasks.region_stats,
             [&](const RegionCounts& counts) { return value(counts.invocations) + value(counts.ended); },
             [&](const RegionCounts& counts) { EncodeRegionStats(counts, id, &out); }) &&
         WriteChanged(
             thread->tasks.work_stats,
             [&](const WorkCounts& counts) { return value(counts.count) + value(counts.chunks); },
             [&](const WorkCounts& counts) { EncodeWorkStats(counts, id, &out); }) &&
         WriteChanged(
             thread->waiting.stats,
             [&](const WaitCounts& counts) {
               return value(counts.count) + value(counts.last_count) + value(counts.estimated_ns) +
                      value(counts.estimated_count) + value(counts.windows_count);
             },
             [&](const WaitCounts& counts) {
               const uint32_t epoch = session.epoch.load(std::memory_order_relaxed);
               modules.At(counts.key.acquired_at, epoch);
               modules.At(counts.key.wait_id, epoch);
               EncodeWaitStats(counts, id, ScaleOf(*thread, counts), &out);
             });
}

// Everything of the thread is written, except for its part in the totals.
void RoundWriter::Drain(ThreadState* thread) {
  for (uint32_t reason = 0; reason < fields::kLostReasonCount; ++reason) {
    lost.samples[reason] += thread->paths.lost[reason].samples.load(std::memory_order_relaxed);
    lost.weight[reason] += thread->paths.lost[reason].weight.load(std::memory_order_relaxed);
  }
  intervals_lost += thread->waiting.intervals_lost.load(std::memory_order_relaxed);
  cut.Add(thread->sampler.limits);
  masked.Add(*thread);
  for (uint32_t event = 0; event < kOmptEvents; ++event)
    events[event] += thread->tasks.events[event].load(std::memory_order_relaxed);
  governed.Add(*thread);
  thread->lifecycle.store(ThreadState::kDrained, std::memory_order_release);
}

void RoundWriter::DiscardEnded(uint32_t keep) {
  ForEachThread([&](ThreadState* thread) {
    if (thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kEnded) return;
    if (keep != 0) {
      --keep;
      return;
    }
    SampleRing& ring = thread->paths.ring;
    for (uint64_t position = ring.tail(); position != ring.head(); ++position) {
      const Sample& sample = ring.at(position);
      if (sample.kind == kInterval) {
        ++intervals_lost;
      } else {
        lost.samples[fields::kLostWrite] += sample.count;
        lost.weight[fields::kLostWrite] += sample.weight;
      }
    }
    ring.Release(ring.head());
    lost.weight[fields::kLostWrite] += thread->sampler.tail_weight;
    thread->sampler.tail_weight = 0;
    if (thread->paths.slot->written < thread->paths.slot->tree.size() && !thread->paths.slot->left_behind)
      thread->paths.slot->left_behind = left_behind.Add(thread->paths.slot);
    Drain(thread);
  });
}

bool RoundWriter::WriteLabels() {
  const uint32_t size = labels.size();
  for (uint32_t number = 1; number <= size && labels_written < size; ++number) {
    const Label* label = label_written[number] ? nullptr : labels.At(number);
    if (label == nullptr) continue;
    if (!MakeRoom()) return false;
    EncodeLabel(*label, number, &out);
    label_written[number] = true;
    ++labels_written;
  }
  return true;
}

bool RoundWriter::WriteLocks() {
  for (const LockOrigin* lock; (lock = lock_origins.At(locks_written + 1)) != nullptr; ++locks_written) {
    if (!MakeRoom()) return false;
    modules.At(lock->codeptr_ra, session.epoch.load(std::memory_order_relaxed));
    EncodeLockInit(*lock, locks_written + 1, contexts.IdOf(lock->splice), &out);
  }
  return true;
}

bool RoundWriter::WriteContexts() {
  contexts.ResolvePending();
  Vector<ContextDefinition>& fresh = contexts.fresh();
  // In order, because a later definition of a number replaces an earlier definition.
  for (; contexts_written < fresh.size(); ++contexts_written) {
    if (!MakeRoom()) return false;
    const ContextDefinition& definition = fresh[contexts_written];
    modules.At(definition.codeptr_ra, session.epoch.load(std::memory_order_relaxed));
    EncodeContext(definition, &out);
  }
  fresh.Clear();
  contexts_written = 0;
  for (uint32_t i = 0; i < contexts.runs().size(); ++i) {
    ContextRuns& runs = contexts.runs()[i];
    if (runs.ended == 0) continue;
    if (!MakeRoom()) return false;
    EncodeRegionRuns(runs, &out);
    runs = {runs.id, 0, 0, {}};  // in case the rest has to wait for room
  }
  contexts.ClearRuns();
  return true;
}

bool RoundWriter::WriteTotals(bool last) {
  LostTotals now = lost;
  CutSamples cut_now = cut;
  MaskedTime masked_now = masked;
  uint64_t counts[kOmptEvents];
  memcpy(counts, events, sizeof(counts));
  ForEachThread([&](ThreadState* thread) {
    if (thread->lifecycle.load(std::memory_order_acquire) == ThreadState::kDrained) return;
    for (uint32_t reason = 0; reason < fields::kLostReasonCount; ++reason) {
      now.samples[reason] += thread->paths.lost[reason].samples.load(std::memory_order_relaxed);
      now.weight[reason] += thread->paths.lost[reason].weight.load(std::memory_order_relaxed);
    }
    for (uint32_t event = 0; event < kOmptEvents; ++event)
      counts[event] += thread->tasks.events[event].load(std::memory_order_relaxed);
    cut_now.Add(thread->sampler.limits);
    if (last) masked_now.Add(*thread);
    if (last && thread->HasCarriedNowhere()) {
      now.samples[fields::kLostBusy] += thread->sampler.carried_count;
      now.weight[fields::kLostBusy] += thread->sampler.carried_weight;
    }
  });
  now.samples[fields::kLostNotAttached] += session.unattached_samples.load(std::memory_order_relaxed);
  now.samples[fields::kLostNoTimer] += session.unarmed_threads.load(std::memory_order_relaxed);
  if (!MakeRoom()) return false;
  WriteGoverned();
  if (ProcessorLoad::Reading reading; load.Read(last, &reading)) EncodeProcessorLoad(reading, &out);
  if (!MakeRoom()) return false;
  if (memcmp(&now, &lost_written, sizeof(now)) != 0) {
    EncodeLost(now, &out);
    lost_written = now;
  }
  uint64_t sum = 0;
  for (const uint64_t count : counts) sum += count;
  if (sum != events_written) {
    EncodeEvents(counts, &out);
    events_written = sum;
  }
  if (last && !cut_noted) {
    if (device_timeline.lost() != 0)
      AddNote("%llu operations of devices are missing in the timeline, because the writer did not keep up",
              static_cast<unsigned long long>(device_timeline.lost()));
    cut_now.AddNote();
    AddSamplingNotes(masked_now);
    cut_noted = true;
  }
  for (const Note* note = NoteAt(notes_written); note != nullptr; note = NoteAt(notes_written)) {
    if (!MakeRoom()) return false;
    EncodeNote(*note, &out);
    ++notes_written;
  }
  return true;
}

// Called before the threads are written, because threads may be released then.
void RoundWriter::ScaleBlame() {
  double scaled = 0;
  ForEachThread([&](const ThreadState* thread) {
    for (uint32_t i = 0; thread->waiting.stats != nullptr && i < thread->waiting.stats->size(); ++i) {
      const WaitCounts& counts = *thread->waiting.stats->entry(i);
      const auto ns = static_cast<double>(counts.estimated_ns.load(std::memory_order_relaxed));
      if (counts.key.wait_id != 0) continue;
      scaled += ns * EstimateScale(counts);
    }
  });
  // For a moment, the part taken back may be larger, so the sum may be negative.
  const auto clocks = static_cast<double>(static_cast<int64_t>(window_waited_ns.load(std::memory_order_relaxed)));
  if (clocks > 0 && scaled > 0) governor.SetBlameScale(scaled / clocks);
}

void RoundWriter::WriteGoverned() {
  GovernedTotals now = governed;
  ForEachThread([&](const ThreadState* thread) {
    if (thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kDrained) now.Add(*thread);
  });
  for (uint32_t event_class = 1; event_class < fields::kEventClassCount; ++event_class) {
    const GovernedTotals::Class& totals = now.classes[event_class];
    // Exact observations need no record.
    if (totals.unobserved == 0 || totals.events == governed_written[event_class]) continue;
    EncodeGoverned(event_class, totals.events, totals.unobserved, &out);
    governed_written[event_class] = totals.events;
  }
}

void RoundWriter::CollectRetired() {
  ForEachThread([&](ThreadState* thread) {
    for (RegionRecord* record = thread->tasks.regions->TakeRetired(); record != nullptr;) {
      RegionRecord* next = record->next;
      record->retired_cycle = round;
      contexts.AddRun(record);
      retired.Add({record, thread->tasks.regions});
      record = next;
    }
  });
}

// A handler that looked at a region just before its end may still push a sample with a reference to it. Two rounds
// later, no handler can.
void RoundWriter::ReleaseRetired() {
  for (uint32_t i = 0; i < retired.size();) {
    if (retired[i].record->retired_cycle + 2 > round) {
      ++i;
      continue;
    }
    contexts.Forget(retired[i].record);
    retired[i].record->sampled.store(false, std::memory_order_relaxed);
    retired[i].pool->GiveBack(retired[i].record);
    retired.RemoveBySwap(i);
  }
}

bool RoundWriter::Run(bool last) {
  ++round;
  names_read = 0;
  if (!MakeRoom()) return false;
  WriteOnce();
  const uint32_t epoch = session.epoch.load(std::memory_order_relaxed);
  CollectRetired();
  ScaleBlame();
  if (!WriteNodes() || !WriteThreads(last) || !WriteLabels() || !WriteLocks() || !WriteDevices() || !WriteContexts() ||
      !WriteNodes() || !WriteTotals(last) || !WriteModules() || !WriteGenerated(last))
    return false;
  if (modules.Validate(epoch + 1)) {
    session.epoch.store(epoch + 1, std::memory_order_relaxed);
    InvalidateUnwindCaches();
    if (!WriteModules()) return false;
  }
  ReleaseRetired();
  return FlushBuffer();
}

bool RoundWriter::WriteFooter(const char* reason) {
  if (!MakeRoom()) return false;
  double due = 0;
  uint64_t missing = intervals_lost, handoff = 0;
  ForEachThread([&](const ThreadState* thread) {
    due += thread->blame.due_ns;
    handoff += thread->locks.handoff_ns.load(std::memory_order_relaxed);
    if (thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kDrained)
      missing += thread->waiting.intervals_lost.load(std::memory_order_relaxed);
  });
  EncodeFooter({reason, samples, weight, cpu_before_ns + ThreadCpuNs(), static_cast<uint64_t>(due), handoff, missing,
                labels.refused(), signal_cost.TotalNs(), PeakResidentBytes()},
               &out);
  return FlushBuffer();
}

}  // namespace ompprof::collect
