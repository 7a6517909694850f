#include "profiler/model/dwarf_index.h"

#include <dwarf.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "profiler/model/symbol_name.h"
#include "profiler/model/type_arguments.h"

namespace ompprof::model {
namespace {

// Debug information comes from files that others wrote. Deeper nesting is not followed.
constexpr int kDeepestDie = 256;

struct Range {
  uint64_t low;
  uint64_t high;
};

std::vector<Range> RangesOf(Dwarf_Die* die) {
  std::vector<Range> ranges;
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  for (ptrdiff_t offset = 0; (offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0;) {
    // Code that the linker dropped has addresses near 0, or none.
    if (low != 0 && low < high) ranges.push_back({low, high});
  }
  return ranges;
}

// The address of the die that describes the function itself. `die` may be any of the function's copies.
uint64_t FunctionKey(Dwarf_Die* die, Dwarf_Die* origin) {
  *origin = *die;
  Dwarf_Attribute attribute;
  for (int step = 0; step < 8; ++step) {
    if (dwarf_attr(origin, DW_AT_abstract_origin, &attribute) == nullptr) break;
    Dwarf_Die next;
    if (dwarf_formref_die(&attribute, &next) == nullptr) break;
    *origin = next;
  }
  // A die's address, unlike its offset, is distinct across a file and the file to which dwz moved common parts.
  return reinterpret_cast<uint64_t>(origin->addr);
}

const char* CallFile(Dwarf_Die* unit, Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) != 0) return nullptr;
  return FileName(unit, number);
}

// The folder in which a unit was compiled. Empty if the folder is not told, or is relative (-fdebug-prefix-map).
std::string CompilationFolder(Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  return folder != nullptr && folder[0] == '/' ? folder : "";
}

bool NamesFile(Dwarf_Die* unit, const std::string& file) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0) return false;
  for (size_t i = 0; i < count; ++i) {
    const char* name = dwarf_filesrc(files, i, nullptr, nullptr);
    if (name != nullptr && file == name) return true;
  }
  return false;
}

SourcePlace PlaceOfRow(Dwarf_Line* row) {
  SourcePlace place;
  if (row == nullptr) return place;
  if (const char* source = dwarf_linesrc(row, nullptr, nullptr)) place.file = source;
  int number = 0;
  if (dwarf_lineno(row, &number) == 0 && number > 0) place.line = static_cast<uint32_t>(number);
  return place;
}

// The place of a function by the first row of its entry in the unit's line table. Later rows of that address are of its
// first statement, or of an inlined function.
SourcePlace PlaceOfEntry(Dwarf_Die* unit, uint64_t entry) {
  Dwarf_Lines* rows = nullptr;
  size_t count = 0;
  if (dwarf_getsrclines(unit, &rows, &count) != 0) return {};
  size_t first = 0;
  for (size_t end = count; first < end;) {  // libdw sorts the rows by address
    const size_t middle = first + (end - first) / 2;
    Dwarf_Addr address = 0;
    dwarf_lineaddr(dwarf_onesrcline(rows, middle), &address);
    if (address < entry)
      first = middle + 1;
    else
      end = middle;
  }
  Dwarf_Addr address = 0;
  if (first == count || dwarf_lineaddr(dwarf_onesrcline(rows, first), &address) != 0 || address != entry) return {};
  return PlaceOfRow(dwarf_onesrcline(rows, first));
}

// clang -g1 tells no function's line. The body of a construct has the construct's line, from elsewhere.
void PlaceByLineTable(Dwarf_Die* unit, Function* function) {
  if (function->line != 0 || !function->file.empty() || ParseOutlined(function->name).construct != Outlined::kNo)
    return;
  const SourcePlace place = PlaceOfEntry(unit, function->entry);
  function->file = place.file;
  function->line = place.line;
}

uint32_t CallLine(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0;
  return dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0 ? static_cast<uint32_t>(line) : 0;
}

// The text of the first of the attributes that `die` has.
std::string Text(Dwarf_Die* die, std::initializer_list<unsigned> attributes) {
  for (const unsigned number : attributes) {
    Dwarf_Attribute attribute;
    const char* text = dwarf_formstring(dwarf_attr(die, number, &attribute));
    if (text != nullptr) return text;
  }
  return {};
}

