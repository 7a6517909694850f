#include "profiler/analyze/account/locks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "profiler/analyze/builder/construct.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/model/critical_name.h"
#include "profiler/model/debug_file.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// The shim uses the entry point as the wait id where libgomp has one mutex for the whole process.
constexpr char kUnnamedCritical[] = "GOMP_critical_start";

// "bank::Lock<int>::Lock(int)"
bool IsConstructor(const std::string& name) {
  std::string plain;  // the name without template arguments and parameters
  int depth = 0;
  for (const char c : name) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  const size_t last = plain.rfind("::");
  if (last == std::string::npos) return false;
  const std::string own = plain.substr(last + 2);
  const size_t before = plain.rfind("::", last - 1);
  const size_t begin = last == 0 || before == std::string::npos ? 0 : before + 2;
  return !own.empty() && plain.substr(begin, last - begin) == own;
}

bool ByTime(const LockPlace& a, const LockPlace& b) { return a.ns > b.ns; }

void AddPlace(const LockPlace& place, bool by_line, std::vector<LockPlace>* places) {
  for (LockPlace& known : *places) {
    if (known.function != place.function || (by_line && (known.line != place.line || known.file != place.file)))
      continue;
    // The line with the most time stands for the function.
    if (place.ns > known.ns) known.line = place.line;
    known.ns += place.ns;
    known.estimate.Add(place.estimate);
    known.count += place.count;
    return;
  }
  places->push_back(place);
}

bool IsKnown(model::CodeAddress place) { return place.object != 0 || place.address != 0; }

// Functions and lines at code addresses, with the names that the view uses.
class CodePlaces {
 public:
  CodePlaces(View* view, model::Symbolizer* symbolizer)
      : view_(*view), symbolizer_(*symbolizer), constructs_(symbolizer, &view->frames) {
    for (FunctionId id = 1; id < view_.frames.function_count(); ++id) {
      const ViewFunction& function = view_.frames.function(id);
      by_name_.emplace(function.name, id);
      if (function.system_name.empty() || !IsKnownConstruct(function.name)) continue;
      const auto [known, added] = by_body_.try_emplace({function.object, function.system_name}, id);
      if (!added) known->second = kNoFunction;  // two files have local functions of this name
    }
  }

  // The functions at `place`, innermost first. Empty if the place is not known or lies in a runtime (the last call of a
  // function may have become a jump).
  std::vector<LockPlace> At(model::CodeAddress place) {
    std::vector<LockPlace> chain;
    if (!IsKnown(place)) return chain;
    const model::Object& object = symbolizer_.objects()[place.object];
    if (object.openmp_runtime || object.profilers_own) return chain;
    for (const model::SourceFrame& frame : symbolizer_.Frames(place)) {
      LockPlace found;
      found.function = Function(frame, place);
      found.file = frame.file;
      found.line = frame.line;
      if (chain.empty() || chain.back().function != found.function) chain.push_back(found);
    }
    return chain;
  }

 private:
  FunctionId Function(const model::SourceFrame& frame, model::CodeAddress place) {
    const model::OutlinedName& outlined = constructs_.Parse(frame.function);
    if (view_.kind == ViewKind::kMachine || outlined.construct == model::Outlined::kNo)
      return view_.frames.AddFunction(frame, place.object);
    ConstructClue clue;
    clue.kind = KindOf(outlined.construct);
    clue.outlined = &frame;
    clue.outlined_place = place;
    const FunctionId construct = constructs_.Name(clue);
    // The name of a body may not tell the kind of construct, nor the place of a flang construct. The view has learned
    // both from the stacks.
    const auto body = by_body_.find({place.object, frame.function->system_name});
    if (body != by_body_.end() && body->second != kNoFunction) return body->second;
    if (clue.kind != ConstructKind::kUnknown) return construct;
    const std::string name = view_.frames.function(construct).name;
    const size_t word = name.find("[omp region ");
    if (word == std::string::npos) return construct;
    for (const char* kind : {"[omp parallel ", "[omp task ", "[omp task (run at once) "}) {
      const auto known = by_name_.find(name.substr(0, word) + kind + name.substr(word + sizeof "[omp region " - 1));
      if (known != by_name_.end()) return known->second;
    }
    return construct;
  }

  static bool IsKnownConstruct(const std::string& name) {
    return name.find(" [omp ") != std::string::npos && name.find(" [omp region") == std::string::npos;
  }

  View& view_;
  model::Symbolizer& symbolizer_;
  ConstructNames constructs_;
  std::unordered_map<std::string, FunctionId> by_name_;
  std::map<std::pair<uint32_t, std::string>, FunctionId> by_body_;  // constructs, by object and linked name of the body
};

