#include "profiler/config/setting_value.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "profiler/config/mpi_ranks.h"
#include "profiler/config/perf_events.h"

namespace ompprof::config {
namespace {

constexpr struct {
  const char* name;
  int number;
} kSignals[] = {{"PROF", SIGPROF}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"ALRM", SIGALRM}, {"VTALRM", SIGVTALRM}};
constexpr char kFirstRealTime[] = "RTMIN";

constexpr struct {
  char letter;  // small or capital
  int shift;
} kByteUnits[] = {{'G', 30}, {'M', 20}, {'K', 10}};

// Text of a fixed capacity. What does not fit is cut.
class Writer {
 public:
  Writer(char* out, size_t size) : out_(out), size_(size) {
    if (size_ > 0) *out_ = '\0';
  }

  [[gnu::format(printf, 2, 3)]] void Add(const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int wanted = vsnprintf(out_, size_, format, list);
    va_end(list);
    const size_t written = wanted < 0 || size_ == 0 ? 0 : static_cast<size_t>(wanted) < size_ ? wanted : size_ - 1;
    out_ += written;
    size_ -= written;
  }

  void AddBytes(uint64_t bytes) {
    for (const auto& unit : kByteUnits) {
      const uint64_t whole = bytes >> unit.shift;
      if (whole != 0 && whole << unit.shift == bytes)
        return Add("%llu%c", static_cast<unsigned long long>(whole), unit.letter);
    }
    Add("%llu", static_cast<unsigned long long>(bytes));
  }

  // Member `index` of a list of `count`: "a, b or c".
  void AddToList(size_t index, size_t count, const char* text) {
    Add("%s%s", index == 0 ? "" : index + 1 < count ? ", " : " or ", text);
  }

