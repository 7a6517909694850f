#include "profiler/model/type_arguments.h"

#include <dwarf.h>

#include <cstring>

namespace ompprof::model {
namespace {

// A lambda in an argument of an argument of an argument.
constexpr int kDeepest = 4;

bool Contains(const char* text, const char* part) { return text != nullptr && std::strstr(text, part) != nullptr; }

// "parallel_for<main()::<lambda(long int)> >" by gcc, "parallel_for<(lambda at solve.cc:12:24)>" by clang.
bool HasUnnamedTypes(const char* name) { return Contains(name, "lambda") || Contains(name, "(anonymous namespace)"); }

// The class behind pointers, references and the like. False if the type is no class.
bool ClassOf(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) == nullptr) return false;
  for (int step = 0; step < 8; ++step) {
    switch (dwarf_tag(type)) {
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        return true;
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
      case DW_TAG_typedef:
        break;
      default:
        return false;
    }
    Dwarf_Die next;
    if (dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &attribute), &next) == nullptr) return false;
    *type = next;
  }
  return false;
}

bool IsLambda(const char* name) { return name == nullptr || std::strncmp(name, "<lambda", 7) == 0; }

std::string PlaceOfType(Dwarf_Die* type) {
  const char* file = DeclarationFile(type);
  int line = 0;
  if (file == nullptr || dwarf_decl_line(type, &line) != 0 || line <= 0) return "";
  const char* slash = std::strrchr(file, '/');
  std::string place = (slash == nullptr ? file : slash + 1) + (":" + std::to_string(line));
  int column = 0;
  if (dwarf_decl_column(type, &column) == 0 && column > 0) place += ":" + std::to_string(column);
  return place;
}

// Calls `take` for each template argument of a function or class, those of a pack included.
template <class Take>
void ForEachArgument(Dwarf_Die* die, bool in_pack, Take take) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_GNU_template_parameter_pack && !in_pack) ForEachArgument(&child, true, take);
    if (tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter) take(&child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// `holder`: the name of the function or class with the argument.
std::string PlacesOfArgument(Dwarf_Die* argument, const char* holder, int depth) {
  Dwarf_Die type;
  if (dwarf_tag(argument) != DW_TAG_template_type_parameter || !ClassOf(argument, &type)) return "";
  const char* name = dwarf_diename(&type);
  if (IsLambda(name) || (std::strchr(name, '<') == nullptr && Contains(holder, "(anonymous namespace)") &&
                         Contains(holder, (std::string("::") + name).c_str())))
    return PlaceOfType(&type);
  std::string places;
  if (!HasUnnamedTypes(name) || depth == kDeepest) return places;
  ForEachArgument(&type, false, [&](Dwarf_Die* inner) {
    const std::string more = PlacesOfArgument(inner, name, depth + 1);
    if (!more.empty()) places += (places.empty() ? "" : ",") + more;
  });
  return places;
}

}  // namespace

const char* FileName(Dwarf_Die* unit, Dwarf_Word number) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || number >= count) return nullptr;
  const char* name = dwarf_filesrc(files, number, nullptr, nullptr);
  return name != nullptr && std::strcmp(name, "???") != 0 ? name : nullptr;
}

const char* DeclarationFile(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  Dwarf_Die unit;
  if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0) return nullptr;
  if (dwarf_cu_die(attribute.cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == nullptr)
    return nullptr;
  return FileName(&unit, number);
}

std::string PlacesOfArguments(Dwarf_Die* die, bool all) {
  const char* name = dwarf_diename(die);
  if (!all && !HasUnnamedTypes(name)) return "";
  std::string entries;
  bool any = false;
  ForEachArgument(die, false, [&](Dwarf_Die* argument) {
    const std::string places = PlacesOfArgument(argument, name, 0);
    any |= !places.empty();
    entries += places + ";";
  });
  return any || all ? entries : "";
}

LambdaPlace PlaceOfLambda(Dwarf_Die* die) {
  LambdaPlace place;
  Dwarf_Attribute attribute;
  Dwarf_Die self;
  Dwarf_Die type;
  const char* name = dwarf_diename(die);
  if (name == nullptr || std::strcmp(name, "operator()") != 0 ||
      dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_object_pointer, &attribute), &self) == nullptr ||
      !ClassOf(&self, &type) || !IsLambda(dwarf_diename(&type)))
    return place;
  int line = 0;
  if (dwarf_decl_line(&type, &line) == 0 && line > 0) place.line = static_cast<uint32_t>(line);
  place.file = DeclarationFile(&type);
  place.entry = PlaceOfType(&type) + ";";
  return place;
}

}  // namespace ompprof::model
