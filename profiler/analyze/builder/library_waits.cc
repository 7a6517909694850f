#include "profiler/analyze/builder/library_waits.h"

#include <algorithm>

#include "profiler/analyze/view/state_kind.h"
#include "profiler/analyze/view/system_objects.h"

namespace ompprof::analyze {
namespace {

std::vector<int> LibrariesOf(const std::string& path) {
  std::vector<int> libraries;
  for (int library = 0; library < WaitingLibraries(); ++library) {
    if (IsOfWaitingLibrary(library, path)) libraries.push_back(library);
  }
  return libraries;
}

}  // namespace

LibraryWaits::LibraryWaits(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer)
    : process_(*process), number_(number), symbolizer_(*symbolizer) {
  any_ = std::any_of(process_.modules.begin(), process_.modules.end(),
                     [](const auto& module) { return !LibrariesOf(module.second.path()).empty(); });
}

const LibraryWaits::ObjectKind& LibraryWaits::KindOf(uint32_t object) {
  if (object >= kinds_.size()) kinds_.resize(symbolizer_.objects().size());
  ObjectKind& kind = kinds_[object];
  if (!kind.known && object != 0) {
    const std::string& path = symbolizer_.objects()[object].path;
    kind.system = IsSystemObject(path);
    kind.libraries = LibrariesOf(path);
  }
  kind.known = true;
  return kind;
}

LibraryWaits::Wait LibraryWaits::LookInLibrary(uint32_t tree, uint32_t leaf) {
  Wait wait;
  bool calls_wait = false;  // a younger frame is a function of the C library that only waits
  bool innermost = true;    // no younger frame belongs to a library
  const uint32_t epoch = process_.Epoch(tree, leaf);
  uint32_t id = leaf;
  for (const model::Node* node = process_.FindNode(tree, id); node != nullptr; node = process_.FindNode(tree, id)) {
    if (node->kind != NODE_FRAME || node->runtime) break;
    const model::CodeAddress place = symbolizer_.Locate(number_, node->value, node->return_address, epoch);
    const ObjectKind& kind = KindOf(place.object);
    if (!kind.system && kind.libraries.empty()) break;
    const std::vector<model::SourceFrame>& frames = symbolizer_.Frames(place);
    if (kind.system) {
      calls_wait |= std::any_of(frames.begin(), frames.end(), [](const model::SourceFrame& frame) {
        return IsWaitingCall(frame.function->system_name);
      });
    } else {
      for (const int library : kind.libraries) {
        Waiting how = innermost && calls_wait ? Waiting::kItself : Waiting::kNo;
        for (const model::SourceFrame& frame : frames) how = std::max(how, WaitingIn(library, frame.function->name));
        if (how == Waiting::kNo || (how == Waiting::kItself && !innermost)) continue;
        wait = {WaitingLibraryName(library), id};
        break;
      }
      innermost = false;
    }
    id = node->parent;
  }
  return wait;
}

LibraryWaits::Wait LibraryWaits::LookInSystem(uint32_t tree, uint32_t leaf, bool asleep) {
  const uint32_t epoch = process_.Epoch(tree, leaf);
  uint32_t id = leaf;
  bool waits = asleep;
  bool unnamed = false;  // a frame younger than `routine` has no name: the C library is stripped
  const std::vector<model::SourceFrame>* routine = nullptr;  // of the C library's outermost frame
  const model::Node* node = process_.FindNode(tree, id);
  for (; node != nullptr && node->kind == NODE_FRAME && !node->runtime; node = process_.FindNode(tree, id)) {
    const model::CodeAddress place = symbolizer_.Locate(number_, node->value, node->return_address, epoch);
    if (!KindOf(place.object).system) break;
    unnamed |= routine != nullptr && routine->back().function->system_name.empty();
    routine = &symbolizer_.Frames(place);
    for (const model::SourceFrame& frame : *routine) waits |= IsFutexWait(frame.function->system_name);
    id = node->parent;
  }
  if (routine == nullptr) return asleep ? Wait{"futex", leaf} : Wait();
  const std::string& name = routine->back().function->system_name;
  if (const char* known = SystemWaitName(name)) {
    // In a stripped C library, what these functions call has no name: it is the wait, but for rare kinds of locks.
    return waits || unnamed || WaitsWhole(name) ? Wait{known, id} : Wait();
  }
  if (!waits) return {};
  // A function that makes any system call.
  return {name.empty() || name == "syscall" ? "futex" : "libc lock in " + PublicName(name), id};
}

const LibraryWaits::Wait& LibraryWaits::At(uint32_t tree, uint32_t node, bool asleep) {
  const auto [entry, added] = known_[asleep ? 1 : 0].try_emplace(uint64_t{tree} << 32 | node);
  if (!added || node == 0) return entry->second;
  if (any_) entry->second = LookInLibrary(tree, node);
  if (!entry->second) entry->second = LookInSystem(tree, node, asleep);
  return entry->second;
}

LibraryWaits::Wait LibraryWaits::Of(const model::SampleRow& row) {
  return MayWork(row.state) ? At(row.tree, row.node, row.cost.wait != 0) : Wait();
}

}  // namespace ompprof::analyze
