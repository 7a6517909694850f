#include "profiler/model/symbolizer.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "profiler/model/code_map.h"
#include "profiler/model/known_names.h"
#include "profiler/model/own_modules.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/symbol_cache.h"

namespace ompprof::model {
namespace {

// Code in no object, that no file names: its process has generated it. Code that was generated together is a row of the
// reports, because a JIT compiler lays it out in pieces of this size or less.
std::string GeneratedName(uint64_t address) {
  constexpr uint64_t kTogether = 1 << 20;
  return "<generated code " + AddressName("", address / kTogether * kTogether) + ">";
}

bool IsWrittenAfter(const std::string& path, int64_t unix_ns) {
  struct stat info;
  if (unix_ns == 0 || stat(path.c_str(), &info) != 0) return false;
  return info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec > unix_ns;
}

}  // namespace

Symbolizer::Symbolizer(std::shared_ptr<SymbolCache> cache)
    : cache_(cache != nullptr ? std::move(cache) : std::make_shared<SymbolCache>()) {
  objects_.emplace_back();
}

Symbolizer::~Symbolizer() = default;

uint32_t Symbolizer::AddProcess(const ProcessProfile& process) {
  processes_.push_back({ModuleMap(process), AddGenerated(process), {}});
  const int64_t started = process.header.start_unix_ns();
  const int64_t ended = started == 0 ? 0 : started + static_cast<int64_t>(process.DurationNs());
  const std::set<uint32_t> own = OwnModules(process);
  for (const auto& [id, module] : process.modules) {
    const auto [entry, added] = object_by_name_.emplace(std::make_pair(module.path(), module.build_id()),
                                                        static_cast<uint32_t>(objects_.size()));
    processes_.back().objects[&module] = entry->second;
    if (added) objects_.emplace_back();
    Object& object = objects_[entry->second];
    if (ended != 0 && (object.used_until_unix_ns == 0 || ended < object.used_until_unix_ns))
      object.used_until_unix_ns = ended;
    if (!added) continue;
    object.path = module.path();
    object.build_id = module.build_id();
    object.load_bias = module.load_bias();
    object.segments.assign(module.segments().begin(), module.segments().end());
    object.openmp_runtime = module.openmp_runtime();
    object.profilers_own = own.count(id) != 0;
  }
  return static_cast<uint32_t>(processes_.size() - 1);
}

void Symbolizer::ForgetAddresses(uint32_t process) { processes_[process] = {}; }

std::vector<uint32_t> Symbolizer::AddGenerated(const ProcessProfile& process) {
  std::vector<uint32_t> objects;
  const auto add = [&](CodeMap map, const std::string& path, const std::string& malformed) {
    if (map.malformed() > 0) {
      warnings_.push_back(process.file + ": " + std::to_string(map.malformed()) + malformed +
                          ": code that the process generated may be without names");
    }
    if (map.empty()) return;
    objects.push_back(static_cast<uint32_t>(objects_.size()));
    Object& object = objects_.emplace_back();
    object.path = path;
    object.opened = true;
    object.code_map = std::make_shared<CodeMap>(std::move(map));
  };
  // A jitdump says more than a perf map: it has lines, and code that has moved.
  for (const auto& [number, dump] : process.code_dumps)
    add(CodeMap::OfJitDump(dump.content), dump.path, " records of " + dump.path + " are not those of a jitdump");
  if (!process.code_map.empty()) {
    const std::string path = "/tmp/perf-" + std::to_string(process.header.pid()) + ".map";
    add(CodeMap(process.code_map), path, " lines of " + path + " are not \"ADDRESS SIZE NAME\"");
  }
  return objects;
}

CodeAddress Symbolizer::Locate(uint32_t process, uint64_t address, bool return_address, uint32_t epoch) const {
  if (return_address && address > 0) --address;
  const Process& known = processes_[process];
  const Module* module = known.map.Find(address, epoch);
  if (module == nullptr) {
    for (const uint32_t object : known.generated) {
      if (objects_[object].code_map->Find(address) != nullptr) return {object, address};
    }
    return {0, address};
  }
  return {known.objects.at(module), address - module->load_bias()};
}

KnownNames* Symbolizer::Open(uint32_t number) {
  Object& object = objects_[number];
  if (number != 0 && !object.opened) {
    object.opened = true;
    Status status;
    object.file = cache_->Open(object.path, object.build_id, &status);
    object.has_lines = object.file != nullptr && object.file->has_lines();
    // Every machine has another vDSO, so a missing vDSO is no news for the user.
    if (!status.ok() && object.path != "[vdso]") warnings_.push_back(status.sentence());
    if (object.file != nullptr && !object.file->unread().empty()) warnings_.push_back(object.file->unread());
    // Compilers that do not come from a distribution ask the linker for no build id.
    if (object.file != nullptr && object.build_id.empty() && IsWrittenAfter(object.path, object.used_until_unix_ns)) {
      warnings_.push_back(object.path +
                          " has no build id and was written to after it was profiled: names and lines may be those of "
                          "another build");
    }
  }
  return object.file.get();
}

const std::vector<SourceFrame>& Symbolizer::Frames(CodeAddress place) {
  Object& object = objects_[place.object];
  if (KnownNames* file = Open(place.object)) {
    const std::vector<SourceFrame>& known = file->Lookup(place.address);
    if (!known.empty()) return known;
  }
  const auto [entry, added] = object.frames.try_emplace(place.address);
  std::vector<SourceFrame>& frames = entry->second;
  if (!added) return frames;
  if (object.code_map != nullptr) {
    frames.push_back(object.code_map->FrameAt(place.address));
    if (frames.back().function != nullptr) return frames;
    frames.clear();
  }
  nameless_.push_back(
      {place.object == 0 ? GeneratedName(place.address) : AddressName(object.path, place.address), "", "", 0, 0});
  frames.push_back({&nameless_.back(), "", 0});
  return frames;
}

std::pair<uint64_t, uint64_t> Symbolizer::Range(CodeAddress place) {
  KnownNames* file = Open(place.object);
  return file == nullptr ? std::pair<uint64_t, uint64_t>() : file->LookupRange(place.address);
}

DataName Symbolizer::Data(CodeAddress place) {
  KnownNames* file = Open(place.object);
  return file == nullptr ? DataName() : file->LookupData(place.address);
}

std::string Symbolizer::CriticalOf(CodeAddress place) {
  KnownNames* file = Open(place.object);
  return file == nullptr ? "" : file->LookupCritical(place.address + 1);
}

CodeAddress Symbolizer::BodyOf(CodeAddress place) {
  KnownNames* file = Open(place.object);
  const uint64_t entry = file == nullptr ? 0 : file->LookupBody(place.address + 1);
  return entry == 0 ? CodeAddress{} : CodeAddress{place.object, entry};
}

std::vector<CodeAddress> Symbolizer::UsesOf(CodeAddress entry) {
  std::vector<CodeAddress> uses;
  KnownNames* file = Open(entry.object);
  if (file == nullptr) return uses;
  for (const uint64_t place : file->LookupUses(entry.address)) uses.push_back({entry.object, place});
  return uses;
}

uint32_t Symbolizer::ConstructLineOf(CodeAddress place) {
  KnownNames* file = Open(place.object);
  return file == nullptr ? 0 : file->LookupConstructLine(place.address + 1);
}

bool Symbolizer::IsAtAtomic(CodeAddress place) {
  KnownNames* file = Open(place.object);
  return file != nullptr && file->LookupAtomic(place.address);
}

const Function* Symbolizer::LexicalParent(CodeAddress place, const std::string& file, uint32_t line) {
  KnownNames* debug_file = Open(place.object);
  return debug_file == nullptr ? nullptr : debug_file->LexicalParent(place.address, file, line);
}

std::vector<std::string> Symbolizer::CompilationFolders(const std::string& file) const {
  std::vector<std::string> folders;
  for (const Object& object : objects_) {
    if (object.file == nullptr) continue;
    for (std::string& folder : object.file->CompilationFolders(file)) {
      if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
    }
  }
  return folders;
}

}  // namespace ompprof::model
