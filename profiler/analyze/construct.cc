#include "profiler/analyze/construct.h"

namespace ompprof::analyze {
namespace {

const char* Word(ConstructKind kind) {
  switch (kind) {
    case ConstructKind::kParallel: return "omp parallel";
    case ConstructKind::kTask: return "omp task";
    case ConstructKind::kUnknown: return "omp region";
  }
  return "omp";
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

const model::OutlinedName& ConstructNames::Parse(const model::Function* function) {
  const auto [entry, added] = parsed_.try_emplace(function);
  if (added) entry->second = model::ParseOutlined(function->name);
  return entry->second;
}

const std::string& ConstructNames::Holder(FunctionId construct) const {
  static const std::string kNone;
  const auto found = holders_.find(construct);
  return found == holders_.end() ? kNone : found->second;
}

bool ConstructNames::Usable(const ConstructClue& clue) const {
  return clue.has_codeptr && !symbolizer_.objects()[clue.codeptr.object].openmp_runtime;
}

FunctionId ConstructNames::Name(const ConstructClue& clue) {
  // A construct is known by the call that creates it; without one by its body; without that by where it is.
  Key key = {clue.kind, 0, 0, nullptr};
  if (Usable(clue)) {
    key = {clue.kind, clue.codeptr.object, clue.codeptr.address, nullptr};
  } else if (clue.outlined != nullptr) {
    key = {clue.kind, 0, 0, clue.outlined->function};
  } else {
    key = {clue.kind, 0, clue.enclosing, nullptr};
  }
  const auto found = names_.find(key);
  if (found != names_.end()) return found->second;
  const FunctionId name = MakeName(clue);
  names_.emplace(key, name);
  return name;
}

FunctionId ConstructNames::MakeName(const ConstructClue& clue) {
  const bool usable = Usable(clue);
  const model::SourceFrame* frame = nullptr;
  model::CodeAddress place;
  std::string file;
  uint32_t line = 0;
  if (usable) {
    place = clue.codeptr;
    frame = &symbolizer_.Frames(place).front();
    file = frame->file;
    line = frame->line;
  } else if (clue.outlined != nullptr) {
    place = clue.outlined_place;
    frame = clue.outlined;
    file = frame->function->file;
    line = frame->function->line;
  }

  std::string holder;
  if (frame != nullptr) {
    const model::OutlinedName& parsed = Parse(frame->function);
    holder = parsed.construct == model::Outlined::kNo ? frame->function->name : parsed.parent;
    // clang before 16 does not name the parent: it is the parent of the construct around this one, whose call
    // names it; failing that, the function whose text this line is in.
    if (holder.empty()) holder = Holder(clue.enclosing);
    if (holder.empty() && line != 0) {
      const model::Function* parent = symbolizer_.LexicalParent(place, file, line);
      if (parent != nullptr) holder = parent->name;
    }
    if (holder.empty()) holder = frame->function->name;
  } else {
    holder = Holder(clue.enclosing);
    if (holder.empty()) holder = "<function unknown>";
  }

  ViewFunction function;
  std::string where;
  if (line != 0 && !file.empty()) {
    where = " " + BaseName(file) + ":" + std::to_string(line);
  } else if (usable && place.object != 0 && !frame->function->system_name.empty()) {
    // Without debug information two constructs of one function differ by address only.
    char address[32];
    std::snprintf(address, sizeof address, "+0x%llx", static_cast<unsigned long long>(place.address));
    where = " " + BaseName(symbolizer_.objects()[place.object].path) + address;
  }
  function.name = holder + " [" + Word(clue.kind) + where + "]";
  function.system_name = frame != nullptr ? frame->function->system_name : "";
  function.file = file;
  function.line = line;
  function.object = place.object;
  const FunctionId id = frames_.AddFunction(function);
  holders_.emplace(id, holder);
  return id;
}

}  // namespace ompprof::analyze
