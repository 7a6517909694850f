// One object file with its debug information: functions and lines by address. The symbolizer opens one for each
// module of a profile.
//
// The debug information comes from the file itself, or from a separate file under /usr/lib/debug, named by build id or
// debug link. Debian's -dbgsym packages install such files there. If the user set DEBUGINFOD_URLS, a missing file comes
// from these servers (elfutils' debuginfod), by its build id. Nothing else is fetched over a network.
#ifndef OMPPROF_PROFILER_MODEL_DEBUG_FILE_H_
#define OMPPROF_PROFILER_MODEL_DEBUG_FILE_H_

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "profiler/model/address_names.h"
#include "profiler/model/arch/function_code.h"
#include "profiler/model/data_symbols.h"
#include "profiler/model/dwarf_index.h"
#include "profiler/model/status.h"

namespace ompprof::model {

// Stands for the name of a function without a name: "libm.so.6+0x1f30", "0x7f0012345678".
std::string AddressName(const std::string& path, uint64_t address);

class DebugFile {
 public:
  // Opens `path`; "[vdso]" is the vDSO of this process. A file whose build id is not `build_id` is refused, because
  // names from a rebuilt program are wrong in ways that look right. Empty: any file is accepted.
  static std::unique_ptr<DebugFile> Open(const std::string& path, const std::string& build_id, Status* status);

  ~DebugFile();
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  // The functions at `address` (in the file's addresses), innermost first. With DWARF they have lines. With a symbol
  // table only, the result is one function without a line. In stripped code, only the beginning of a function may be
  // known: the function then has an address for a name ("gm+0x10e0") and an empty system name. Empty if nothing is
  // known.
  std::vector<SourceFrame> Lookup(uint64_t address);

  // The machine code of the function at `address`, [low, high) in the file's addresses. Both are 0 if the function is
  // not known.
  std::pair<uint64_t, uint64_t> LookupRange(uint64_t address);

  // See DwarfIndex::LexicalParent.
  const Function* LexicalParent(uint64_t address, const std::string& file, uint32_t line);

  // See DwarfIndex::CompilationFolders.
  std::vector<std::string> CompilationFolders(const std::string& file) const {
    return dwarf_ == nullptr ? std::vector<std::string>() : dwarf_->CompilationFolders(file);
  }

  // The variable at `address` (in the file's addresses), and which part of it.
  DataName LookupData(uint64_t address);

  // The call before `call_end` receives the name's object of a critical construct. Returns the object's linked name;
  // empty if the code does not tell.
  std::string LookupCritical(uint64_t call_end);

  // The call before `call_end` creates a parallel construct and receives an outlined function, the construct's body.
  // Returns the function's entry; 0 if the code does not tell. A function that creates the construct by a jump, as its
  // last act, has left its frame: `call_end` is then behind the call of that function.
  uint64_t LookupBody(uint64_t call_end);

  // The places in the code that pass on or call the outlined function that begins at `entry`, ascending. The function
  // around the construct is there. Empty if the code does not tell.
  std::vector<uint64_t> LookupUses(uint64_t entry);

  // The call before `call_end` serves a construct. Returns the construct's line, which the compiler passes to LLVM's
  // runtime (construct_places.h); 0 if the code does not tell.
  uint32_t LookupConstructLine(uint64_t call_end);

  // See IsAtAtomic.
  bool LookupAtomic(uint64_t address);

  bool has_lines() const { return dwarf_ != nullptr; }

  // The debug information is in further files (split DWARF), in a shared file (dwz) that was not found, or compressed
  // in a way that was not understood. Answers then change when such a file or a library comes or goes.
  bool needs_more_files() const { return needs_more_files_; }

  // A sentence for the user: debug information is there and cannot be read. Empty: all of it was read.
  const std::string& unread() const { return unread_; }

 private:
  struct Symbol {
    uint64_t low;
    uint64_t high;  // equal to low: the size is not known
    const char* name;
    int rank;                  // of several symbols at one address, the symbol with the largest rank is used
    const Function* function;  // made when first asked for
  };

  DebugFile() = default;
  int Decompressed(int fd, const std::string& path);
  static int FindDebugInfo(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
                           const char* file_name, const char* link, GElf_Word checksum, char** found);
  void ReadDebugInfo(const std::string& path);
  void ReadSymbols();
  DataSymbols* Data();
  void ReadCriticalNames();
  std::string LookupReference(uint64_t call_end, const AddressNames& names);
  const AddressNames& Bodies();
  void ReadUses();
  // The code of the function at `address`; of size 0 if it is not known.
  struct MachineCode {
    uint16_t machine = 0;
    FunctionCode code = {nullptr, 0, 0};
  };
  MachineCode CodeAt(uint64_t address);
  const Function* FindSymbol(uint64_t address);
  const Function* FindNameless(uint64_t address);
  uint64_t FunctionStart(uint64_t address) const;

  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  uint64_t elf_bias_ = 0;    // address in dwfl_ - address in the file
  uint64_t dwarf_bias_ = 0;  // address in dwfl_ - address in the debug information
  bool needs_more_files_ = false;
  std::string unread_;
  std::unique_ptr<DwarfIndex> dwarf_;
  std::vector<Symbol> symbols_;        // sorted by low
  std::unique_ptr<DataSymbols> data_;  // once asked for
  AddressNames critical_names_;
  bool critical_names_read_ = false;
  AddressNames bodies_;  // the entries of outlined functions as texts, by entry. Several may have one name
  bool bodies_read_ = false;
  std::multimap<uint64_t, uint64_t> uses_;  // of outlined functions, by entry
  bool uses_read_ = false;
  AddressNames construct_places_;
  bool construct_places_read_ = false;
  std::string path_;
  uint64_t program_entry_ = 0;
  std::vector<uint64_t> starts_;                  // of all functions, named or not; sorted
  std::map<uint64_t, const Function*> nameless_;  // by start
  std::deque<Function> functions_;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_DEBUG_FILE_H_
