#include "profiler/unify/places.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "profiler/model/own_modules.h"

namespace ompprof::unify {
namespace {

// No real module is larger.
constexpr uint64_t kLargestModule = uint64_t{1} << 40;

// The made-up addresses: modules one behind the other, then generated code, then locks.
constexpr uint64_t kFirstBias = uint64_t{1} << 40;
constexpr uint64_t kModuleAlignment = uint64_t{1} << 21;
constexpr uint64_t kFirstGenerated = uint64_t{1} << 61;
constexpr uint64_t kGeneratedSize = 16;
constexpr uint64_t kFirstMadeLock = uint64_t{3} << 60;
constexpr uint64_t kLockSize = 64;

uint64_t SizeOf(const Module& module) {
  uint64_t size = 0;
  for (const Segment& segment : module.segments()) size = std::max(size, segment.vaddr() + segment.memsz());
  return size;
}

bool IsPossible(const Module& module) {
  return std::all_of(module.segments().begin(), module.segments().end(), [](const Segment& segment) {
    return segment.vaddr() < kLargestModule && segment.memsz() < kLargestModule;
  });
}

std::string KeyOf(const Module& module) {
  if (!module.build_id().empty()) return "b" + module.build_id();
  std::string key = "p" + module.path();
  for (const Segment& segment : module.segments()) {
    for (const uint64_t number : {segment.vaddr(), segment.memsz(), segment.offset()})
      key += '\0' + std::to_string(number);
  }
  return key;
}

constexpr size_t kCacheSize = 512;

}  // namespace

uint64_t PlaceTable::NumberOf(const Module& module, bool profilers_own) {
  if (!IsPossible(module)) return 0;
  const auto [entry, added] = numbers_.emplace(KeyOf(module), static_cast<uint32_t>(modules_.size() + 1));
  if (added) {
    Module known = module;
    known.clear_loaded_epoch();
    known.clear_unloaded_epoch();
    known.clear_load_bias();
    modules_.emplace_back(entry->first, std::move(known));
  }
  Module& known = modules_[entry->second - 1].second;
  if (module.path() < known.path()) {  // whoever comes first
    known.set_path(module.path());
    *known.mutable_segments() = module.segments();
  }
  known.set_openmp_runtime(known.openmp_runtime() || module.openmp_runtime());
  known.set_profilers_own(known.profilers_own() || profilers_own);
  return entry->second;
}

Place PlaceTable::OfGeneratedCode(const std::string& name) {
  const auto number = static_cast<uint32_t>(generated_.size() + 1);
  return MakePlace(kGeneratedCode, generated_.emplace(name, number).first->second);
}

bool PlaceTable::Less(Place a, Place b) const {
  const uint64_t left = ModuleOf(a);
  const uint64_t right = ModuleOf(b);
  if (left == right || left > modules_.size() || right > modules_.size() || left == 0 || right == 0) return a < b;
  return modules_[left - 1].first < modules_[right - 1].first;
}

std::vector<uint32_t> PlaceTable::NumbersInOrder() const {
  std::vector<uint32_t> numbers;
  for (const auto& [key, number] : numbers_) numbers.push_back(number);
  return numbers;
}

std::map<uint32_t, Module> PlaceTable::Modules(std::vector<uint32_t>* module_order) const {
  std::map<uint32_t, Module> modules;
  module_order->assign(modules_.size() + 1, 0);
  uint64_t bias = kFirstBias;
  for (const uint32_t number : NumbersInOrder()) {
    const auto id = static_cast<uint32_t>(modules.size() + 1);
    (*module_order)[number] = id;
    Module& module = modules[id] = modules_[number - 1].second;
    module.set_id(id);
    module.set_load_bias(bias);
    bias += (SizeOf(module) / kModuleAlignment + 2) * kModuleAlignment;
  }
  return modules;
}

std::string PlaceTable::GeneratedCodeMap() const {
  std::string text;
  uint64_t address = kFirstGenerated;
  char line[64];
  for (const auto& [name, number] : generated_) {
    snprintf(line, sizeof line, "%lx %lx ", address, kGeneratedSize);
    text += line + name + "\n";
    address += kGeneratedSize;
  }
  return text;
}

PlaceTable::Addresses::Addresses(const PlaceTable& table) : biases_(table.modules_.size() + 1) {
  std::vector<uint32_t> order;
  const std::map<uint32_t, Module> modules = table.Modules(&order);
  for (size_t number = 1; number < order.size(); ++number) biases_[number] = modules.at(order[number]).load_bias();
  generated_.resize(table.generated_.size() + 1);
  uint64_t address = kFirstGenerated;
  for (const auto& [name, number] : table.generated_) {
    generated_[number] = address;
    address += kGeneratedSize;
  }
  generated_[0] = address;  // behind the named code: code without a name
}

uint64_t PlaceTable::Addresses::Of(Place place) const {
  const uint64_t module = ModuleOf(place);
  const uint64_t offset = OffsetOf(place);
  if (place == kNoPlace) return 0;
  // The middle: of a return address, readers look up the byte before it.
  if (module == kGeneratedCode) return generated_[offset] + kGeneratedSize / 2;
  if (module == kMadeLock) return kFirstMadeLock + offset * kLockSize;
  return biases_[module] + offset;
}

ProcessPlaces::ProcessPlaces(const model::ProcessProfile& process, PlaceTable* table)
    : table_(*table), map_(process), cache_(kCacheSize) {
  const std::set<uint32_t> own = model::OwnModules(process);
  for (const auto& [id, module] : process.modules) number_by_id_[id] = table_.NumberOf(module, own.count(id) != 0);
  for (const auto& [number, dump] : process.code_dumps) generated_.push_back(model::CodeMap::OfJitDump(dump.content));
  if (!process.code_map.empty()) generated_.emplace_back(process.code_map);
}

uint64_t ProcessPlaces::NumberOf(uint32_t module) const {
  const auto found = number_by_id_.find(module);
  return found == number_by_id_.end() ? 0 : found->second;
}

Place ProcessPlaces::OfCode(uint64_t address, bool return_address, uint32_t epoch) {
  if (address == 0) return kNoPlace;
  Cached& cached = cache_[(address ^ (address >> 12)) & (kCacheSize - 1)];
  const uint64_t key = static_cast<uint64_t>(epoch) << 1 | static_cast<uint64_t>(return_address);
  if (cached.address != address || cached.epoch != key) cached = {address, key, Find(address, return_address, epoch)};
  return cached.place;
}

Place ProcessPlaces::Find(uint64_t address, bool return_address, uint32_t epoch) {
  const uint64_t inside = return_address ? address - 1 : address;
  const Module* module = map_.Find(inside, epoch);
  if (module != nullptr) {
    const uint64_t number = NumberOf(module->id());
    return number == 0 ? MakePlace(kGeneratedCode, 0) : MakePlace(number, address - module->load_bias());
  }
  for (const model::CodeMap& map : generated_) {
    const model::Function* function = map.Find(inside);
    if (function == nullptr) continue;
    // A name from Python carries its file; see CodeMap::FrameAt.
    const bool python = function->name.rfind("py::", 0) == 0 && !function->file.empty();
    const Place place = table_.OfGeneratedCode(python ? function->name + ":" + function->file : function->name);
    return place;
  }
  return MakePlace(kGeneratedCode, 0);
}

Place ProcessPlaces::OfVariable(uint64_t address, uint32_t epoch) {
  const Module* module = map_.Find(address, epoch);
  const uint64_t number = module == nullptr ? 0 : NumberOf(module->id());
  return number == 0 ? kNoPlace : MakePlace(number, address - module->load_bias());
}

}  // namespace ompprof::unify
