#include "profiler/model/known_names.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "proto/symbol_cache.pb.h"

namespace ompprof::model {
namespace {

// The last character is the version of the format, and of what the answers mean.
constexpr char kMagic[] = "OMPPSYM8";
constexpr size_t kMagicSize = sizeof kMagic - 1;
constexpr size_t kHeadSize = kMagicSize + sizeof(uint64_t);

// FNV-1a, 64 bits. A checksum against damage, not against malice: IsSound checks whatever is used as an index.
uint64_t Checksum(std::string_view bytes) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (const char byte : bytes) sum = (sum ^ static_cast<uint8_t>(byte)) * 0x100000001b3u;
  return sum;
}

std::string ContentOf(const Function& function) {
  std::string content;
  for (const std::string* text : {&function.name, &function.system_name, &function.file, &function.arguments}) {
    content += *text;
    content += '\0';
  }
  return content + std::to_string(function.line) + " " + std::to_string(function.entry);
}

template <class Column>
bool AllBelow(const Column& column, uint64_t limit) {
  return std::all_of(column.begin(), column.end(), [limit](uint64_t value) { return value < limit; });
}

// The answer that is known, or else the answer to `ask`.
template <class Key, class Answer, class Ask>
const Answer& Remembered(std::map<Key, Answer>* answers, const Key& key, Ask ask) {
  const auto known = answers->find(key);
  return known != answers->end() ? known->second : answers->emplace(key, ask()).first->second;
}

}  // namespace

// Makes a message of answers.
class KnownNames::Writer {
 public:
  Writer() { names_.add_text(""); }

  symbols::Names* names() { return &names_; }

  void AddAddress(uint64_t address, const std::vector<SourceFrame>& frames) {
    names_.add_address_delta(address - before_);
    names_.add_address_frames(static_cast<uint32_t>(frames.size()));
    before_ = address;
    for (const SourceFrame& frame : frames) {
      names_.add_frame_function(FunctionNumber(frame.function));
      names_.add_frame_file(Text(frame.file));
      names_.add_frame_line(frame.line);
    }
  }

  uint32_t FunctionNumber(const Function* function) {
    const auto number = static_cast<uint32_t>(names_.function_name_size());
    const auto [known, added] = functions_.emplace(function, number);
    if (added) {
      names_.add_function_name(Text(function->name));
      names_.add_function_system_name(Text(function->system_name));
      names_.add_function_file(Text(function->file));
      names_.add_function_line(function->line);
      names_.add_function_entry(function->entry);
      names_.add_function_arguments(Text(function->arguments));
    }
    return known->second;
  }

 private:
  uint32_t Text(const std::string& text) {
    if (text.empty()) return 0;
    const auto [known, added] = texts_.emplace(text, static_cast<uint32_t>(names_.text_size()));
    if (added) names_.add_text(text);
    return known->second;
  }

  symbols::Names names_;
  uint64_t before_ = 0;
  std::unordered_map<std::string, uint32_t> texts_;
  std::unordered_map<const Function*, uint32_t> functions_;
};

KnownNames::KnownNames(std::string path, std::string build_id)
    : path_(std::move(path)), build_id_(std::move(build_id)) {}

KnownNames::~KnownNames() = default;

Status KnownNames::Open() {
  Status status;
  tried_ = true;
  file_ = DebugFile::Open(path_, build_id_, &status);
  if (file_ != nullptr) has_lines_ = file_->has_lines();
  return status;
}

DebugFile* KnownNames::File() {
  news_ = true;
  return OpenedFile();
}

DebugFile* KnownNames::OpenedFile() { return tried_ || Open().ok() ? file_.get() : nullptr; }

bool KnownNames::IsWorthKeeping() const { return news_ && file_ != nullptr && !file_->needs_more_files(); }

const Function* KnownNames::Kept(const Function& function) {
  // Inlined functions without a place are told apart by nothing but the address of their Function.
  if (function.file.empty() && function.entry == 0) return &functions_.emplace_back(function);
  const auto [known, added] = function_by_content_.try_emplace(ContentOf(function), nullptr);
  if (added) {
    functions_.push_back(function);
    known->second = &functions_.back();
  }
  return known->second;
}

// The same function may have come from the cache before.
const Function* KnownNames::KeptOf(const Function* function) {
  const auto [known, added] = function_by_source_.try_emplace(function, nullptr);
  if (added) known->second = Kept(*function);
  return known->second;
}

const std::vector<SourceFrame>& KnownNames::Lookup(uint64_t address) {
  const auto [entry, added] = frames_.try_emplace(address);
  std::vector<SourceFrame>& frames = entry->second;
  if (!added || Earlier(address) != nullptr) return frames;
  if (DebugFile* file = File()) frames = file->Lookup(address);
  for (SourceFrame& frame : frames) frame.function = KeptOf(frame.function);
  return frames;
}

std::pair<uint64_t, uint64_t> KnownNames::LookupRange(uint64_t address) {
  return Remembered(&ranges_, address, [&] {
    DebugFile* file = File();
    return file == nullptr ? std::pair<uint64_t, uint64_t>() : file->LookupRange(address);
  });
}

