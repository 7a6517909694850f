#include "profiler/report/annotate/code.h"

#include <algorithm>

#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using analyze::SpotCost;

void Add(SpotCost* to, const SpotCost& more) {
  to->self.Add(more.self);
  to->total.Add(more.total);
  for (int i = 0; i < analyze::kSpents; ++i) to->weight[i] += more.weight[i];
}

}  // namespace

std::vector<FunctionCode> CodeByFunction(const analyze::Annotation& annotation, model::Symbolizer* symbolizer) {
  std::vector<FunctionCode> functions;
  for (const analyze::ObjectCode& object : annotation.code) {
    FunctionCode* at = nullptr;
    for (const auto& [address, spot] : object.addresses) {
      if (at == nullptr || address < at->low || address >= at->high) {
        const auto [low, high] = symbolizer->Range({object.object, address});
        functions.push_back({object.object, high == 0 ? address : low, high == 0 ? address + 1 : high, {}, {}});
        at = &functions.back();
      }
      at->addresses[address] = spot;
      at->self.Add(spot.self);
    }
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const FunctionCode& a, const FunctionCode& b) { return a.self.weight > b.self.weight; });
  return functions;
}

Disassembly Disassemble(const std::string& objdump, const model::Object& object, const FunctionCode& code) {
  if (object.file == nullptr)
    return {{}, "the file " + Printable(object.path) + " is not the one that was profiled, or not here"};
  return Disassemble(objdump, object.path, code.low, code.high);
}

std::map<size_t, SpotCost> CostsByInstruction(const FunctionCode& code, const std::vector<Instruction>& instructions) {
  std::map<size_t, SpotCost> costs;
  for (const auto& [address, spot] : code.addresses) {
    // A sample's address is the first byte of its instruction; a caller's address is the last byte of its call.
    const auto after = std::upper_bound(instructions.begin(), instructions.end(), address,
                                        [](uint64_t a, const Instruction& one) { return a < one.address; });
    if (after != instructions.begin()) Add(&costs[static_cast<size_t>(after - instructions.begin()) - 1], spot);
  }
  return costs;
}

}  // namespace ompprof::report