std::string PlaceName(const LockPlace& place) {
  return BaseName(place.file) + (place.line != 0 ? ":" + std::to_string(place.line) : "");
}

// The waits for one lock in one process, and the charges to its holders.
struct Seen {
  std::vector<const WaitTotal*> waits;
  std::vector<const WaitTotal*> charges;
};

class LockBuilder {
 public:
  LockBuilder(View* view, model::Symbolizer* symbolizer)
      : view_(*view), symbolizer_(*symbolizer), places_(view, symbolizer) {}

  void Add(uint32_t process, OmptState state, uint64_t wait_id, uint32_t number, const Seen& seen) {
    Lock lock;
    lock.kind = Kind(process, state, number);
    lock.address = wait_id;
    lock.ids = {{process, wait_id}};
    std::set<uint32_t> threads;
    for (const WaitTotal* charge : seen.charges) AddPlace(Blamed(lock.kind, *charge), false, &lock.blamed);
    for (const WaitTotal* wait : seen.waits) {
      lock.wait_ns += wait->total_ns;
      lock.estimate.Add(wait->estimate);
      lock.count += wait->count;
      lock.max_ns = std::max<uint64_t>(lock.max_ns, wait->max_ns);
      lock.lengths.Add(wait->lengths);
      threads.insert(wait->thread);
      const std::vector<LockPlace> chain = places_.At(wait->call);
      LockPlace place = chain.empty() ? LockPlace() : chain.front();
      // Prefers the function that works with the lock over a small inlined function that takes it.
      const auto works = std::find_if(chain.begin(), chain.end(), [&](const LockPlace& candidate) {
        return std::any_of(lock.blamed.begin(), lock.blamed.end(),
                           [&](const LockPlace& blamed) { return blamed.function == candidate.function; });
      });
      if (works != chain.end()) place = *works;
      place.ns = wait->total_ns;
      place.estimate = wait->estimate;
      place.count = wait->count;
      AddPlace(place, true, &lock.waiting);
    }
    if (lock.count == 0) return;  // a holder is charged, but the wait has not ended
    std::stable_sort(lock.waiting.begin(), lock.waiting.end(), ByTime);
    const std::string key = Name(process, wait_id, number, seen, &lock);
    Merge(process, key, threads, lock);
  }

  std::vector<Lock> Take() {
    for (size_t i = 0; i < locks_.size(); ++i) {
      locks_[i].threads = static_cast<uint32_t>(threads_[i].size());
      std::stable_sort(locks_[i].blamed.begin(), locks_[i].blamed.end(), ByTime);
      std::stable_sort(locks_[i].waiting.begin(), locks_[i].waiting.end(), ByTime);
    }
    std::stable_sort(locks_.begin(), locks_.end(), [](const Lock& a, const Lock& b) { return a.wait_ns > b.wait_ns; });
    return std::move(locks_);
  }

 private:
  LockKind Kind(uint32_t process, OmptState state, uint32_t number) const {
    switch (state) {
      case OmptState::kWaitCritical:
        return LockKind::kCritical;
      case OmptState::kWaitAtomic:
        return LockKind::kAtomic;
      case OmptState::kWaitOrdered:
        return LockKind::kOrdered;
      default:
        break;
    }
    const ViewLock* made = Made(process, number);
    return made != nullptr && made->nested ? LockKind::kNestLock : LockKind::kLock;
  }

  const ViewLock* Made(uint32_t process, uint32_t number) const {
    const auto found = view_.locks.find({process, number});
    return found == view_.locks.end() ? nullptr : &found->second;
  }

  // The function to blame for the wait: the holder's.
  LockPlace Blamed(LockKind kind, const WaitTotal& charge) {
    const std::vector<LockPlace> taken = places_.At(charge.acquiring_call);
    LockPlace blamed = taken.empty() ? LockPlace() : taken.front();
    // Two small functions, inlined into the function that works with the lock, may take and release it. The other kinds
    // are blocks of one function. libomp does not always tell their end (__kmpc_end_critical takes the address from
    // thread 0's record).
    if (kind == LockKind::kLock || kind == LockKind::kNestLock) {
      const std::vector<LockPlace> given = places_.At(charge.call);
      // If no function did both, the release may have been the last call of its function, and become a jump.
      blamed = !taken.empty() ? taken.back() : !given.empty() ? given.front() : LockPlace();
      for (const LockPlace& release : given) {
        const bool both = std::any_of(taken.begin(), taken.end(), [&](const LockPlace& acquisition) {
          return acquisition.function == release.function;
        });
        if (!both) continue;
        blamed = release;
        break;
      }
    }
    blamed.ns = charge.total_ns;
    blamed.estimate = charge.estimate;
    blamed.count = charge.count;
    return blamed;
  }

