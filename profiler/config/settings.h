// The table of settings: one row for each thing that a user can ask of the collector. libc only.
//
// Everything that names a setting is made from its row: how ReadConfig reads the variable, the option of
// `ompprof record` with its help, the manual page, the completions, the words in the log's header, and the table in
// README.md. A new setting is a row here and the member of Config that the row sets.
#ifndef OMPPROF_PROFILER_CONFIG_SETTINGS_H_
#define OMPPROF_PROFILER_CONFIG_SETTINGS_H_

#include <stddef.h>
#include <stdint.h>

#include "profiler/config/config.h"
#include "profiler/config/rows.h"

namespace ompprof::config {

// The form of a setting's value. SetValue reads each form.
enum class SettingKind : uint8_t {
  kUnsigned,  // a whole number
  kSeconds,   // Config keeps nanoseconds
  kPermille,  // the user's percent; Config keeps thousandths
  kBytes,     // a whole number, perhaps followed by K, M or G
  kFlag,      // 0 or 1; the option takes no value, and means the opposite of the default
  kWord,      // a word of `words`
  kText,
  kEvent,   // a name of PerfEvents()
  kEvents,  // one to kMostCountedEvents of these names, with commas between them
  kSignal,  // a signal's name or number
  kRanks,   // a list of MPI ranks (mpi_ranks.h)
};

// A word that a setting accepts. `value` is what the member of Config then has.
struct SettingWord {
  template <typename Value>
  constexpr SettingWord(const char* word, Value member_value, const char* meaning_text)
      : text(word), value(static_cast<uint64_t>(member_value)), meaning(meaning_text) {}

  const char* text;
  uint64_t value;
  const char* meaning;
};

// The member of Config that a row sets. Text members have `text` and `set_text`; all others have `get` and `set`.
struct SettingMember {
  uint64_t (*get)(const Config& config) = nullptr;
  void (*set)(Config* config, uint64_t value) = nullptr;
  const char* (*text)(const Config& config) = nullptr;
  void (*set_text)(Config* config, const char* text) = nullptr;
  size_t capacity = 0;  // of a text, with its terminating zero
};

struct SettingType {
  SettingKind kind = SettingKind::kText;
  SettingMember member = {};
  double low = 0;              // in the user's unit, as `high`
  double high = 0;             // 0: no limit
  const char* unit = nullptr;  // kUnsigned, kPermille: what the number counts
  const char* zero = nullptr;  // kPermille: the meaning of 0, which is then accepted below `low`
  Rows<SettingWord> words = {};
  const char* unset = "";  // the default for people, where Config's initial value is none: an empty text, signal 0
};

struct Setting {
  const char* variable;     // "OMPPROF_MAX_DEPTH"
  const char* option;       // the option's names, as CLI11 takes them: "-F,--frequency"
  const char* placeholder;  // what stands for the option's value in help; empty for a kFlag
  const char* help;         // a sentence without its full stop
  SettingType type;
};

// A variable that `ompprof` or the collector reads and that is no option's.
struct OtherVariable {
  const char* name;
  const char* help;  // a sentence without its full stop
};

// In the order of `ompprof record --help`.
Rows<Setting> Settings();
Rows<OtherVariable> OtherVariables();

// The word for a value, as the variable accepts it and the log's header has it.
const char* WordOf(ClockKind clock);
const char* WordOf(UnwindKind unwind);
const char* WordOf(TaskContext context);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_SETTINGS_H_