DataName KnownNames::LookupData(uint64_t address) {
  return Remembered(&data_, address, [&] {
    DebugFile* file = File();
    return file == nullptr ? DataName() : file->LookupData(address);
  });
}

std::string KnownNames::LookupCritical(uint64_t call_end) {
  return Remembered(&criticals_, call_end, [&] {
    DebugFile* file = File();
    return file == nullptr ? std::string() : file->LookupCritical(call_end);
  });
}

uint64_t KnownNames::LookupBody(uint64_t call_end) {
  return Remembered(&bodies_, call_end, [&] {
    DebugFile* file = File();
    return file == nullptr ? 0 : file->LookupBody(call_end);
  });
}

std::vector<uint64_t> KnownNames::LookupUses(uint64_t entry) {
  return Remembered(&uses_, entry, [&] {
    DebugFile* file = File();
    return file == nullptr ? std::vector<uint64_t>() : file->LookupUses(entry);
  });
}

uint32_t KnownNames::LookupConstructLine(uint64_t call_end) {
  return Remembered(&lines_, call_end, [&] {
    DebugFile* file = File();
    return file == nullptr ? 0 : file->LookupConstructLine(call_end);
  });
}

bool KnownNames::LookupAtomic(uint64_t address) {
  return Remembered(&atomics_, address, [&] {
    DebugFile* file = File();
    return file != nullptr && file->LookupAtomic(address);
  });
}

const Function* KnownNames::LexicalParent(uint64_t address, const std::string& file, uint32_t line) {
  return Remembered(&parents_, {address, file, line}, [&]() -> const Function* {
    DebugFile* debug_file = File();
    const Function* parent = debug_file == nullptr ? nullptr : debug_file->LexicalParent(address, file, line);
    return parent == nullptr ? nullptr : KeptOf(parent);
  });
}

std::vector<std::string> KnownNames::CompilationFolders(const std::string& file) {
  if (file.empty() || file[0] == '/' || !has_lines_) return {};
  if (OpenedFile() == nullptr) return {};
  // The file knows the folders of those units whose addresses it was asked for.
  if (!reached_) {
    for (const auto& [address, frames] : frames_) file_->Lookup(address);
  }
  reached_ = true;
  return file_->CompilationFolders(file);
}

bool KnownNames::IsSound(const symbols::Names& names) const {
  const auto texts = static_cast<uint64_t>(names.text_size());
  const int functions = names.function_name_size();
  const int frames = names.frame_function_size();
  uint64_t all_frames = 0;
  for (const uint32_t count : names.address_frames()) all_frames += count;
  for (int i = 1; i < names.address_delta_size(); ++i) {
    if (names.address_delta(i) == 0) return false;
  }
  uint64_t address = 0;
  for (const uint64_t delta : names.address_delta()) {
    if (__builtin_add_overflow(address, delta, &address)) return false;
  }
  const auto is_parent = [functions](const symbols::Names::Parent& parent) {
    return parent.function() <= static_cast<uint32_t>(functions);
  };
  return names.function_system_name_size() == functions && names.function_file_size() == functions &&
         names.function_line_size() == functions && names.function_entry_size() == functions &&
         names.function_arguments_size() == functions && AllBelow(names.function_arguments(), texts) &&
         AllBelow(names.function_name(), texts) && AllBelow(names.function_system_name(), texts) &&
         AllBelow(names.function_file(), texts) && names.frame_file_size() == frames &&
         names.frame_line_size() == frames && AllBelow(names.frame_function(), static_cast<uint64_t>(functions)) &&
         AllBelow(names.frame_file(), texts) && names.address_frames_size() == names.address_delta_size() &&
         all_frames == static_cast<uint64_t>(frames) &&
         std::all_of(names.parents().begin(), names.parents().end(), is_parent);
}

bool KnownNames::Take(const std::string& bytes, const std::string& identity) {
  if (bytes.size() < kHeadSize || bytes.size() > INT32_MAX || bytes.compare(0, kMagicSize, kMagic) != 0) return false;
  uint64_t sum = 0;
  std::memcpy(&sum, &bytes[kMagicSize], sizeof sum);
  const std::string_view content = std::string_view(bytes).substr(kHeadSize);
  auto names = std::make_unique<symbols::Names>();
  if (sum != Checksum(content) || !names->ParseFromArray(content.data(), static_cast<int>(content.size())) ||
      names->identity() != identity || !IsSound(*names))
    return false;
  has_lines_ = names->has_lines();
  uint64_t address = 0;
  uint32_t frames = 0;
  for (int i = 0; i < names->address_delta_size(); ++i) {
    earlier_addresses_.push_back(address += names->address_delta(i));
    earlier_first_.push_back(frames);
    frames += names->address_frames(i);
  }
  earlier_first_.push_back(frames);
  earlier_functions_.assign(static_cast<size_t>(names->function_name_size()), nullptr);
  earlier_ = std::move(names);
  TakeSmall(*earlier_);
  return true;
}

