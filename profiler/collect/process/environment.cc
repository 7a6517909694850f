#include "profiler/collect/process/environment.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include <initializer_list>

#include "profiler/collect/base/os.h"
#include "profiler/collect/quirks/runtime_names.h"

namespace ompprof::collect {
namespace {

const char* own_file = "libompprof.so";

constexpr char kOlderOmpt[] = "libompprof_older_ompt.so";
constexpr char kOptions[] = "OMPPROF_OPTIONS=";
// What `record` adds for AddressSanitizer, before the user's own options.
constexpr char kAsan[] = "ASAN_OPTIONS=";
constexpr char kAnyLinkOrder[] = "verify_asan_link_order=0";

bool BeginsWith(const char* text, const char* beginning) { return strncmp(text, beginning, strlen(beginning)) == 0; }

// Whether the variable loads libraries into a process.
bool LoadsLibraries(const char* entry) {
  return BeginsWith(entry, "LD_PRELOAD=") || BeginsWith(entry, "OMP_TOOL_LIBRARIES=");
}

bool ListsLibraries(const char* entry) {
  return LoadsLibraries(entry) || BeginsWith(entry, "GOMP_OMPT_TOOL_LIBRARIES=");
}

bool IsNamed(const char* path, size_t size, const char* file) {
  size_t begin = size;
  while (begin > 0 && path[begin - 1] != '/') --begin;
  return size - begin == strlen(file) && memcmp(path + begin, file, size - begin) == 0;
}

bool IsOurs(const char* path, size_t size) {
  const char* slash = strrchr(own_file, '/');
  const char* own = slash != nullptr ? slash + 1 : own_file;
  return size != 0 && (IsInstalledShim(path, size) || IsNamed(path, size, own) || IsNamed(path, size, kOlderOmpt));
}

bool IsSeparator(char c) { return c == ':' || c == ' '; }

// The list of libraries at `*list`, one by one: a library, and the separators behind it.
struct Part {
  const char* begin;
  size_t size;
  size_t separators;
};
Part Next(const char** list) {
  Part part = {*list, 0, 0};
  while (part.begin[part.size] != '\0' && !IsSeparator(part.begin[part.size])) ++part.size;
  const char* behind = part.begin + part.size;
  while (IsSeparator(behind[part.separators])) ++part.separators;
  *list = behind + part.separators;
  return part;
}

// Copies `entry` without our libraries to `out`, each with a separator. False: nothing remains.
bool WithoutLibraries(const char* entry, char* out) {
  const char* list = strchr(entry, '=') + 1;
  memcpy(out, entry, static_cast<size_t>(list - entry));
  char* to = out + (list - entry);
  char* const begin = to;
  bool ends_with_ours = false;
  while (*list != '\0') {
    const Part part = Next(&list);
    const bool ours = IsOurs(part.begin, part.size);
    const size_t left_out = ours ? part.size + (part.separators != 0 ? 1 : 0) : 0;
    memcpy(to, part.begin + left_out, part.size + part.separators - left_out);
    to += part.size + part.separators - left_out;
    ends_with_ours = ours && part.separators == 0;
  }
  if (ends_with_ours && to != begin) --to;
  *to = '\0';
  return to != begin;
}

bool NamesOurs(const char* entry) { return ListNamesUs(strchr(entry, '=') + 1); }

// Whether the list of variables, with colons between them, has the entry's variable.
bool Lists(const char* variables, const char* entry) {
  const char* end = strchr(entry, '=');
  const size_t size = end != nullptr ? static_cast<size_t>(end - entry) : 0;
  for (const char* at = variables; size != 0 && *at != '\0';) {
    const size_t length = strcspn(at, ":");
    if (length == size && memcmp(at, entry, size) == 0) return true;
    at += length;
    if (*at == ':') ++at;
  }
  return false;
}

// An environment as `record` has made it, or with a preload by hand.
class Entries {
 public:
  explicit Entries(char* const* environment) {
    for (; environment != nullptr && *environment != nullptr; ++environment) {
      if (BeginsWith(*environment, kOptions)) options_ = *environment + strlen(kOptions);
      recorded_ = recorded_ || BeginsWith(*environment, "OMPPROF_RUN=");
    }
  }

