#include "profiler/model/data_symbols.h"

#include <dwarf.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "profiler/model/symbol_name.h"

namespace ompprof::model {
namespace {

// Debug information comes from files that others wrote. Deeper nesting is not followed.
constexpr int kDeepestScope = 64;
constexpr int kDeepestType = 32;

std::string Offset(uint64_t offset) {
  char text[32];
  std::snprintf(text, sizeof text, "+0x%" PRIx64, offset);
  return offset == 0 ? "" : text;
}

// A lock is shown whole, whatever type a runtime defines it as.
bool IsLockType(Dwarf_Die* type) {
  const char* name = dwarf_diename(type);
  return name != nullptr && (std::strcmp(name, "omp_lock_t") == 0 || std::strcmp(name, "omp_nest_lock_t") == 0);
}

bool TypeOf(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != nullptr;
}

uint64_t SizeOf(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

bool Constant(Dwarf_Die* die, unsigned int name, Dwarf_Sword* value) {
  Dwarf_Attribute attribute;
  return dwarf_formsdata(dwarf_attr(die, name, &attribute), value) == 0;
}

// Finds the member (or base class) of a structure or union at `offset`.
bool FindMember(Dwarf_Die* type, uint64_t offset, Dwarf_Die* member, uint64_t* begin) {
  Dwarf_Die die;
  if (dwarf_child(type, &die) != 0) return false;
  do {
    const int tag = dwarf_tag(&die);
    // A static member does not lie in the structure.
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&die, DW_AT_external)) continue;
    Dwarf_Sword at = 0;
    Dwarf_Die member_type;
    if (dwarf_hasattr(&die, DW_AT_data_member_location) && !Constant(&die, DW_AT_data_member_location, &at)) continue;
    if (!TypeOf(&die, &member_type) || at < 0 || offset < static_cast<uint64_t>(at)) continue;
    if (offset - static_cast<uint64_t>(at) >= SizeOf(&member_type)) continue;
    *member = die;
    *begin = static_cast<uint64_t>(at);
    return true;
  } while (dwarf_siblingof(&die, &die) == 0);
  return false;
}

// "[2][3]"; in Fortran "(3,4)".
std::string Element(Dwarf_Die* array, uint64_t index, bool fortran) {
  struct Dimension {
    uint64_t count;  // 0: not known
    Dwarf_Sword low;
  };
  std::vector<Dimension> dimensions;
  Dwarf_Die die;
  if (dwarf_child(array, &die) == 0) {
    do {
      if (dwarf_tag(&die) != DW_TAG_subrange_type) continue;
      Dimension dimension{0, fortran ? 1 : 0};
      Dwarf_Sword value = 0;
      if (Constant(&die, DW_AT_lower_bound, &value)) dimension.low = value;
      if (Constant(&die, DW_AT_count, &value)) {
        dimension.count = static_cast<uint64_t>(value);
      } else if (Constant(&die, DW_AT_upper_bound, &value) && value >= dimension.low) {
        dimension.count = static_cast<uint64_t>(value - dimension.low + 1);
      }
      dimensions.push_back(dimension);
    } while (dwarf_siblingof(&die, &die) == 0);
  }
  if (dimensions.empty()) dimensions.push_back({0, 0});
  std::vector<std::string> indices(dimensions.size());
  for (size_t step = 0; step < dimensions.size(); ++step) {
    // The dimension that runs fastest first: the last in C, the first in Fortran.
    const size_t at = fortran ? step : dimensions.size() - 1 - step;
    const bool last = step + 1 == dimensions.size();
    const uint64_t count = dimensions[at].count;
    const uint64_t own = last || count == 0 ? index : index % count;
    indices[at] = std::to_string(static_cast<Dwarf_Sword>(own) + dimensions[at].low);
    index = last || count == 0 ? 0 : index / count;
  }
  std::string text;
  for (const std::string& own : indices) text += fortran ? (text.empty() ? "(" : ",") + own : "[" + own + "]";
  return fortran ? text + ")" : text;
}

// The member or element at `offset` in a variable of this type: ".locks[3]".
std::string Part(Dwarf_Die type, uint64_t offset, bool fortran) {
  std::string path;
  for (int depth = 0; depth < kDeepestType; ++depth) {
    bool lock = IsLockType(&type);
    for (int step = 0; step < kDeepestType && !lock; ++step) {
      const int tag = dwarf_tag(&type);
      if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
          tag != DW_TAG_atomic_type && tag != DW_TAG_restrict_type)
        break;
      Dwarf_Die next;
      if (!TypeOf(&type, &next)) break;
      type = next;
      lock = IsLockType(&type);
    }
    if (lock) break;
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_array_type) {
      Dwarf_Die element;
      if (!TypeOf(&type, &element)) break;
      const uint64_t size = SizeOf(&element);
      if (size == 0) break;
      path += Element(&type, offset / size, fortran);
      offset %= size;
      type = element;
    } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type) {
      Dwarf_Die member;
      Dwarf_Die member_type;
      uint64_t begin = 0;
      if (!FindMember(&type, offset, &member, &begin) || !TypeOf(&member, &member_type)) break;
      const char* name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : nullptr;
      if (name != nullptr) path += (fortran ? "%" : ".") + std::string(name);
      offset -= begin;
      type = member_type;
    } else {
      break;
    }
  }
  return path + Offset(offset);
}