// The file with the functions of a skeleton unit (DWARF 5, 3.1.2). gcc and clang have written such files since DWARF 4.
std::string SplitFileOf(Dwarf_Die* skeleton) {
  const std::string name = Text(skeleton, {DW_AT_dwo_name, DW_AT_GNU_dwo_name});
  const std::string folder = Text(skeleton, {DW_AT_comp_dir});
  return folder.empty() || name.rfind('/', 0) == 0 ? name : folder + "/" + name;
}

}  // namespace

DwarfIndex::DwarfIndex(Dwarf* dwarf) {
  Dwarf_CU* cu = nullptr;
  Dwarf_CU* next = nullptr;
  Dwarf_Half version;
  uint8_t type;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf, cu, &next, &version, &type, &die, &split) == 0) {
    cu = next;
    if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
    is_split_ |= type == DW_UT_skeleton;
    units_.emplace_back();
    Unit& unit = units_.back();
    unit.die = die;
    const bool reads_split = type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
    if (type == DW_UT_skeleton && !reads_split && unread_split_.empty()) unread_split_ = SplitFileOf(&die);
    unit.contents = reads_split ? split : die;
    const auto number = static_cast<uint32_t>(units_.size() - 1);
    std::vector<Range> ranges = RangesOf(&die);
    if (ranges.empty()) {  // this compiler gives a unit no range: its functions have ranges
      IndexUnit(&unit);
      for (const Interval& interval : unit.intervals) ranges.push_back({interval.low, interval.high});
    }
    for (const Range& range : ranges) unit_ranges_.push_back({range.low, range.high, number});
  }
  std::sort(unit_ranges_.begin(), unit_ranges_.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.low < b.low; });
}

DwarfIndex::Unit* DwarfIndex::FindUnit(uint64_t address) {
  const auto after = std::upper_bound(unit_ranges_.begin(), unit_ranges_.end(), address,
                                      [](uint64_t a, const UnitRange& range) { return a < range.low; });
  if (after == unit_ranges_.begin()) return nullptr;
  const UnitRange& range = *(after - 1);
  if (address >= range.high) return nullptr;
  Unit* unit = &units_[range.unit];
  if (!unit->indexed) IndexUnit(unit);
  return unit;
}

Function* DwarfIndex::FunctionOf(Dwarf_Die* die) {
  Dwarf_Die origin;
  const uint64_t key = FunctionKey(die, &origin);
  const auto [entry, added] = function_by_die_.emplace(key, nullptr);
  if (!added) return entry->second;

  functions_.emplace_back();
  Function& function = functions_.back();
  entry->second = &function;
  Dwarf_Attribute attribute;
  const char* linked = dwarf_formstring(dwarf_attr_integrate(&origin, DW_AT_linkage_name, &attribute));
  if (linked == nullptr) linked = dwarf_formstring(dwarf_attr_integrate(&origin, DW_AT_MIPS_linkage_name, &attribute));
  if (linked == nullptr) linked = dwarf_diename(&origin);
  if (linked != nullptr) function.system_name = linked;
  function.name = Demangle(function.system_name);
  // Fortran compilers append an underscore to the name of a procedure outside modules.
  const char* own = dwarf_diename(&origin);
  if (own != nullptr && function.system_name == own + std::string("_")) function.name = own;
  if (const char* file = DeclarationFile(&origin)) function.file = file;
  int line = 0;
  if (dwarf_decl_line(&origin, &line) == 0 && line > 0) function.line = static_cast<uint32_t>(line);
  return &function;
}

const DwarfIndex::Around& DwarfIndex::AroundOf(Dwarf_Die* die, const Around& around) const {
  Dwarf_Attribute attribute;
  Dwarf_Die declaration;
  if (dwarf_attr(die, DW_AT_specification, &attribute) == nullptr) return around;
  if (dwarf_formref_die(&attribute, &declaration) == nullptr) return around;
  const auto declared = declared_around_.find(declaration.addr);
  return declared == declared_around_.end() ? around : declared->second;
}