void KnownNames::TakeSmall(const symbols::Names& names) {
  for (const auto& range : names.ranges()) ranges_[range.address()] = {range.low(), range.high()};
  for (const auto& variable : names.variables()) data_[variable.address()] = {variable.name(), variable.symbol()};
  for (const auto& call : names.criticals()) criticals_[call.call_end()] = call.name();
  for (const auto& call : names.bodies()) bodies_[call.call_end()] = call.value();
  for (const auto& call : names.lines()) lines_[call.call_end()] = static_cast<uint32_t>(call.value());
  for (const auto& call : names.atomics()) atomics_[call.call_end()] = call.value() != 0;
  for (const auto& uses : names.uses()) uses_[uses.entry()] = {uses.place().begin(), uses.place().end()};
  for (const auto& parent : names.parents()) {
    parents_[{parent.address(), parent.file(), parent.line()}] =
        parent.function() == 0 ? nullptr : EarlierFunction(parent.function() - 1);
  }
}

const Function* KnownNames::EarlierFunction(uint32_t index) {
  const Function*& function = earlier_functions_[index];
  if (function == nullptr) {
    const auto at = static_cast<int>(index);
    const auto text = [this](uint32_t number) { return earlier_->text(static_cast<int>(number)); };
    function = Kept({text(earlier_->function_name(at)), text(earlier_->function_system_name(at)),
                     text(earlier_->function_file(at)), earlier_->function_line(at), earlier_->function_entry(at),
                     text(earlier_->function_arguments(at))});
  }
  return function;
}

// The frames that the cache has for an address, now in frames_. Null: it has none.
const std::vector<SourceFrame>* KnownNames::Earlier(uint64_t address) {
  const auto found = std::lower_bound(earlier_addresses_.begin(), earlier_addresses_.end(), address);
  if (found == earlier_addresses_.end() || *found != address) return nullptr;
  const auto index = static_cast<size_t>(found - earlier_addresses_.begin());
  std::vector<SourceFrame>& frames = frames_[address];
  for (uint32_t i = earlier_first_[index]; i < earlier_first_[index + 1]; ++i) {
    const auto at = static_cast<int>(i);
    frames.push_back({EarlierFunction(earlier_->frame_function(at)),
                      earlier_->text(static_cast<int>(earlier_->frame_file(at))), earlier_->frame_line(at)});
  }
  return &frames;
}

std::string KnownNames::Written(const std::string& identity) const {
  Writer writer;
  symbols::Names& names = *writer.names();
  names.set_identity(identity);
  names.set_has_lines(has_lines_);
  std::vector<uint64_t> addresses;
  for (const auto& [address, frames] : frames_) addresses.push_back(address);
  std::sort(addresses.begin(), addresses.end());
  for (const uint64_t address : addresses) writer.AddAddress(address, frames_.at(address));
  for (const auto& [address, range] : ranges_) {
    symbols::Names::Range* written = names.add_ranges();
    written->set_address(address);
    written->set_low(range.first);
    written->set_high(range.second);
  }
  for (const auto& [address, data] : data_) {
    symbols::Names::Variable* written = names.add_variables();
    written->set_address(address);
    written->set_name(data.name);
    written->set_symbol(data.symbol);
  }
  const auto add_call = [](symbols::Names::Call* call, uint64_t call_end, uint64_t value, const std::string& name) {
    call->set_call_end(call_end);
    call->set_value(value);
    call->set_name(name);
  };
  for (const auto& [call_end, name] : criticals_) add_call(names.add_criticals(), call_end, 0, name);
  for (const auto& [call_end, entry] : bodies_) add_call(names.add_bodies(), call_end, entry, "");
  for (const auto& [call_end, line] : lines_) add_call(names.add_lines(), call_end, line, "");
  for (const auto& [address, atomic] : atomics_) add_call(names.add_atomics(), address, atomic ? 1 : 0, "");
  for (const auto& [entry, places] : uses_) {
    symbols::Names::Uses* written = names.add_uses();
    written->set_entry(entry);
    for (const uint64_t place : places) written->add_place(place);
  }
  for (const auto& [place, function] : parents_) {
    symbols::Names::Parent* parent = names.add_parents();
    parent->set_address(std::get<0>(place));
    parent->set_file(std::get<1>(place));
    parent->set_line(std::get<2>(place));
    if (function != nullptr) parent->set_function(writer.FunctionNumber(function) + 1);
  }
  const std::string content = names.SerializeAsString();
  const uint64_t sum = Checksum(content);
  return std::string(kMagic, kMagicSize) + std::string(reinterpret_cast<const char*>(&sum), sizeof sum) + content;
}

std::string KnownNames::Bytes(const std::string& identity, size_t most_bytes) {
  std::string asked = Written(identity);
  if (asked.size() > most_bytes) return asked;
  for (const uint64_t address : earlier_addresses_) {
    if (frames_.count(address) == 0) Earlier(address);
  }
  std::string all = Written(identity);
  return all.size() > most_bytes ? asked : all;
}

}  // namespace ompprof::model
