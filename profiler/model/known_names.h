// The answers about one object file, each asked of its debug information once. Answers of an earlier command come from
// the cache (symbol_cache.h), and the file is opened only for a question that nobody has asked before.
//
// Not thread-safe.
#ifndef OMPPROF_PROFILER_MODEL_KNOWN_NAMES_H_
#define OMPPROF_PROFILER_MODEL_KNOWN_NAMES_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/model/debug_file.h"
#include "profiler/model/status.h"

namespace ompprof::symbols {
class Names;
}  // namespace ompprof::symbols

namespace ompprof::model {

class KnownNames {
 public:
  // `path` and `build_id` as for DebugFile::Open.
  KnownNames(std::string path, std::string build_id);
  ~KnownNames();

  // Opens the file now.
  Status Open();

  // Takes answers that an earlier KnownNames wrote of the same file. False, without answers, if `bytes` is not what
  // Bytes has returned for `identity`.
  bool Take(const std::string& bytes, const std::string& identity);

  // All answers, for Take. If they are longer than `most_bytes`: those that were asked for by this command.
  std::string Bytes(const std::string& identity, size_t most_bytes);

  // Whether Bytes has answers that Take did not bring, and the answers will be right for as long as the identity stays.
  bool IsWorthKeeping() const;

  bool has_lines() const { return has_lines_; }

  // See DebugFile. Empty if all answers came from the cache.
  std::string unread() const { return file_ != nullptr ? file_->unread() : ""; }

  // See DebugFile for the questions. Two answers name one function by one address. Functions and answers live as long
  // as this object.
  const std::vector<SourceFrame>& Lookup(uint64_t address);
  std::pair<uint64_t, uint64_t> LookupRange(uint64_t address);
  DataName LookupData(uint64_t address);
  std::string LookupCritical(uint64_t call_end);
  uint64_t LookupBody(uint64_t call_end);
  std::vector<uint64_t> LookupUses(uint64_t entry);
  uint32_t LookupConstructLine(uint64_t call_end);
  bool LookupAtomic(uint64_t address);
  const Function* LexicalParent(uint64_t address, const std::string& file, uint32_t line);
  std::vector<std::string> CompilationFolders(const std::string& file);

 private:
  class Writer;

  // The file, for a new question. Null if it cannot be opened: then the question has no answer.
  DebugFile* File();
  DebugFile* OpenedFile();
  const Function* Kept(const Function& function);
  const Function* KeptOf(const Function* function);
  const std::vector<SourceFrame>* Earlier(uint64_t address);
  const Function* EarlierFunction(uint32_t index);
  bool IsSound(const symbols::Names& names) const;
  void TakeSmall(const symbols::Names& names);
  std::string Written(const std::string& identity) const;

  const std::string path_;
  const std::string build_id_;
  std::unique_ptr<DebugFile> file_;
  bool tried_ = false;    // to open the file
  bool reached_ = false;  // the file has met all addresses that were asked for
  bool has_lines_ = false;
  bool news_ = false;  // some answer did not come from the cache

  // Of the cache.
  std::unique_ptr<symbols::Names> earlier_;
  std::vector<uint64_t> earlier_addresses_;         // ascending
  std::vector<uint32_t> earlier_first_;             // by address: its first frame; and their number behind the last
  std::vector<const Function*> earlier_functions_;  // null: not yet asked for

  std::deque<Function> functions_;
  std::unordered_map<std::string, const Function*> function_by_content_;
  std::unordered_map<const Function*, const Function*> function_by_source_;  // of the open file
  std::unordered_map<uint64_t, std::vector<SourceFrame>> frames_;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> ranges_;
  std::map<uint64_t, DataName> data_;
  std::map<uint64_t, std::string> criticals_;
  std::map<uint64_t, uint64_t> bodies_;
  std::map<uint64_t, uint32_t> lines_;
  std::map<uint64_t, bool> atomics_;
  std::map<uint64_t, std::vector<uint64_t>> uses_;
  std::map<std::tuple<uint64_t, std::string, uint32_t>, const Function*> parents_;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_KNOWN_NAMES_H_