// The address of a variable that always lies at one address.
bool FixedAddress(Dwarf_Die* die, uint64_t* address) {
  Dwarf_Attribute attribute;
  Dwarf_Op* expression = nullptr;
  size_t length = 0;
  if (dwarf_attr(die, DW_AT_location, &attribute) == nullptr) return false;
  if (dwarf_getlocation(&attribute, &expression, &length) != 0 || length != 1) return false;
  if (expression[0].atom == DW_OP_addr) {
    *address = expression[0].number;
    return *address != 0;
  }
  if (expression[0].atom != DW_OP_addrx && expression[0].atom != DW_OP_GNU_addr_index) return false;
  Dwarf_Attribute indexed;
  Dwarf_Addr value = 0;
  if (dwarf_getlocation_attr(&attribute, &expression[0], &indexed) != 0 || dwarf_formaddr(&indexed, &value) != 0)
    return false;
  *address = value;
  return value != 0;
}

}  // namespace

DataSymbols::DataSymbols(Dwfl_Module* module, uint64_t elf_bias, Dwarf* dwarf, uint64_t dwarf_bias)
    : dwarf_(dwarf), to_dwarf_(elf_bias - dwarf_bias) {
  const int count = dwfl_module_getsymtab(module);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* name = dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || *name == '\0' || symbol.st_shndx == SHN_UNDEF) continue;
    if (type != STT_OBJECT && type != STT_COMMON) continue;
    const uint64_t low = address - elf_bias;
    symbols_.push_back({low, low + std::max<uint64_t>(symbol.st_size, 1), name});
  }
  // Of several symbols at one address, the program's own symbol has no underscore before it, and the smaller symbol
  // says more.
  std::sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high > b.high : std::strcmp(a.name, b.name) < 0;
  });
}

const DataSymbols::Symbol* DataSymbols::Find(uint64_t address) const {
  auto at = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                             [](uint64_t a, const Symbol& symbol) { return a < symbol.low; });
  // A few symbols back: a small symbol may lie within a larger symbol.
  for (int tries = 0; at != symbols_.begin() && tries < 8; ++tries) {
    --at;
    if (address < at->high) return &*at;
  }
  return nullptr;
}

DataName DataSymbols::Lookup(uint64_t address) {
  if (dwarf_ != nullptr) {
    Index(dwarf_);
    dwarf_ = nullptr;
  }
  DataName found;
  const Symbol* symbol = Find(address);
  if (symbol != nullptr) {
    found.symbol = symbol->name;
    found.name = Demangle(symbol->name);
  }
  const auto after = variables_.upper_bound(address + to_dwarf_);
  if (after != variables_.begin()) {
    const auto& [low, variable] = *std::prev(after);
    const uint64_t at = address + to_dwarf_;
    if (at < variable.high) {
      // The linked name of a C++ or Fortran variable has the namespace or module too. The linked name of a local static
      // in C has a number instead.
      const bool same = symbol != nullptr && symbol->low + to_dwarf_ == low;
      std::string name = same && found.name != found.symbol ? found.name : variable.name;
      if (symbol == nullptr) found.symbol = name;
      found.name = name + Part(variable.type, at - low, variable.fortran);
      return found;
    }
  }
  if (symbol != nullptr) found.name += Offset(address - symbol->low);
  return found;
}

std::map<uint64_t, std::string> DataSymbols::WithPrefix(const std::string& prefix) const {
  std::map<uint64_t, std::string> found;
  for (const Symbol& symbol : symbols_) {
    if (std::strncmp(symbol.name, prefix.c_str(), prefix.size()) == 0) found.emplace(symbol.low, symbol.name);
  }
  return found;
}

void DataSymbols::Index(Dwarf* dwarf) {
  Dwarf_CU* cu = nullptr;
  Dwarf_CU* next = nullptr;
  Dwarf_Half version;
  uint8_t type;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf, cu, &next, &version, &type, &die, &split) == 0) {
    cu = next;
    if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
    Dwarf_Die unit = type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid ? split : die;
    const int language = dwarf_srclang(&unit);
    const bool fortran = language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 ||
                         language == DW_LANG_Fortran95 || language == DW_LANG_Fortran03 ||
                         language == DW_LANG_Fortran08;
    Walk(&unit, "", fortran, 0);
  }
}

void DataSymbols::Walk(Dwarf_Die* parent, const std::string& function, bool fortran, int depth) {
  Dwarf_Die die;
  if (depth > kDeepestScope || dwarf_child(parent, &die) != 0) return;
  do {
    switch (dwarf_tag(&die)) {
      case DW_TAG_variable:
        AddVariable(&die, function, fortran);
        break;
      case DW_TAG_subprogram: {
        const char* name = dwarf_diename(&die);
        Walk(&die, name != nullptr ? name : function, fortran, depth + 1);
        break;
      }
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_lexical_block:
        Walk(&die, function, fortran, depth + 1);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&die, &die) == 0);
}

void DataSymbols::AddVariable(Dwarf_Die* die, const std::string& function, bool fortran) {
  Variable variable;
  uint64_t address = 0;
  if (!FixedAddress(die, &address) || !TypeOf(die, &variable.type)) return;
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  if (name == nullptr) return;
  variable.high = address + std::max<uint64_t>(SizeOf(&variable.type), 1);
  variable.name = function.empty() ? name : function + "::" + name;
  variable.fortran = fortran;
  variables_.emplace(address, std::move(variable));
}

}  // namespace ompprof::model
