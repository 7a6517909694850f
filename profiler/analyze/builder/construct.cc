#include "profiler/analyze/builder/construct.h"

#include <algorithm>
#include <cstdio>

namespace ompprof::analyze {
namespace {

const char* Word(ConstructKind kind) {
  switch (kind) {
    case ConstructKind::kParallel:
      return "omp parallel";
    case ConstructKind::kTask:
      return "omp task";
    case ConstructKind::kTaskAtOnce:
      return "omp task (run at once)";
    case ConstructKind::kTeams:
      return "omp teams";
    case ConstructKind::kTarget:
      return "omp target";
    case ConstructKind::kReduction:
      return "omp reduction";
    case ConstructKind::kOpenAcc:
      return "acc region";
    case ConstructKind::kUnknown:
      return "omp region";
  }
  return "omp";
}

}  // namespace

ConstructKind KindOf(model::Outlined construct) {
  switch (construct) {
    case model::Outlined::kParallel:
      return ConstructKind::kParallel;
    case model::Outlined::kTask:
      return ConstructKind::kTask;
    case model::Outlined::kTarget:
      return ConstructKind::kTarget;
    case model::Outlined::kReduction:
      return ConstructKind::kReduction;
    case model::Outlined::kNo:
    case model::Outlined::kUnknown:
      break;
  }
  return ConstructKind::kUnknown;
}

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
  if (!clue.has_codeptr) return false;
  const model::Object& object = symbolizer_.objects()[clue.codeptr.object];
  return !object.openmp_runtime && !object.profilers_own;
}

void ConstructNames::Learn(model::CodeAddress codeptr, model::CodeAddress body) {
  const model::SourceFrame& outermost = symbolizer_.Frames(body).back();
  if (Parse(outermost.function).construct == model::Outlined::kNo) return;
  bodies_.emplace(std::make_pair(codeptr.object, codeptr.address), Body{&outermost, body});
}

void ConstructNames::LearnBody(model::CodeAddress body, ConstructKind kind) {
  const model::Function* function = symbolizer_.Frames(body).back().function;
  if (Parse(function).construct != model::Outlined::kUnknown) return;
  const auto [known, added] = kinds_.emplace(function, kind);
  // Directly under a region's marker, there may be a task whose own marker is missing.
  if (!added && (kind == ConstructKind::kTask || known->second == ConstructKind::kParallel)) known->second = kind;
}

ConstructKind ConstructNames::KindOfBody(const model::Function* body) {
  const ConstructKind kind = KindOf(Parse(body).construct);
  if (kind != ConstructKind::kUnknown) return kind;
  const auto known = kinds_.find(body);
  return known == kinds_.end() ? kind : known->second;
}

void ConstructNames::LearnTeams(model::CodeAddress codeptr) {
  if (codeptr.object == 0 || symbolizer_.objects()[codeptr.object].openmp_runtime) return;
  if (!teams_.emplace(codeptr.object, codeptr.address).second) return;
  const model::CodeAddress entry = symbolizer_.BodyOf(codeptr);
  if (entry.object == 0) return;
  Learn(codeptr, entry);
  teams_bodies_.emplace(symbolizer_.Frames(entry).back().function, codeptr);
}

FunctionId ConstructNames::Name(ConstructClue clue) {
  // The runtime may not show the initial tasks of a teams construct.
  const bool may_be_teams = clue.kind == ConstructKind::kUnknown || clue.kind == ConstructKind::kParallel;
  if (may_be_teams && !clue.has_codeptr && clue.outlined != nullptr) {
    const auto teams = teams_bodies_.find(clue.outlined->function);
    clue.has_codeptr = teams != teams_bodies_.end();
    if (clue.has_codeptr) clue.codeptr = teams->second;
  }
  const bool usable = Usable(clue);
  if (usable && !IsTask(clue.kind) && teams_.count({clue.codeptr.object, clue.codeptr.address}) != 0)
    clue.kind = ConstructKind::kTeams;
  if (usable && clue.outlined == nullptr) {
    auto body = bodies_.find({clue.codeptr.object, clue.codeptr.address});
    // No sample was taken in the body, or its last call is a jump. The machine code of the call may still tell the
    // body.
    const bool has_body =
        clue.kind == ConstructKind::kParallel || clue.kind == ConstructKind::kTeams || IsTask(clue.kind);
    if (body == bodies_.end() && has_body) {
      const model::CodeAddress entry = symbolizer_.BodyOf(clue.codeptr);
      if (entry.object != 0) Learn(clue.codeptr, entry);
      body = bodies_.find({clue.codeptr.object, clue.codeptr.address});
    }
    if (body != bodies_.end()) {
      clue.outlined = body->second.outermost;
      clue.outlined_place = body->second.place;
    }
  }
  // The creating call and the body identify a construct; without both, the enclosing construct does.
  Key key = {clue.kind, 0, 0, clue.outlined != nullptr ? clue.outlined->function : nullptr};
  if (usable) {
    std::get<1>(key) = clue.codeptr.object;
    std::get<2>(key) = clue.codeptr.address;
  } else if (clue.outlined == nullptr) {
    std::get<2>(key) = clue.enclosing;
  }
  const auto found = names_.find(key);
  if (found != names_.end()) return found->second;
  const FunctionId name = MakeName(clue);
  names_.emplace(key, name);
  return name;
}

