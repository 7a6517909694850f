#include "profiler/analyze/builder/call_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/analyze/view/state_kind.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbol_name.h"

namespace ompprof::analyze {
namespace {

using Address = std::pair<uint32_t, uint64_t>;         // of a call: object, address
using ThreadKey = std::pair<uint32_t, uint32_t>;       // process and thread
using Calls = std::map<Address, std::set<ThreadKey>>;  // with the threads that made them

// The functions around a call, innermost first, with the lines of the calls of the inner ones. Copies of a function
// differ in it.
using Copy = std::vector<std::pair<const model::Function*, uint32_t>>;

// Places that read the same: of one kind of wait or construct, in one region, with one text.
struct Row {
  bool is_loop;
  uint32_t kind;  // OmptState or ompt_work_t
  FunctionId region;
  std::string file;  // without folders; without a file, the function's name
  uint32_t line;
  bool met_by_all;  // all threads of a team meet such a construct

  bool operator<(const Row& other) const {
    return std::tie(is_loop, kind, region, line, file) <
           std::tie(other.is_loop, other.kind, other.region, other.line, other.file);
  }
};

// Not met by all threads are OpenMP's single, distribute and taskloop (ompt_work_t).
bool IsMetByAll(uint32_t work) { return work != 3 && work != 4 && work != 6 && work != 7; }

bool IsMetByAll(OmptState state) {
  return KindOf(state) == StateKind::kBarrier || KindOf(state) == StateKind::kRegionEnd;
}

class CallParts {
 public:
  CallParts(View* view, model::Symbolizer* symbolizer) : view_(*view), symbolizer_(*symbolizer) {}

  void Add(WaitTotal* wait) {
    Add({false, static_cast<uint32_t>(wait->state), wait->region, "", 0, IsMetByAll(wait->state)}, wait->call,
        {{wait->process, wait->thread}}, &wait->place);
  }

  void Add(FunctionId region, Loop* loop) {
    Add({true, loop->type, region, "", 0, IsMetByAll(loop->type)}, loop->call, loop->threads, &loop->place);
  }

  void Tell() {
    for (const auto& [row, places] : rows_) Tell(row, places);
  }

 private:
  struct Place {
    Address call;
    std::set<ThreadKey> threads;
    Line* line;
  };

  void Add(Row row, model::CodeAddress call, const std::set<ThreadKey>& threads, Line* place) {
    if (place->function == kNoFunction) return;
    const ViewFunction& function = view_.frames.function(place->function);
    row.file = function.file.empty() ? function.name : function.file.substr(function.file.rfind('/') + 1);
    row.line = place->line;
    rows_[row].push_back({{call.object, call.address}, threads, place});
  }

  Copy CopyOf(Address call) {
    Copy copy;
    for (const model::SourceFrame& frame : symbolizer_.Frames({call.first, call.second}))
      copy.emplace_back(frame.function, copy.empty() ? 0 : frame.line);
    return copy;
  }

  // The calls of one function, each with the first call of its construct.
  std::map<Address, Address> FirstCalls(const Calls& calls, bool met_by_all) {
    std::set<Copy> copies;
    if (calls.size() > 1) {
      for (const auto& [call, threads] : calls) copies.insert(CopyOf(call));
    }
    std::set<ThreadKey> team;
    for (const auto& [call, threads] : calls) team.insert(threads.begin(), threads.end());
    std::map<Address, Address> firsts;
    const Address* in_part = nullptr;
    for (const auto& [call, threads] : calls) {
      const bool is_copy = copies.size() == calls.size() || (met_by_all && threads != team);
      if (is_copy && in_part == nullptr) in_part = &call;
      firsts[call] = is_copy ? *in_part : call;
    }
    return firsts;
  }

  bool IsConstruct(FunctionId id) const {
    return model::ParseOutlined(view_.frames.function(id).name).construct != model::Outlined::kNo;
  }

  void Tell(const Row& row, const std::vector<Place>& places) {
    std::map<FunctionId, Calls> functions;
    for (const Place& place : places)
      functions[place.line->function][place.call].insert(place.threads.begin(), place.threads.end());
    std::map<Address, Address> firsts;
    std::map<Address, uint32_t> numbers;  // by the first call of a construct
    bool named = true;
    for (const auto& [function, calls] : functions) {
      const size_t before = numbers.size();
      for (const auto& [call, first] : FirstCalls(calls, row.met_by_all)) {
        firsts[call] = first;
        numbers[first] = 0;
      }
      named &= numbers.size() == before + 1 && !IsConstruct(function);
    }
    if (numbers.size() < 2) return;
    uint32_t last = 0;
    for (auto& [first, number] : numbers) number = ++last;
    for (const Place& place : places) {
      place.line->part = named ? Line::kNamed : numbers[firsts[place.call]];
      if (named) view_.frames.Show(place.line->function);
    }
  }

  View& view_;
  model::Symbolizer& symbolizer_;
  std::map<Row, std::vector<Place>> rows_;
};

// Adds up the loops of one construct.
void Merge(std::vector<Loop>* loops) {
  std::vector<Loop> merged;
  for (const Loop& loop : *loops) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Loop& other) {
      return other.type == loop.type && other.place == loop.place;
    });
    if (same == merged.end()) {
      merged.push_back(loop);
      continue;
    }
    same->count += loop.count;
    same->iterations += loop.iterations;
    same->chunks += loop.chunks;
  }
  *loops = std::move(merged);
}

}  // namespace

void TellCallsApart(View* view, model::Symbolizer* symbolizer) {
  CallParts parts(view, symbolizer);
  for (WaitTotal& wait : view->waits) {
    if (!wait.charge) parts.Add(&wait);
  }
  for (Region& region : view->regions) {
    for (Loop& loop : region.loops) parts.Add(region.construct, &loop);
  }
  parts.Tell();
  for (Region& region : view->regions) Merge(&region.loops);
}

}  // namespace ompprof::analyze
