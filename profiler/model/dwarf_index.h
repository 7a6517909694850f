// An object's DWARF, arranged for many look-ups from an address to the functions inlined there. libdw would walk the
// unit's tree for every address. Here each unit is walked once, on its first use.
//
// Not thread-safe.
#ifndef OMPPROF_PROFILER_MODEL_DWARF_INDEX_H_
#define OMPPROF_PROFILER_MODEL_DWARF_INDEX_H_

#include <elfutils/libdw.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ompprof::model {

// A function as the debug information or the symbol table describes it.
struct Function {
  std::string name;            // demangled
  std::string system_name;     // as linked; may equal name
  std::string file;            // of the declaration; empty if not known
  uint32_t line = 0;           // of the declaration; 0 if not known
  uint64_t entry = 0;          // first address, in the object's own addresses; 0 if not known
  std::string arguments = {};  // places of lambdas and the like in its template arguments (type_arguments.h)
};

// A function at an address, inlined or not, and the line that the address executes in it.
struct SourceFrame {
  const Function* function;
  std::string file;
  uint32_t line;
};

struct SourcePlace {
  std::string file;   // empty if not known
  uint32_t line = 0;  // 0 if not known
};

class DwarfIndex {
 public:
  // `dwarf` must outlive the index.
  explicit DwarfIndex(Dwarf* dwarf);

  // Some unit has its functions in a file of its own (-gsplit-dwarf).
  bool is_split() const { return is_split_; }
  // The first such file that libdw did not find, or cannot read. Empty: it has read all of them.
  const std::string& unread_split() const { return unread_split_; }

  // Sets who knows the linked name of the function at an address; "": not known. gcc gives functions that are linked
  // within a file no linked name. Among them are instances of a template for lambdas, whose other names read the same.
  void LinkedNamesFrom(std::function<std::string(uint64_t)> names) { linked_names_ = std::move(names); }

  // The functions at `address` (in the object's own addresses), innermost first. Empty if no unit covers the address.
  // The functions live as long as the index.
  std::vector<SourceFrame> Lookup(uint64_t address);

  // The file and line of `address` by the line table alone: clang -g1 describes only functions with inlined calls.
  SourcePlace PlaceOf(uint64_t address);
  // Likewise, of the function that begins at `entry`.
  SourcePlace PlaceOfFunction(uint64_t entry);

  // The function whose text holds `line` of `file`, as far as declarations tell. Of the functions declared before that
  // line, in the file and in the unit of `address`, the last function that no compiler made up and that is no lambda.
  // Null if there is no such function.
  const Function* LexicalParent(uint64_t address, const std::string& file, uint32_t line);

  // The absolute paths of the folders in which units with `file` were compiled (DW_AT_comp_dir). `file` is a relative
  // path from Lookup; if it is absolute, the result is empty. Only units that some Lookup has reached are searched.
  std::vector<std::string> CompilationFolders(const std::string& file) const;

 private:
  // A function's body, or a place where a function was inlined.
  struct Scope {
    Function* function;
    int32_t parent;  // index of the scope it was inlined into, -1: a body
    uint32_t call_line;
    const char* call_file;  // may be null
  };
  struct Interval {
    uint64_t low;
    uint64_t high;
    int32_t scope;
  };
  struct Unit {
    Dwarf_Die die;       // holds the addresses and the lines
    Dwarf_Die contents;  // holds the functions; differs from `die` only in split DWARF
    bool indexed = false;
    std::vector<Scope> scopes;
    std::vector<Interval> intervals;         // disjoint, sorted: which scope is the innermost
    std::vector<const Function*> functions;  // all that are defined in the unit
  };
  // Of the namespaces and classes around a die.
  struct Around {
    std::string prefix;     // qualifies a name that is declared there, for example "space::"
    std::string arguments;  // as in Function
  };
  struct UnitRange {
    uint64_t low;
    uint64_t high;
    uint32_t unit;
  };

  Unit* FindUnit(uint64_t address);
  void IndexUnit(Unit* unit);
  void WalkChildren(Unit* unit, Dwarf_Die* die, int32_t scope, int depth, const Around& around,
                    std::vector<Interval>* ranges);
  Function* FunctionOf(Dwarf_Die* die);

  // What is around the function's declaration, if the declaration is elsewhere; otherwise `around`.
  const Around& AroundOf(Dwarf_Die* die, const Around& around) const;

  void NameDefined(Dwarf_Die* die, const Around& here, Function* function);

  bool is_split_ = false;
  std::string unread_split_;
  std::function<std::string(uint64_t)> linked_names_;
  std::deque<Unit> units_;
  std::vector<UnitRange> unit_ranges_;  // sorted by low
  std::deque<Function> functions_;
  std::unordered_map<const void*, Around> declared_around_;  // by declaration, while a unit is walked
  std::unordered_map<uint64_t, Function*> function_by_die_;  // by address of the abstract die
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_DWARF_INDEX_H_