ConstructNames::SourceLine ConstructNames::PragmaLine(const model::SourceFrame& outlined, model::CodeAddress place) {
  const model::Function& function = *outlined.function;
  if (function.line != 0) return {function.file, function.line};
  if (function.entry == 0) return {"", 0};
  const model::SourceFrame& entry = symbolizer_.Frames({place.object, function.entry}).back();
  return {entry.file, entry.line};
}

const model::Function* ConstructNames::HolderInCode(model::CodeAddress body, int depth) {
  constexpr int kDeepest = 16;
  for (const model::CodeAddress use : symbolizer_.UsesOf(body)) {
    for (const model::SourceFrame& frame : symbolizer_.Frames(use)) {
      const model::Function* function = frame.function;
      if (Parse(function).construct == model::Outlined::kNo) return function;
      if (function->entry == 0 || function->entry == body.address || depth == kDeepest) continue;
      const model::Function* holder = HolderInCode({use.object, function->entry}, depth + 1);
      if (holder != nullptr) return holder;
    }
  }
  return nullptr;
}

model::CodeAddress ConstructNames::BodyOf(const ConstructClue& clue) {
  if (clue.outlined == nullptr || clue.outlined->function->entry == 0) return {};
  const model::CodeAddress body = {clue.outlined_place.object, clue.outlined->function->entry};
  const model::OutlinedName& name = Parse(clue.outlined->function);
  if (!name.debug_body) return body;
  for (const model::CodeAddress use : symbolizer_.UsesOf(body)) {
    const model::Function* around = symbolizer_.Frames(use).back().function;
    if (around->entry != 0 && model::IsWrapper(Parse(around), name)) return {use.object, around->entry};
  }
  return body;
}

bool ConstructNames::ShareAFunction(model::CodeAddress a, model::CodeAddress b) {
  std::set<uint64_t> functions;
  for (const model::CodeAddress use : symbolizer_.UsesOf(a)) functions.insert(symbolizer_.Range(use).first);
  functions.erase(0);
  const std::vector<model::CodeAddress> uses = symbolizer_.UsesOf(b);
  return a.object == b.object && std::any_of(uses.begin(), uses.end(), [&](model::CodeAddress use) {
           return functions.count(symbolizer_.Range(use).first) != 0;
         });
}

FunctionId ConstructNames::Add(ViewFunction construct, model::CodeAddress body) {
  std::vector<Part>& parts = parts_[{construct.name, construct.file, construct.line, construct.object}];
  const auto is_other = [&](const Part& part) {
    return std::any_of(part.bodies.begin(), part.bodies.end(), [&](model::CodeAddress known) {
      return known.address != body.address && ShareAFunction(known, body);
    });
  };
  auto part = body.object == 0 ? parts.begin() : std::find_if_not(parts.begin(), parts.end(), is_other);
  if (part == parts.end()) part = parts.emplace(part);
  construct.part = static_cast<uint32_t>(part - parts.begin());
  part->id = frames_.AddFunction(construct);
  if (body.object != 0) part->bodies.push_back(body);
  for (const Part& each : parts) {
    if (parts.size() < 2 || each.bodies.empty()) continue;
    const std::vector<model::CodeAddress> uses = symbolizer_.UsesOf(each.bodies.front());
    if (!uses.empty()) frames_.Order(each.id, uses.front().address);
  }
  return part->id;
}