  // Names the lock. Returns a key that is equal for entries of the same lock.
  std::string Name(uint32_t process, uint64_t wait_id, uint32_t number, const Seen& seen, Lock* lock) {
    if (wait_id == 0)
      return lock->name = "other locks";  // locks beyond the number that a thread's table can tell apart
    const model::CodeAddress place = seen.waits.front()->variable;
    const std::string path = symbolizer_.objects()[place.object].path;
    if (lock->kind == LockKind::kCritical) {
      lock->name = Critical(place, seen, *lock);
      return lock->name;
    }
    if (lock->kind != LockKind::kLock && lock->kind != LockKind::kNestLock) {
      lock->name = Block(LockKindName(lock->kind), *lock);
      return lock->name;
    }
    if (place.object != 0) {
      lock->module = path;
      lock->name = symbolizer_.Data(place).name;
      if (lock->name.empty()) lock->name = model::AddressName(path, place.address);
      return lock->name + '\0' + path;
    }
    const ViewLock* made = Made(process, number);
    std::vector<LockPlace> chain;
    if (made != nullptr) chain = places_.At(made->call);
    if (chain.empty()) {
      lock->name = model::AddressName("", wait_id);
    } else {
      // An inlined constructor says less than the function that created the object.
      auto maker = chain.begin();
      while (maker + 1 != chain.end() && IsConstructor(view_.frames.function(maker->function).name)) ++maker;
      lock->made = *maker;
      lock->made_path = made->path;
      lock->name = "lock made at " + view_.frames.function(lock->made.function).name;
      if (!lock->made.file.empty()) lock->name += " " + PlaceName(lock->made);
    }
    return std::to_string(process) + ' ' + std::to_string(wait_id) + ' ' + std::to_string(number);
  }

  std::string Critical(model::CodeAddress place, const Seen& seen, const Lock& lock) {
    std::string symbol;
    if (place.object != 0) {
      symbol = symbolizer_.Data(place).symbol;
      if (symbol.empty() && symbolizer_.Frames(place).back().function->system_name == kUnnamedCritical)
        return "critical (unnamed)";
    }
    std::string name;
    if (!model::CriticalName(symbol, &name)) {
      // The machine code of each call names the critical. The name with the most votes wins.
      std::map<std::string, uint64_t> votes;
      const auto ask = [&](model::CodeAddress call, uint64_t count) {
        if (!IsKnown(call)) return;
        const std::string found = symbolizer_.CriticalOf(call);
        if (!found.empty()) votes[found] += count;
      };
      for (const WaitTotal* wait : seen.waits) ask(wait->call, wait->count);
      for (const WaitTotal* charge : seen.charges) ask(charge->acquiring_call, charge->count);
      const auto best = std::max_element(votes.begin(), votes.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (best == votes.end() || !model::CriticalName(best->first, &name)) return Block("critical", lock);
    }
    return name.empty() ? "critical (unnamed)" : "critical " + name;
  }

  // A name by place: "critical at solve.c:12"; without lines "critical at solve".
  std::string Block(const std::string& kind, const Lock& lock) const {
    const LockPlace* where = nullptr;
    for (const LockPlace& place : lock.waiting) {
      if (place.line != 0 &&
          (where == nullptr || std::tie(place.file, place.line) < std::tie(where->file, where->line)))
        where = &place;
    }
    if (where != nullptr) return kind + " at " + PlaceName(*where);
    const bool known = !lock.waiting.empty() && lock.waiting.front().function != kNoFunction;
    return kind + " at " +
           (known ? view_.frames.function(lock.waiting.front().function).name : model::AddressName("", lock.address));
  }

  void Merge(uint32_t process, const std::string& key, const std::set<uint32_t>& threads, const Lock& lock) {
    const auto [entry, added] = index_.emplace(std::make_pair(lock.kind, key), locks_.size());
    if (added) {
      locks_.push_back(lock);
      threads_.emplace_back();
    } else {
      Lock& known = locks_[entry->second];
      known.wait_ns += lock.wait_ns;
      known.estimate.Add(lock.estimate);
      known.count += lock.count;
      known.ids.insert(known.ids.end(), lock.ids.begin(), lock.ids.end());
      known.max_ns = std::max(known.max_ns, lock.max_ns);
      known.lengths.Add(lock.lengths);
      for (const LockPlace& place : lock.blamed) AddPlace(place, false, &known.blamed);
      for (const LockPlace& place : lock.waiting) AddPlace(place, true, &known.waiting);
    }
    for (const uint32_t thread : threads) threads_[entry->second].emplace(process, thread);
  }

  View& view_;
  model::Symbolizer& symbolizer_;
  CodePlaces places_;
  std::vector<Lock> locks_;
  std::vector<std::set<std::pair<uint32_t, uint32_t>>> threads_;  // by index into locks_: process and thread
  std::map<std::pair<LockKind, std::string>, size_t> index_;
};

}  // namespace

