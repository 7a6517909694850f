// Finds functions and lines for addresses in profiled processes. The analyses ask it for each distinct address of a
// profile, in any order. It opens each object file once and remembers every answer.
//
// Not thread-safe.
#ifndef OMPPROF_PROFILER_MODEL_SYMBOLIZER_H_
#define OMPPROF_PROFILER_MODEL_SYMBOLIZER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/model/data_symbols.h"
#include "profiler/model/dwarf_index.h"
#include "profiler/model/module_map.h"

// Not the header of the profile: libprotobuf's is a second of each source that only reads a view.
namespace ompprof {
class Segment;
}

namespace ompprof::model {

class CodeMap;
class KnownNames;
class SymbolCache;

// A place in an object file. The place stays equal in other processes, and after the object was loaded again.
struct CodeAddress {
  uint32_t object = 0;   // index into Symbolizer::objects(); 0: in no known object
  uint64_t address = 0;  // in the object's own addresses; in memory if object is 0
};

// An object file that was mapped into a profiled process, or the code that a process generated and named in a perf map
// or a jitdump.
struct Object {
  std::string path;
  std::string build_id;            // bytes
  uint64_t load_bias = 0;          // in the first process that mapped it
  int64_t used_until_unix_ns = 0;  // the earliest end of a process that mapped it; 0: not known
  std::vector<Segment> segments;
  bool openmp_runtime = false;
  bool profilers_own = false;  // see OwnModules
  bool opened = false;
  bool has_lines = false;                                         // once opened
  std::shared_ptr<CodeMap> code_map;                              // of generated code; `path` is that of the file
  std::shared_ptr<KnownNames> file;                               // null: not opened yet, or cannot be opened
  std::unordered_map<uint64_t, std::vector<SourceFrame>> frames;  // answers given that are not from `file`
};

class Symbolizer {
 public:
  // `cache`: opens the object files, also for other symbolizers. Null: a cache of its own, without a folder.
  explicit Symbolizer(std::shared_ptr<SymbolCache> cache = nullptr);
  ~Symbolizer();

  // Makes a process's addresses known. Locate takes the number returned here. `process` must live until
  // ForgetAddresses or ForgetProcesses.
  uint32_t AddProcess(const ProcessProfile& process);

  // Locate is not called for this process any more. The processes' numbers stay.
  void ForgetAddresses(uint32_t process);

  // Forgets the processes only: the next process added is number 0 again, and the knowledge about object files stays.
  // For a caller whose profile grows.
  void ForgetProcesses() { processes_.clear(); }

  // The place to look up for `address`, in the process's module epoch `epoch`. A return address stands for the call
  // before it.
  CodeAddress Locate(uint32_t process, uint64_t address, bool return_address, uint32_t epoch) const;

  // The functions at a place, innermost first; never empty. A function without a name is called by its address
  // ("libm.so.6+0x1f30", "0x7f0012345678") and has an empty system name.
  const std::vector<SourceFrame>& Frames(CodeAddress place);

  // See DebugFile::LookupRange.
  std::pair<uint64_t, uint64_t> Range(CodeAddress place);

  // The variable at a place. Its name is empty if no symbol covers the place.
  DataName Data(CodeAddress place);

  // See DebugFile::LookupCritical. `place` is the call's last byte: the place that Locate gives for a return address.
  std::string CriticalOf(CodeAddress place);

  // See DebugFile::LookupBody; object 0 if the body is not known. `place` as for CriticalOf.
  CodeAddress BodyOf(CodeAddress place);

  // See DebugFile::LookupUses. `entry`: where an outlined function begins.
  std::vector<CodeAddress> UsesOf(CodeAddress entry);

  // See DebugFile::LookupConstructLine. `place` as for CriticalOf.
  uint32_t ConstructLineOf(CodeAddress place);

  // See IsAtAtomic. `place`: the instruction at which a sample was taken.
  bool IsAtAtomic(CodeAddress place);

  // See DwarfIndex::LexicalParent.
  const Function* LexicalParent(CodeAddress place, const std::string& file, uint32_t line);

  // See DebugFile::CompilationFolders. Searches all objects that were opened.
  std::vector<std::string> CompilationFolders(const std::string& file) const;

  const std::deque<Object>& objects() const { return objects_; }

  // A sentence for each object without names, or with names that may belong to another build.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  KnownNames* Open(uint32_t object);
  std::vector<uint32_t> AddGenerated(const ProcessProfile& process);

  struct Process {
    ModuleMap map;
    std::vector<uint32_t>
        generated;  // objects of code that the process generated; the first that has an address counts
    std::unordered_map<const Module*, uint32_t> objects;
  };

  std::shared_ptr<SymbolCache> cache_;
  std::vector<Process> processes_;
  std::deque<Object> objects_;                                              // objects_[0] stands for no object
  std::map<std::pair<std::string, std::string>, uint32_t> object_by_name_;  // path, build id
  std::deque<Function> nameless_;
  std::vector<std::string> warnings_;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SYMBOLIZER_H_