void DwarfIndex::NameDefined(Dwarf_Die* die, const Around& here, Function* function) {
  const Around& around = AroundOf(die, here);
  // gcc gives a function with internal linkage no linked name, and thus no namespace.
  if (function->name == function->system_name) function->name = around.prefix + function->name;
  function->arguments = around.arguments + PlacesOfArguments(die, !around.arguments.empty());
  if (function->line != 0) return;
  const LambdaPlace lambda = PlaceOfLambda(die);
  if (lambda.file == nullptr) return;
  function->file = lambda.file;
  function->line = lambda.line;
  function->arguments = lambda.entry;
}

void DwarfIndex::WalkChildren(Unit* unit, Dwarf_Die* parent, int32_t scope, int depth, const Around& around,
                              std::vector<Interval>* ranges) {
  Dwarf_Die die;
  if (depth > kDeepestDie || dwarf_child(parent, &die) != 0) return;
  do {
    int32_t child_scope = scope;
    Around child_around = around;
    switch (dwarf_tag(&die)) {
      case DW_TAG_subprogram: {
        Dwarf_Attribute attribute;
        if (dwarf_hasattr(&die, DW_AT_declaration)) {
          if (!around.prefix.empty()) declared_around_.emplace(die.addr, around);
          continue;
        }
        Function* function = FunctionOf(&die);
        if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) == nullptr) {
          unit->functions.push_back(function);
          NameDefined(&die, around, function);
        }
        child_around = {};
        child_scope = static_cast<int32_t>(unit->scopes.size());
        unit->scopes.push_back({function, -1, 0, nullptr});
        break;
      }
      case DW_TAG_inlined_subroutine:
        child_scope = static_cast<int32_t>(unit->scopes.size());
        unit->scopes.push_back({FunctionOf(&die), scope, CallLine(&die), CallFile(&unit->contents, &die)});
        break;
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type: {
        const char* name = dwarf_diename(&die);
        child_around.prefix += name != nullptr ? name : "(anonymous namespace)";
        child_around.prefix += "::";
        child_around.arguments += PlacesOfArguments(&die, !around.arguments.empty());
        break;
      }
      case DW_TAG_lexical_block:
      case DW_TAG_module:
        break;
      default:
        continue;
    }
    if (child_scope != scope) {
      const auto own_ranges = RangesOf(&die);
      for (const Range& range : own_ranges) ranges->push_back({range.low, range.high, child_scope});
      Dwarf_Addr entry = 0;
      const Scope& entered = unit->scopes[child_scope];
      // gcc gives a function with a cold part neither an entry nor a lowest address. The first of its ranges begins the
      // function.
      if (dwarf_entrypc(&die, &entry) != 0) entry = own_ranges.empty() ? 0 : own_ranges.front().low;
      if (entered.parent < 0 && entry != 0) {
        entered.function->entry = entry;
        PlaceByLineTable(&unit->die, entered.function);
      }
    }
    WalkChildren(unit, &die, child_scope, depth + 1, child_around, ranges);
  } while (dwarf_siblingof(&die, &die) == 0);
}

void DwarfIndex::IndexUnit(Unit* unit) {
  unit->indexed = true;
  std::vector<Interval> ranges;
  WalkChildren(unit, &unit->contents, -1, 0, {}, &ranges);
  declared_around_.clear();

  // Turns nested ranges into disjoint ranges. A scope's number is larger than the number of the scope around it. So at
  // equal beginnings the outer scope comes first, and a stack holds the open scopes.
  std::sort(ranges.begin(), ranges.end(),
            [](const Interval& a, const Interval& b) { return a.low != b.low ? a.low < b.low : a.scope < b.scope; });
  std::vector<Interval> open;
  uint64_t done = 0;  // all addresses below have been put out
  const auto put = [&](uint64_t until) {
    const uint64_t low = std::max(done, open.back().low);
    const uint64_t high = std::min(until, open.back().high);
    if (low < high) unit->intervals.push_back({low, high, open.back().scope});
    done = std::max(done, high);
  };
  const auto close_until = [&](uint64_t address) {
    while (!open.empty() && open.back().high <= address) {
      put(open.back().high);
      open.pop_back();
    }
  };
  for (const Interval& range : ranges) {
    close_until(range.low);
    if (!open.empty()) put(range.low);
    open.push_back(range);
  }
  while (!open.empty()) {
    put(open.back().high);
    open.pop_back();
  }
}

