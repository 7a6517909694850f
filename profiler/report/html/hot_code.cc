#include "profiler/report/html/hot_code.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/report/annotate/code.h"

namespace ompprof::report {
namespace {

using analyze::View;

constexpr uint64_t kLeastPerMille = 5;    // of the weight, for a function to be shown
constexpr size_t kNeighbours = 8;         // on each side of an instruction with a cost
constexpr uint64_t kLargest = 256 << 10;  // bytes of code; objdump takes 0.1 s for this

bool IsNoticeable(const View& view, uint64_t weight) { return weight * 1000 >= view.total_weight * kLeastPerMille; }

using Places = std::map<std::pair<uint32_t, uint64_t>, analyze::FunctionId>;

// The functions that have the samples' instructions, by object and address. A function that is inlined counts for the
// function around it, because they share instructions. `wanted` receives the functions with a noticeable weight.
Places FunctionsWithCode(const View& view, std::vector<bool>* wanted) {
  std::map<analyze::LocationId, uint64_t> weights;
  for (const analyze::ViewSample& sample : view.samples) {
    analyze::PathId path = sample.path;
    if (sample.cost.weight == 0 || path == analyze::kEmptyPath) continue;
    const analyze::Location* leaf = &view.frames.location(view.paths.node(path).location);
    // A made-up frame, for example "<omp critical>", has no code: its caller has.
    if (leaf->place.object == 0) path = view.paths.node(path).parent;
    if (path != analyze::kEmptyPath) weights[view.paths.node(path).location] += sample.cost.weight;
  }
  Places places;
  std::map<analyze::FunctionId, uint64_t> functions;
  for (const auto& [id, weight] : weights) {
    const analyze::Location& location = view.frames.location(id);
    const analyze::FunctionId outermost = view.frames.line(location.first_line + location.line_count - 1).function;
    places.emplace(std::make_pair(location.place.object, location.place.address), outermost);
    functions[outermost] += weight;
  }
  wanted->assign(view.frames.function_count(), false);
  for (const auto& [function, weight] : functions) (*wanted)[function] = IsNoticeable(view, weight);
  (*wanted)[analyze::kNoFunction] = false;
  return places;
}

HotFunction Shown(const FunctionCode& code, const std::string& objdump, model::Symbolizer* symbolizer) {
  const model::Object& object = symbolizer->objects()[code.object];
  HotFunction shown;
  shown.symbol = symbolizer->Frames({code.object, code.low}).back().function->name;
  shown.module = object.path;
  shown.self = code.self;
  Disassembly disassembly;
  if (code.high - code.low <= kLargest)
    disassembly = Disassemble(objdump, object, code);
  else
    disassembly.problem = "it is too large for a page: ompprof annotate --asm shows it";
  shown.problem = disassembly.problem;
  if (disassembly.instructions.empty()) {
    for (const auto& [address, spot] : code.addresses) disassembly.instructions.push_back({address, ""});
  }
  const std::map<size_t, analyze::SpotCost> costs = CostsByInstruction(code, disassembly.instructions);
  std::vector<std::pair<uint64_t, size_t>> weights;
  for (const auto& [at, spot] : costs) weights.emplace_back(spot.self.weight + spot.self.wait, at);
  const std::vector<size_t> kept = ShownInstructions(disassembly.instructions.size(), weights, kHotInstructions);
  shown.left_out = disassembly.instructions.size() - kept.size();
  size_t next = 0;
  for (const size_t at : kept) {
    const Instruction& instruction = disassembly.instructions[at];
    const model::SourceFrame& frame = symbolizer->Frames({code.object, instruction.address}).front();
    const auto cost = costs.find(at);
    shown.instructions.push_back({instruction.address, instruction.text, frame.file, frame.line, at - next,
                                  cost == costs.end() ? analyze::SpotCost() : cost->second});
    next = at + 1;
  }
  return shown;
}

}  // namespace

std::vector<size_t> ShownInstructions(size_t count, const std::vector<std::pair<uint64_t, size_t>>& costs,
                                      size_t most) {
  std::vector<bool> shown(count, count <= most);
  size_t number = count <= most ? count : 0;
  std::vector<std::pair<uint64_t, size_t>> order = costs;
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (const auto& [weight, at] : order) {
    if (number >= most) break;
    const size_t begin = at - std::min(at, kNeighbours);
    for (size_t i = begin; i < std::min(count, at + kNeighbours + 1) && number < most; ++i) {
      if (!shown[i]) ++number;
      shown[i] = true;
    }
  }
  std::vector<size_t> indices;
  for (size_t i = 0; i < count; ++i) {
    if (shown[i]) indices.push_back(i);
  }
  return indices;
}

std::vector<HotFunction> HotCode(const View& view, model::Symbolizer* symbolizer, const std::string& objdump) {
  std::vector<HotFunction> hot;
  if (objdump.empty()) return hot;
  std::vector<bool> wanted;
  const Places places = FunctionsWithCode(view, &wanted);
  for (const FunctionCode& code : CodeByFunction(analyze::Annotate(view, wanted), symbolizer)) {
    if (hot.size() == kHotFunctions || !IsNoticeable(view, code.self.weight)) break;
    hot.push_back(Shown(code, objdump, symbolizer));
    const auto place = places.lower_bound({code.object, code.low});
    const bool known = place != places.end() && place->first < std::make_pair(code.object, code.high);
    hot.back().name = known ? view.frames.function(place->second).name : hot.back().symbol;
  }
  return hot;
}

}  // namespace ompprof::report
