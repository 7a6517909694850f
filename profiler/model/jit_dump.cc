// Jitdumps; see code_map.h.
#include <algorithm>
#include <unordered_map>

#include "profiler/model/code_map.h"
#include "proto/jit_dump.h"

namespace ompprof::model {
namespace {

// perf makes an object file of each function, in which the code follows the ELF header. Some compilers (V8) add the
// header's size to the addresses of lines.
constexpr uint64_t kElfHeader = 64;

class JitDumpReader {
 public:
  explicit JitDumpReader(CodeMap* map) : map_(*map) {}

  void Read(std::string_view content) {
    if (content.size() < jit_dump::kHeaderBytes) return;
    const uint32_t magic = jit_dump::Read32(content.data(), false);
    swapped_ = magic == jit_dump::kSwappedMagic;
    const uint32_t header = jit_dump::Read32(content.data() + jit_dump::kHeaderLengthAt, swapped_);
    if ((magic != jit_dump::kMagic && !swapped_) || header < jit_dump::kHeaderBytes) return map_.CountMalformed();
    content.remove_prefix(std::min<size_t>(header, content.size()));
    while (content.size() >= jit_dump::kPrefixBytes) {
      const uint32_t length = jit_dump::Read32(content.data() + jit_dump::kLengthAt, swapped_);
      if (length < jit_dump::kPrefixBytes) return map_.CountMalformed();  // nothing can be found after it
      if (length > content.size()) {
        if (HasName(content)) Load(content);
        break;
      }
      if (!Record(content.substr(0, length))) map_.CountMalformed();
      content.remove_prefix(length);
    }
    if (smallest_offset_ != UINT64_MAX && smallest_offset_ >= kElfHeader) map_.ShiftLines(kElfHeader);
  }

 private:
  struct Loaded {
    std::string_view name;
    const CodeLines* lines;
  };

  bool Record(std::string_view record) {
    switch (jit_dump::Read32(record.data(), swapped_)) {
      case jit_dump::kCodeLoad:
        return Load(record);
      case jit_dump::kCodeMove:
        return Move(record);
      case jit_dump::kDebugInfo:
        return DebugInfo(record);
      default:
        return true;  // of no use here, or from a later version of the format
    }
  }

  // Whether the beginning of a record is that of a load record up to its name. The process was writing the record.
  bool HasName(std::string_view record) const {
    return jit_dump::Read32(record.data(), swapped_) == jit_dump::kCodeLoad &&
           record.find('\0', jit_dump::kLoadBytes) != std::string_view::npos;
  }

  bool Load(std::string_view record) {
    if (record.size() <= jit_dump::kLoadBytes) return false;
    std::string_view name = record.substr(jit_dump::kLoadBytes);
    const size_t end = name.find('\0');
    if (end == std::string_view::npos || end == 0) return false;
    name = name.substr(0, end);
    const uint64_t address = Number(record, jit_dump::kLoadAddressAt);
    Loaded loaded{name, nullptr};
    if (const auto lines = lines_of_next_.find(address); lines != lines_of_next_.end()) {
      loaded.lines = lines->second;
      lines_of_next_.erase(lines);
    }
    loaded_[Number(record, jit_dump::kLoadIndexAt)] = loaded;
    return map_.Add(address, Number(record, jit_dump::kLoadSizeAt), name, loaded.lines);
  }

  // The name stays at the old place as well: samples from before the move are there.
  bool Move(std::string_view record) {
    if (record.size() < jit_dump::kMoveBytes) return false;
    const auto loaded = loaded_.find(Number(record, jit_dump::kMoveIndexAt));
    return loaded != loaded_.end() &&
           map_.Add(Number(record, jit_dump::kMoveAddressAt), Number(record, jit_dump::kMoveSizeAt),
                    loaded->second.name, loaded->second.lines);
  }

  // The record comes before the load record of its function. Its last entry may be cut.
  bool DebugInfo(std::string_view record) {
    if (record.size() < jit_dump::kDebugInfoBytes) return false;
    const uint64_t address = Number(record, jit_dump::kDebugAddressAt);
    const uint64_t count = Number(record, jit_dump::kDebugCountAt);
    record.remove_prefix(jit_dump::kDebugInfoBytes);
    CodeLines* lines = map_.NewLines();
    const std::string* file = nullptr;
    for (uint64_t i = 0; i < count && record.size() > jit_dump::kDebugEntryBytes; ++i) {
      const size_t end = record.find('\0', jit_dump::kDebugEntryBytes);
      if (end == std::string_view::npos) break;
      const std::string_view name = record.substr(jit_dump::kDebugEntryBytes, end - jit_dump::kDebugEntryBytes);
      const bool same = name.size() == 1 && static_cast<uint8_t>(name[0]) == jit_dump::kSameFile;
      if (!same) file = map_.File(name);
      const uint64_t offset = Number(record, 0) - address;
      const uint32_t line = jit_dump::Read32(record.data() + jit_dump::kEntryLineAt, swapped_);
      if (file != nullptr && Number(record, 0) >= address) {
        lines->push_back({offset, file, line});
        smallest_offset_ = std::min(smallest_offset_, offset);
      }
      record.remove_prefix(end + 1);
    }
    std::stable_sort(lines->begin(), lines->end(),
                     [](const CodeLine& a, const CodeLine& b) { return a.offset < b.offset; });
    lines_of_next_[address] = lines;
    return true;
  }

  uint64_t Number(std::string_view record, size_t at) const { return jit_dump::Read64(record.data() + at, swapped_); }

  CodeMap& map_;
  bool swapped_ = false;
  uint64_t smallest_offset_ = UINT64_MAX;                         // of any line
  std::unordered_map<uint64_t, Loaded> loaded_;                   // by code index
  std::unordered_map<uint64_t, const CodeLines*> lines_of_next_;  // by address: of functions that are not loaded yet
};

}  // namespace

CodeMap CodeMap::OfJitDump(std::string_view content) {
  CodeMap map;
  JitDumpReader(&map).Read(content);
  return map;
}

}  // namespace ompprof::model