std::string ConstructNames::FindHolder(const ConstructClue& clue, const model::SourceFrame* call, bool left,
                                       const SourceLine& where) {
  std::string holder;
  if (clue.outlined != nullptr) holder = Parse(clue.outlined->function).parent;
  // The compiler's name for a Fortran main program. Debug information has the program's own name.
  bool fortran_main = holder == model::kFortranMain;
  if (fortran_main) holder.clear();
  if (holder.empty()) {
    const model::Function* in_code = HolderInCode(BodyOf(clue));
    if (in_code != nullptr) holder = in_code->name;
    if (holder == model::kFortranMain) {
      fortran_main = true;
      holder.clear();
    }
  }
  if (holder.empty() && call != nullptr && !left) {
    const model::OutlinedName& caller = Parse(call->function);
    holder = caller.construct == model::Outlined::kNo ? call->function->name : caller.parent;
    // clang before 16 does not name a body's parent. The enclosing construct has the same parent.
    if (holder.empty()) holder = Holder(clue.enclosing);
    if (holder == model::kFortranMain) {
      fortran_main = true;
      holder.clear();
    }
  }
  if (holder.empty() && where.line != 0) {
    const model::CodeAddress place = clue.outlined != nullptr ? clue.outlined_place : clue.codeptr;
    const model::Function* parent = symbolizer_.LexicalParent(place, where.file, where.line);
    if (parent != nullptr) holder = parent->name;
  }
  if (holder.empty() && fortran_main) holder = model::kFortranMain;
  if (holder.empty()) holder = Holder(clue.enclosing);
  if (holder.empty() && clue.outlined != nullptr) holder = clue.outlined->function->name;
  if (holder.empty() && call != nullptr) holder = call->function->name;
  return holder.empty() ? "<function unknown>" : holder;
}

std::string ConstructNames::PlaceText(const ConstructClue& clue, const model::SourceFrame* call,
                                      const SourceLine& where) const {
  if (where.line != 0 && !where.file.empty()) return " " + BaseName(where.file) + ":" + std::to_string(where.line);
  if (call == nullptr || clue.codeptr.object == 0 || call->function->entry == 0) return "";
  // Without debug information, two constructs of one function differ by address only.
  char address[32];
  std::snprintf(address, sizeof address, "+0x%llx", static_cast<unsigned long long>(clue.codeptr.address));
  return " " + BaseName(symbolizer_.objects()[clue.codeptr.object].path) + address;
}

FunctionId ConstructNames::MakeName(const ConstructClue& clue) {
  const bool usable = Usable(clue);
  const model::SourceFrame* call = usable ? &symbolizer_.Frames(clue.codeptr).front() : nullptr;
  SourceLine where;
  if (clue.outlined != nullptr) where = PragmaLine(*clue.outlined, clue.outlined_place);
  const bool flang = clue.outlined != nullptr && Parse(clue.outlined->function).flang_body;
  if (flang && usable) {
    if (const uint32_t line = symbolizer_.ConstructLineOf(clue.codeptr)) where.line = line;
  }
  // A function that ends by creating the region may have left its frame before (a tail call). Then codeptr is in its
  // caller. clang 14 and gcc 12 do this at -O2. The pragma's line, if the body tells it, reveals the tail call.
  const bool left =
      call != nullptr && !flang && where.line != 0 && (call->line != where.line || call->file != where.file);
  if (where.line == 0 && call != nullptr) where = {call->file, call->line};
  // clang's optimizer takes the line from the call that launches a target region.
  if (where.line == 0 && call != nullptr && !where.file.empty()) where.line = symbolizer_.ConstructLineOf(clue.codeptr);

  // Some runtimes tell the body instead of the call.
  const bool is_body = call != nullptr && clue.outlined != nullptr && call->function == clue.outlined->function;
  const std::string holder = FindHolder(clue, is_body ? nullptr : call, left, where);
  ViewFunction function;
  function.name = holder + " [" + Word(clue.kind) + PlaceText(clue, call, where) + "]";
  function.system_name = clue.outlined != nullptr ? clue.outlined->function->system_name : "";
  function.file = where.file;
  function.line = where.line;
  function.object = usable ? clue.codeptr.object : clue.outlined_place.object;
  // The places of lambdas in the holder's template arguments: mostly the name has none, and no code is read.
  const bool unnamed = holder.find("lambda") != std::string::npos || holder.find("$_") != std::string::npos ||
                       holder.find("(anonymous namespace)") != std::string::npos;
  const model::CodeAddress body = BodyOf(clue);
  const model::Function* in_code = unnamed ? HolderInCode(body) : nullptr;
  if (in_code != nullptr) function.arguments = in_code->arguments;
  const FunctionId id = Add(function, body);
  holders_.emplace(id, holder);
  return id;
}

}  // namespace ompprof::analyze