std::vector<SourceFrame> DwarfIndex::Lookup(uint64_t address) {
  std::vector<SourceFrame> frames;
  Unit* unit = FindUnit(address);
  if (unit == nullptr) return frames;
  const auto after = std::upper_bound(unit->intervals.begin(), unit->intervals.end(), address,
                                      [](uint64_t a, const Interval& interval) { return a < interval.low; });
  if (after == unit->intervals.begin() || address >= (after - 1)->high) return frames;

  auto [file, line] = PlaceOfRow(dwarf_getsrc_die(&unit->die, address));
  for (int32_t at = (after - 1)->scope; at >= 0;) {
    const Scope& scope = unit->scopes[at];
    Function* const function = scope.function;
    frames.push_back({function, file, line});
    // An inlined function is not linked.
    if (scope.parent < 0 && !function->arguments.empty() && function->system_name.rfind("_Z", 0) != 0 &&
        linked_names_) {
      const std::string linked = linked_names_(address);
      if (!linked.empty()) function->system_name = linked;
    }
    file = scope.call_file != nullptr ? scope.call_file : "";
    line = scope.call_line;
    at = scope.parent;
  }
  return frames;
}

SourcePlace DwarfIndex::PlaceOf(uint64_t address) {
  Unit* unit = FindUnit(address);
  return unit == nullptr ? SourcePlace() : PlaceOfRow(dwarf_getsrc_die(&unit->die, address));
}

SourcePlace DwarfIndex::PlaceOfFunction(uint64_t entry) {
  Unit* unit = FindUnit(entry);
  return unit == nullptr ? SourcePlace() : PlaceOfEntry(&unit->die, entry);
}

namespace {

// f::$_0::operator() by clang. By gcc _ZZN1fEiENKUliE_clEi, or operator() of no class where nothing is linked.
bool IsLambda(const Function& function) {
  const size_t call = function.name.find("operator()");
  if (call == std::string::npos) return false;
  const std::string holder = function.name.substr(0, call);
  const auto linked_as = [&](const char* part) { return function.system_name.find(part) != std::string::npos; };
  return holder.empty() || holder == "(anonymous namespace)::" || holder.find("::$_") != std::string::npos ||
         linked_as("NKUl") || linked_as("NUl");
}

}  // namespace

const Function* DwarfIndex::LexicalParent(uint64_t address, const std::string& file, uint32_t line) {
  const Unit* unit = FindUnit(address);
  if (unit == nullptr) return nullptr;
  const Function* best = nullptr;
  for (const Function* function : unit->functions) {
    if (function->line == 0 || function->line > line || function->file != file) continue;
    if (best != nullptr && best->line >= function->line) continue;
    // clang's helpers of a construct (.omp.reduction.reduction_func, .omp_task_entry.) carry the construct's line.
    if (function->name[0] == '.' || ParseOutlined(function->name).construct != Outlined::kNo) continue;
    // A lambda is mostly shorter than the function around it.
    if (best != nullptr && IsLambda(*function)) continue;
    best = function;
  }
  return best;
}

std::vector<std::string> DwarfIndex::CompilationFolders(const std::string& file) const {
  std::vector<std::string> folders;
  if (file.empty() || file[0] == '/') return folders;
  for (const Unit& unit : units_) {
    if (!unit.indexed) continue;
    Dwarf_Die die = unit.die;
    const std::string folder = CompilationFolder(&die);
    if (folder.empty() || std::find(folders.begin(), folders.end(), folder) != folders.end()) continue;
    if (NamesFile(&die, file)) folders.push_back(folder);
  }
  return folders;
}

}  // namespace ompprof::model
