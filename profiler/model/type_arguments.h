// Where the types without a name that says where they are come from: lambdas and types of anonymous namespaces. Two
// instances of a template for two lambdas of one function have one name in gcc's debug information, and in clang's a
// name that only counts the lambdas. For DwarfIndex.
#ifndef OMPPROF_PROFILER_MODEL_TYPE_ARGUMENTS_H_
#define OMPPROF_PROFILER_MODEL_TYPE_ARGUMENTS_H_

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace ompprof::model {

// The name of a unit's file with this number. In DWARF 5, number 0 is the unit's own file; before DWARF 5, it is a
// placeholder. libdw's dwarf_decl_file takes 0 for no file (elfutils 0.188).
const char* FileName(Dwarf_Die* unit, Dwarf_Word number);
const char* DeclarationFile(Dwarf_Die* die);

// The places of such types among the template arguments of a function or class: an entry for each argument, with a
// semicolon behind it. An entry is empty for an argument without such a type; else it has the type's declaration,
// "solve.cc:12:24", or "solve.cc:12" if the column is not known, and more of these behind commas if the argument has
// several. The result is empty if no argument has such a type, except with `all`.
std::string PlacesOfArguments(Dwarf_Die* die, bool all);

// The lambda whose call operator `die` is: gcc gives the operator no place of its own. The file is null if `die` is
// anything else.
struct LambdaPlace {
  const char* file = nullptr;
  uint32_t line = 0;
  std::string entry;  // as in the result of PlacesOfArguments
};
LambdaPlace PlaceOfLambda(Dwarf_Die* die);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_TYPE_ARGUMENTS_H_
