#include "profiler/collect/write/rounds/definition_writer.h"

#include "profiler/collect/locks/lock_origins.h"
#include "profiler/collect/thread/phase.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/encoding/records.h"

namespace ompprof::collect {

void DefinitionWriter::CollectRetired() {
  ++round_;
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    for (RegionRecord* record = thread->tasks.regions->TakeRetired(); record != nullptr;) {
      RegionRecord* next = record->next;
      record->retired_cycle = round_;
      contexts.AddRun(record);
      retired_.Add({record, thread->tasks.regions});
      record = next;
    }
  }
}

bool DefinitionWriter::WriteLabels() {
  const uint32_t size = labels.size();
  for (uint32_t number = 1; number <= size && labels_written_ < size; ++number) {
    const Label* label = label_written_[number] ? nullptr : labels.At(number);
    if (label == nullptr) continue;
    if (!file_->MakeRoom()) return false;
    EncodeLabel(*label, number, &file_->out);
    label_written_[number] = true;
    ++labels_written_;
  }
  return true;
}

bool DefinitionWriter::WriteLocks() {
  for (const LockOrigin* lock; (lock = lock_origins.At(locks_written_ + 1)) != nullptr; ++locks_written_) {
    if (!file_->MakeRoom()) return false;
    modules_->At(lock->codeptr_ra);
    EncodeLockInit(*lock, locks_written_ + 1, contexts.IdOf(lock->splice), &file_->out);
  }
  return true;
}

bool DefinitionWriter::WriteContexts() {
  contexts.ResolvePending();
  Vector<ContextDefinition>& fresh = contexts.fresh();
  // In order, because a later definition of a number replaces an earlier definition.
  for (; contexts_written_ < fresh.size(); ++contexts_written_) {
    if (!file_->MakeRoom()) return false;
    const ContextDefinition& definition = fresh[contexts_written_];
    modules_->At(definition.codeptr_ra);
    EncodeContext(definition, &file_->out);
  }
  fresh.Clear();
  contexts_written_ = 0;
  for (uint32_t i = 0; i < contexts.runs().size(); ++i) {
    ContextRuns& runs = contexts.runs()[i];
    if (runs.ended == 0) continue;
    if (!file_->MakeRoom()) return false;
    EncodeRegionRuns(runs, &file_->out);
    runs = {runs.id, 0, 0, {}};  // in case the rest has to wait for room
  }
  contexts.ClearRuns();
  return true;
}

// A handler that looked at a region just before its end may still push a sample with a reference to it. Two rounds
// later, no handler can.
void DefinitionWriter::ReleaseRetired() {
  for (uint32_t i = 0; i < retired_.size();) {
    RegionRecord* record = retired_[i].record;
    if (record->retired_cycle + 2 > round_) {
      ++i;
      continue;
    }
    contexts.Forget(record);
    record->sampled.store(false, std::memory_order_relaxed);
    retired_[i].pool->GiveBack(record);
    retired_.RemoveBySwap(i);
  }
}

}  // namespace ompprof::collect