  enum class Kind { kStays, kGoes, kChanges };
  Kind KindOf(const char* entry) const {
    if (ListsLibraries(entry)) return NamesOurs(entry) ? Kind::kChanges : Kind::kStays;
    if (!recorded_) return Kind::kStays;
    if (BeginsWith(entry, kAsan)) {
      const char* first = entry + strlen(kAsan);
      const bool changes = BeginsWith(first, kAnyLinkOrder) && strchr(":", first[strlen(kAnyLinkOrder)]) != nullptr;
      return changes ? Kind::kChanges : Kind::kStays;
    }
    for (const char* added : {"OMPPROF_RUN=", "OMPPROF_MAIN_PID=", "OMPPROF_FOLDER=", "OMPPROF_LAST_LINE=", kOptions}) {
      if (BeginsWith(entry, added)) return Kind::kGoes;
    }
    return Lists(options_, entry) ? Kind::kGoes : Kind::kStays;
  }

  // Writes an entry that changes to `out`, which has room for all of it. False: nothing remains.
  bool Change(const char* entry, char* out) const {
    if (ListsLibraries(entry)) return WithoutLibraries(entry, out);
    const char* rest = entry + strlen(kAsan) + strlen(kAnyLinkOrder);
    if (*rest == '\0') return false;
    strcpy(out, kAsan);
    strcpy(out + strlen(kAsan), rest + 1);
    return true;
  }

 private:
  const char* options_ = "";  // variables that `record` set from its options
  bool recorded_ = false;
};

}  // namespace

void RememberOwnFile() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&RememberOwnFile), &self) != 0 && self.dli_fname != nullptr)
    own_file = self.dli_fname;
}

const char* OwnFile() { return own_file; }

bool NamesUs(char* const* environment) {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (LoadsLibraries(*environment) && NamesOurs(*environment)) return true;
  }
  return false;
}

bool ListNamesUs(const char* list) {
  while (*list != '\0') {
    const Part part = Next(&list);
    if (IsOurs(part.begin, part.size)) return true;
  }
  return false;
}

size_t EnvironmentBytes(char* const* environment) {
  const Entries entries(environment);
  size_t count = 1;
  size_t bytes = 0;
  bool stays = true;
  for (; environment != nullptr && *environment != nullptr; ++environment, ++count) {
    const Entries::Kind kind = entries.KindOf(*environment);
    stays = stays && kind == Entries::Kind::kStays;
    if (kind == Entries::Kind::kChanges) bytes += strlen(*environment) + 1;
  }
  return stays ? 0 : count * sizeof(char*) + bytes;
}

char* const* EnvironmentWithoutUs(char* const* environment, void* memory) {
  if (EnvironmentBytes(environment) == 0) return environment;
  const Entries entries(environment);
  size_t count = 1;
  for (char* const* entry = environment; *entry != nullptr; ++entry) ++count;
  auto** out = static_cast<char**>(memory);
  auto* text = reinterpret_cast<char*>(out + count);
  char** to = out;
  for (char* const* from = environment; *from != nullptr; ++from) {
    const Entries::Kind kind = entries.KindOf(*from);
    if (kind == Entries::Kind::kStays) *to++ = *from;
    if (kind != Entries::Kind::kChanges || !entries.Change(*from, text)) continue;
    *to++ = text;
    text += strlen(text) + 1;
  }
  *to = nullptr;
  return out;
}

void LeaveEnvironment() {
  const Entries entries(__environ);
  char** to = __environ;
  for (char** from = __environ; from != nullptr && *from != nullptr; ++from) {
    char* entry = *from;
    const Entries::Kind kind = entries.KindOf(entry);
    if (kind == Entries::Kind::kGoes) continue;
    if (kind == Entries::Kind::kChanges) {
      auto* copy = static_cast<char*>(MapFixed(strlen(entry) + 1));
      if (copy != nullptr && !entries.Change(entry, copy)) continue;
      if (copy != nullptr) entry = copy;
    }
    *to++ = entry;
  }
  if (to != nullptr) *to = nullptr;
}

}  // namespace ompprof::collect