 private:
  char* out_;
  size_t size_;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsWithin(const SettingType& type, double value) {
  return value >= type.low && (type.high == 0 || value <= type.high);
}

// The whole number at the beginning of `text`.
bool ParseWhole(const char* text, const char** end, uint64_t* number) {
  char* after;
  errno = 0;
  *number = strtoull(text, &after, 10);
  *end = after;
  return errno == 0 && IsDigit(*text);
}

// False if `text` is no number, or has more behind the number.
bool ParseDecimal(const char* text, double* number) {
  char* end;
  *number = strtod(text, &end);
  return *end == '\0' && end != text;
}

bool ParseUnsigned(const SettingType& type, const char* text, uint64_t* value) {
  const char* end;
  return ParseWhole(text, &end, value) && *end == '\0' && IsWithin(type, static_cast<double>(*value));
}

bool ParseSeconds(const SettingType& type, const char* text, uint64_t* ns) {
  double seconds;
  if (!ParseDecimal(text, &seconds) || !IsWithin(type, seconds)) return false;
  *ns = static_cast<uint64_t>(seconds * 1e9);
  return true;
}

// Values that would round to 0 are refused: 0 is no small limit, but no limit.
bool ParsePermille(const SettingType& type, const char* text, uint64_t* permille) {
  double percent;
  if (!ParseDecimal(text, &percent)) return false;
  if (!IsWithin(type, percent) && !(percent == 0 && type.zero != nullptr)) return false;
  *permille = static_cast<uint64_t>(percent * 10 + 0.5);
  return true;
}

bool ParseBytes(const SettingType& type, const char* text, uint64_t* bytes) {
  const char* end;
  if (!ParseWhole(text, &end, bytes)) return false;
  int shift = 0;
  for (const auto& unit : kByteUnits) {
    if ((*end & ~0x20) == unit.letter) shift = unit.shift;
  }
  if (shift != 0) ++end;
  if (*end != '\0' || *bytes > UINT64_MAX >> shift) return false;
  *bytes <<= shift;
  return IsWithin(type, static_cast<double>(*bytes));
}

bool ParseFlag(const char* text, uint64_t* value) {
  *value = *text == '1' ? 1 : 0;
  return strcmp(text, "0") == 0 || strcmp(text, "1") == 0;
}

bool ParseWord(const SettingType& type, const char* text, uint64_t* value) {
  for (const SettingWord& word : type.words) {
    if (strcmp(text, word.text) != 0) continue;
    *value = word.value;
    return true;
  }
  return false;
}

// RTMIN, RTMIN+3.
bool ParseRealTimeSignal(const char* text, long* number) {
  const char* behind = text + strlen(kFirstRealTime);
  *number = SIGRTMIN;
  if (*behind == '\0') return true;
  if (*behind != '+' || !IsDigit(behind[1])) return false;
  char* end;
  const long offset = strtol(behind + 1, &end, 10);
  if (*end != '\0' || offset > SIGRTMAX - SIGRTMIN) return false;
  *number += offset;
  return true;
}

bool ParseSignal(const char* text, uint64_t* value) {
  if (strncasecmp(text, "SIG", 3) == 0) text += 3;
  long number = -1;
  if (strncasecmp(text, kFirstRealTime, strlen(kFirstRealTime)) == 0) {
    if (!ParseRealTimeSignal(text, &number)) return false;
  } else if (IsDigit(*text)) {
    char* end;
    number = strtol(text, &end, 10);
    if (*end != '\0') return false;
  }
  bool accepted = number >= SIGRTMIN && number <= SIGRTMAX;
  for (const auto& known : kSignals) {
    if (number == -1 && strcasecmp(text, known.name) == 0) number = known.number;
    accepted = accepted || number == known.number;
  }
  *value = static_cast<uint64_t>(number);
  return accepted;
}

bool ParseNumber(const SettingType& type, const char* text, uint64_t* value) {
  switch (type.kind) {
    case SettingKind::kUnsigned:
      return ParseUnsigned(type, text, value);
    case SettingKind::kSeconds:
      return ParseSeconds(type, text, value);
    case SettingKind::kPermille:
      return ParsePermille(type, text, value);
    case SettingKind::kBytes:
      return ParseBytes(type, text, value);
    case SettingKind::kFlag:
      return ParseFlag(text, value);
    case SettingKind::kWord:
      return ParseWord(type, text, value);
    case SettingKind::kSignal:
      return ParseSignal(text, value);
    case SettingKind::kText:
    case SettingKind::kEvent:
    case SettingKind::kEvents:
    case SettingKind::kRanks:
      break;
  }
  return false;
}

void WriteSignal(int number, Writer* out) {
  for (const auto& known : kSignals) {
    if (number == known.number) return out->Add("%s", known.name);
  }
  out->Add("%s+%d", kFirstRealTime, number - SIGRTMIN);
}

void WriteWord(const SettingType& type, uint64_t value, Writer* out) {
  for (const SettingWord& word : type.words) {
    if (word.value == value) out->Add("%s", word.text);
  }
}

void WriteNumber(const SettingType& type, uint64_t value, Writer* out) {
  switch (type.kind) {
    case SettingKind::kUnsigned:
    case SettingKind::kFlag:
      return out->Add("%llu", static_cast<unsigned long long>(value));
    case SettingKind::kSeconds:
      return out->Add("%.15g", static_cast<double>(value) / 1e9);
    case SettingKind::kPermille:
      return out->Add("%.15g", static_cast<double>(value) / 10);
    case SettingKind::kBytes:
      return out->AddBytes(value);
    case SettingKind::kWord:
      return WriteWord(type, value, out);
    case SettingKind::kSignal:
      return value == 0 ? out->Add("%s", type.unset) : WriteSignal(static_cast<int>(value), out);
    case SettingKind::kText:
    case SettingKind::kEvent:
    case SettingKind::kEvents:
    case SettingKind::kRanks:
      break;
  }
}

void WriteSignals(Writer* out) {
  for (const auto& known : kSignals) out->Add("%s, ", known.name);
  out->Add("%s+N, or the number of such a signal", kFirstRealTime);
}

}  // namespace

bool SetValue(const Setting& setting, const char* text, Config* config) {
  const SettingType& type = setting.type;
  if (type.member.set_text != nullptr) {
    if (strlen(text) >= type.member.capacity) return false;
    if (type.kind == SettingKind::kEvent && FindPerfEvent(text) == nullptr) return false;
    EventList list;
    if (type.kind == SettingKind::kEvents && !ParseEvents(text, &list)) return false;
    if (type.kind == SettingKind::kRanks && !IsRankList(text)) return false;
    type.member.set_text(config, text);
    return true;
  }
  uint64_t value;
  if (!ParseNumber(type, text, &value)) return false;
  type.member.set(config, value);
  return true;
}

void LimitsText(const Setting& setting, char* out, size_t size) {
  const SettingType& type = setting.type;
  Writer writer(out, size);
  if (type.kind == SettingKind::kBytes)
    writer.AddBytes(static_cast<uint64_t>(type.low));
  else if (type.low != 0 || type.high != 0)
    writer.Add("%.15g", type.low);
  if (type.high != 0)
    writer.Add(" to %.15g", type.high);
  else if (type.low != 0)
    writer.Add(" or more");
  if (type.zero != nullptr) writer.Add(", or 0: %s", type.zero);
}

void AcceptedText(const Setting& setting, char* out, size_t size) {
  const SettingType& type = setting.type;
  char limits[128];
  LimitsText(setting, limits, sizeof limits);
  Writer writer(out, size);
  size_t index = 0;
  switch (type.kind) {
    case SettingKind::kUnsigned:
      return writer.Add("a whole number of %s from %s", type.unit, limits);
    case SettingKind::kSeconds:
      return writer.Add("a number of seconds from %s", limits);
    case SettingKind::kPermille:
      return writer.Add("%s from %s", type.unit, limits);
    case SettingKind::kBytes:
      return writer.Add("bytes, with K, M or G behind the number, %s", limits);
    case SettingKind::kFlag:
      return writer.Add("0 or 1");
    case SettingKind::kText:
      return writer.Add("at most %zu bytes", type.member.capacity - 1);
    case SettingKind::kSignal:
      return WriteSignals(&writer);
    case SettingKind::kRanks:
      return writer.Add("ranks and ranges with commas between them, as in 0,7,100-120, or 1/N");
    case SettingKind::kWord:
      for (const SettingWord& word : type.words) writer.AddToList(index++, type.words.size(), word.text);
      return;
    case SettingKind::kEvents:
      return writer.Add("one to %u events of --event, each once, with commas between them", kMostCountedEvents);
    case SettingKind::kEvent:
      for (const PerfEvent& event : PerfEvents()) writer.AddToList(index++, PerfEvents().size(), event.name);
      return;
  }
}

void ValueText(const Setting& setting, const Config& config, char* out, size_t size) {
  const SettingType& type = setting.type;
  Writer writer(out, size);
  if (type.member.text == nullptr) return WriteNumber(type, type.member.get(config), &writer);
  const char* text = type.member.text(config);
  writer.Add("%s", *text != '\0' ? text : type.unset);
}

}  // namespace ompprof::config
