// The names and lines of object files that earlier commands found, in a folder of the user. So a second report of the
// same program opens no debug information. The symbolizer asks; the commands choose the folder.
//
// Nothing in the folder is trusted. A file that is cut, damaged or from somebody else counts as missing, and is
// replaced. A folder that cannot be read or written counts as empty. None of this is an error: a command then takes
// longer. Commands that run at the same time see whole files only, because files get their names when they are whole.
#ifndef OMPPROF_PROFILER_MODEL_SYMBOL_CACHE_H_
#define OMPPROF_PROFILER_MODEL_SYMBOL_CACHE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "profiler/model/known_names.h"
#include "profiler/model/status.h"

namespace ompprof::model {

// Not thread-safe.
class SymbolCache {
 public:
  // 256 MiB
  static constexpr uint64_t kUsualBytes = uint64_t{1} << 28;

  // Without a folder: object files are opened once for all symbolizers of a command.
  SymbolCache() = default;

  // Keeps names in `folder`, which is made if necessary, and at most `most_bytes` of them.
  SymbolCache(const std::string& folder, uint64_t most_bytes);

  // Writes what was found, and removes the files that were not used for the longest time, down to `most_bytes`.
  ~SymbolCache();
  SymbolCache(const SymbolCache&) = delete;
  SymbolCache& operator=(const SymbolCache&) = delete;

  // $XDG_CACHE_HOME/ompprof or ~/.cache/ompprof. Empty if neither variable has an absolute path.
  static std::string UsualFolder();

  // The names of an object file; see DebugFile::Open. Null, and a sentence in `status`, if the file cannot be opened.
  std::shared_ptr<KnownNames> Open(const std::string& path, const std::string& build_id, Status* status);

 private:
  struct Opened {
    std::shared_ptr<KnownNames> names;
    Status status;
    std::string identity;  // see DebugIdentity; empty: the folder keeps nothing of the file
  };

  Opened OpenNew(const std::string& path, const std::string& build_id);
  void RemoveOldest() const;

  std::string folder_;  // empty: none
  uint64_t most_bytes_ = 0;
  std::map<std::pair<std::string, std::string>, Opened> opened_;  // by path and build id
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SYMBOL_CACHE_H_