const char* LockKindName(LockKind kind) {
  switch (kind) {
    case LockKind::kLock:
      return "lock";
    case LockKind::kNestLock:
      return "nest_lock";
    case LockKind::kCritical:
      return "critical";
    case LockKind::kAtomic:
      return "atomic";
    case LockKind::kOrdered:
      return "ordered";
  }
  return "lock";
}

uint64_t WaitQuantile(const Lock& lock, double share) { return std::min(lock.lengths.Quantile(share), lock.max_ns); }

Locks BuildLocks(View* view, model::Symbolizer* symbolizer) {
  Locks result;
  LockBuilder builder(view, symbolizer);
  for (const ProcessFacts& process : view->run.processes) {
    for (const ThreadFacts& thread : process.threads) result.thread_ns += thread.lifetime_ns;
  }
  std::map<std::tuple<uint32_t, uint64_t, uint32_t, OmptState>, Seen> seen;  // process, wait id, lock, state
  for (const WaitTotal& row : view->waits) {
    if (KindOf(row.state) != StateKind::kLock) continue;
    if (row.wait_id == 0 && row.state != OmptState::kWaitLock) continue;
    Seen& at = seen[{row.process, row.wait_id, row.lock, row.state}];
    (row.charge ? at.charges : at.waits).push_back(&row);
  }
  for (const auto& [key, rows] : seen) {
    const auto& [process, wait_id, lock, state] = key;
    builder.Add(process, state, wait_id, lock, rows);
  }
  result.locks = builder.Take();
  for (const Lock& lock : result.locks) {
    for (const LockPlace& place : lock.waiting) view->frames.Show(place.function);
    for (const LockPlace& place : lock.blamed) view->frames.Show(place.function);
  }
  view->frames.TellNamesApart(view->objects);
  return result;
}

const Lock* FindLock(const Locks& locks, uint32_t process, uint64_t wait_id, OmptState state) {
  const bool is_lock = state == OmptState::kWaitMutex || state == OmptState::kWaitLock;
  for (const Lock& lock : locks.locks) {
    if (is_lock != (lock.kind == LockKind::kLock || lock.kind == LockKind::kNestLock)) continue;
    if (std::find(lock.ids.begin(), lock.ids.end(), std::make_pair(process, wait_id)) != lock.ids.end()) return &lock;
  }
  return nullptr;
}

void FoldByPlace(std::vector<Lock>* locks) {
  std::map<std::pair<LockKind, std::string>, size_t> first;
  std::vector<Lock> folded;
  for (const Lock& lock : *locks) {
    const bool made = lock.made.function != kNoFunction;
    const auto [entry, added] = first.emplace(std::make_pair(lock.kind, lock.name), folded.size());
    if (added || !made) {
      folded.push_back(lock);
      continue;
    }
    Lock& known = folded[entry->second];
    known.wait_ns += lock.wait_ns;
    known.estimate.Add(lock.estimate);
    known.count += lock.count;
    known.max_ns = std::max(known.max_ns, lock.max_ns);
    known.lengths.Add(lock.lengths);
    known.threads = std::max(known.threads, lock.threads);
    known.locks += lock.locks;
    if (known.made_path == kEmptyPath) known.made_path = lock.made_path;
    for (const LockPlace& place : lock.blamed) AddPlace(place, false, &known.blamed);
    for (const LockPlace& place : lock.waiting) AddPlace(place, true, &known.waiting);
  }
  for (Lock& lock : folded) {
    std::stable_sort(lock.blamed.begin(), lock.blamed.end(), ByTime);
    std::stable_sort(lock.waiting.begin(), lock.waiting.end(), ByTime);
  }
  std::stable_sort(folded.begin(), folded.end(), [](const Lock& a, const Lock& b) { return a.wait_ns > b.wait_ns; });
  *locks = std::move(folded);
}

}  // namespace ompprof::analyze
