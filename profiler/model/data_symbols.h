// Names the variable at a data address of an object file, and its member or element. Reports name locks in this way. A
// DebugFile has one DataSymbols.
//
// Not thread-safe.
#ifndef OMPPROF_PROFILER_MODEL_DATA_SYMBOLS_H_
#define OMPPROF_PROFILER_MODEL_DATA_SYMBOLS_H_

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ompprof::model {

struct DataName {
  // The name in the source ("table.locks[3]", "bank::account.lock"); without debug information "table+0x18". Empty: no
  // symbol covers the address.
  std::string name;
  std::string symbol;  // as linked
};

class DataSymbols {
 public:
  // Both must outlive this; `dwarf` may be null. `elf_bias` and `dwarf_bias` are what libdwfl adds to the addresses of
  // the file and of the debug information.
  DataSymbols(Dwfl_Module* module, uint64_t elf_bias, Dwarf* dwarf, uint64_t dwarf_bias);

  // `address` is in the file's addresses. Debug information is walked on the first call.
  DataName Lookup(uint64_t address);

  // Variables whose linked name begins with `prefix`, by address.
  std::map<uint64_t, std::string> WithPrefix(const std::string& prefix) const;

 private:
  struct Symbol {
    uint64_t low;
    uint64_t high;
    const char* name;
  };
  struct Variable {
    uint64_t high;
    Dwarf_Die type;
    std::string name;  // with the function it is local to
    bool fortran;
  };

  const Symbol* Find(uint64_t address) const;
  void Index(Dwarf* dwarf);
  void Walk(Dwarf_Die* parent, const std::string& function, bool fortran, int depth);
  void AddVariable(Dwarf_Die* die, const std::string& function, bool fortran);

  Dwarf* dwarf_;
  uint64_t to_dwarf_;                       // address in the debug information - address in the file
  std::vector<Symbol> symbols_;             // sorted by low
  std::map<uint64_t, Variable> variables_;  // by first address in the debug information
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_DATA_SYMBOLS_H_
