#include "profiler/collect/write/rounds/module_writer.h"

#include "profiler/collect/ompt/runtime_facts.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/encoding/records.h"

namespace ompprof::collect {

Module* ModuleWriter::At(uintptr_t address) { return table.At(address, session.epoch.load(std::memory_order_relaxed)); }

// Marks the object at `code`, which is the collector or its shim. If it is linked into the program itself, nothing is
// marked.
void ModuleWriter::MarkOwn(uintptr_t code) {
  Module* module = At(code);
  const auto program = reinterpret_cast<uintptr_t>(session.program_code);
  if (module == nullptr || program - module->low < module->high - module->low) return;
  module->profilers_own = true;
  module->written = false;
}

void ModuleWriter::WriteRuntimes() {
  if (!own_found_) {
    own_found_ = true;
    // The program itself is the first of the modules.
    if (table.knows_executable()) At(reinterpret_cast<uintptr_t>(session.program_code));
    MarkOwn(reinterpret_cast<uintptr_t>(&EncodeHeader));
  }
  for (int runtime = 0; runtime < kMaxRuntimes; ++runtime) {
    const RuntimeFacts* facts = Facts(runtime);
    if (runtime_written_[runtime] || facts == nullptr) continue;
    if (!file_->MakeRoom()) return;
    const Module* module = At(facts->code);
    if (IsShim(runtime)) MarkOwn(facts->code);
    EncodeRuntime(*facts, module != nullptr ? module->id : 0, &file_->out);
    runtime_written_[runtime] = true;
  }
  const uint32_t objects = session.runtime_code.count.load(std::memory_order_acquire);
  for (; runtime_objects_ < objects; ++runtime_objects_) {
    Module* module = At(session.runtime_code.objects[runtime_objects_].low);
    if (module == nullptr) continue;
    module->openmp_runtime = true;
    module->written = false;
  }
}

bool ModuleWriter::Write() {
  for (uint32_t i = 0; i < table.size(); ++i) {
    Module& module = table.entry(i);
    if (module.written) continue;
    if (!file_->MakeRoom()) return false;
    EncodeModule(module, &file_->out);
    module.written = true;
  }
  return true;
}

bool ModuleWriter::WriteUnloaded() {
  const uint32_t next = session.epoch.load(std::memory_order_relaxed) + 1;
  if (!table.Validate(next)) return true;
  session.epoch.store(next, std::memory_order_relaxed);
  InvalidateUnwindCaches();
  return Write();
}

}  // namespace ompprof::collect
