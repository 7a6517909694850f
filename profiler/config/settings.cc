#include "profiler/config/settings.h"

#include <string.h>

#include <type_traits>

#include "profiler/config/output_name.h"

namespace ompprof::config {
namespace {

constexpr SettingWord kClockWords[] = {
    {"cpu", ClockKind::kCpu, "each thread's CPU time"},
    {"wall", ClockKind::kWall, "wall time, which samples waiting threads too and interrupts their system calls"},
};
constexpr SettingWord kUnwindWords[] = {
    {"cfi", UnwindKind::kCfi, "unwind tables"},
    {"fp", UnwindKind::kFramePointer, "frame pointers"},
    {"libunwind", UnwindKind::kLibunwind, "the library libunwind, for comparison only: it can fault in the program"},
};
constexpr SettingWord kTaskContextWords[] = {
    {"site", TaskContext::kSite, "below the code that creates the task"},
    {"full", TaskContext::kFull, "below the whole call path of that code"},
    {"none", TaskContext::kNone, "where the task runs"},
};
constexpr SettingWord kWaitsWords[] = {
    {"on", true, "exact waits, blame, locks and advice"},
    {"off", false,
     "samples only, for programs with millions of locks or barriers. The runtime alone then says what a sampled thread "
     "waits for, and can be vague"},
};
constexpr SettingWord kGompShimWords[] = {
    {"auto", true, "loaded into every program"},
    {"off", false, "not loaded"},
};
constexpr SettingWord kOlderOmptWords[] = {
    {"auto", OlderOmpt::kAuto, "offered if a library of the program looks for them"},
    {"on", OlderOmpt::kOn, "offered to every program, for a runtime that the program loads later"},
    {"off", OlderOmpt::kOff, "not offered"},
};

template <auto kMember>
using MemberType = std::remove_reference_t<decltype(static_cast<Config*>(nullptr)->*kMember)>;

template <auto kMember>
constexpr SettingMember Number() {
  SettingMember member;
  member.get = [](const Config& config) { return static_cast<uint64_t>(config.*kMember); };
  member.set = [](Config* config, uint64_t value) { config->*kMember = static_cast<MemberType<kMember>>(value); };
  return member;
}

template <auto kMember>
constexpr SettingMember Characters() {
  SettingMember member;
  member.text = [](const Config& config) -> const char* { return config.*kMember; };
  member.set_text = [](Config* config, const char* text) { strcpy(config->*kMember, text); };
  member.capacity = sizeof(MemberType<kMember>);
  return member;
}

template <auto kMember>
constexpr SettingType Unsigned(double low, double high, const char* unit) {
  return {SettingKind::kUnsigned, Number<kMember>(), low, high, unit};
}

template <auto kMember>
constexpr SettingType Seconds(double low, double high) {
  return {SettingKind::kSeconds, Number<kMember>(), low, high};
}

template <auto kMember>
constexpr SettingType Permille(double low, double high, const char* unit, const char* zero) {
  return {SettingKind::kPermille, Number<kMember>(), low, high, unit, zero};
}

template <auto kMember>
constexpr SettingType Bytes(double low) {
  return {SettingKind::kBytes, Number<kMember>(), low};
}

template <auto kMember>
constexpr SettingType Flag() {
  static_assert(std::is_same_v<MemberType<kMember>, bool>);
  return {SettingKind::kFlag, Number<kMember>()};
}

template <auto kMember, size_t kCount>
constexpr SettingType Word(const SettingWord (&words)[kCount]) {
  SettingType type = {SettingKind::kWord, Number<kMember>()};
  type.words = words;
  return type;
}

template <auto kMember>
constexpr SettingType Text(const char* unset) {
  SettingType type = {SettingKind::kText, Characters<kMember>()};
  type.unset = unset;
  return type;
}

template <auto kMember>
constexpr SettingType Event(const char* unset) {
  SettingType type = {SettingKind::kEvent, Characters<kMember>()};
  type.unset = unset;
  return type;
}

template <auto kMember>
constexpr SettingType Events(const char* unset) {
  SettingType type = {SettingKind::kEvents, Characters<kMember>()};
  type.unset = unset;
  return type;
}

template <auto kMember>
constexpr SettingType Ranks(const char* unset) {
  SettingType type = {SettingKind::kRanks, Characters<kMember>()};
  type.unset = unset;
  return type;
}

template <auto kMember>
constexpr SettingType Signal(const char* unset) {
  SettingType type = {SettingKind::kSignal, Number<kMember>()};
  type.unset = unset;
  return type;
}

constexpr Setting kSettings[] = {
    {"OMPPROF_FREQUENCY", "-F,--frequency", "HZ", "Samples per second of each thread's CPU time",
     Unsigned<&Config::frequency>(1, 10000, "samples per second")},
    {"OMPPROF_OUTPUT", "-o,--output", "FILE",
     "File to write; %x, %h, %p and %r stand for program, host, process and rank. With more than 1,000 ranks, a name "
     "with %r is put into a folder for each 1,000: DIR/%r.ompprof becomes DIR/1/1017.ompprof",
     Text<&Config::output>(kUsualPattern)},
    {"OMPPROF_STAGE", "--stage", "DIR",
     "Folder on this node, such as /tmp, for the profile of a running program. At the program's end, the profile is "
     "copied to the name that -o gives",
     Text<&Config::stage>("none")},
    {"OMPPROF_RANKS", "--ranks", "LIST",
     "MPI ranks to record, as in 0,7,100-120; 1/64 is every 64th rank. The other ranks run without the profiler",
     Ranks<&Config::ranks>("all")},
    {"OMPPROF_CLOCK", "--clock", "CLOCK", "Clock that times the samples", Word<&Config::clock>(kClockWords)},
    {"OMPPROF_EVENT", "-e,--event", "EVENT", "Perf event, such as cycles, that times the samples instead of a clock",
     Event<&Config::event>("none")},
    {"OMPPROF_COUNT", "--count", "EVENTS",
     "Perf events, such as cycles,instructions,cache-misses, that are counted beside the samples: reports have each "
     "function's counts, and instructions per cycle. The clock times the samples",
     Events<&Config::count>("none")},
    {"OMPPROF_SIGNAL", "--signal", "SIGNAL", "Signal that takes the samples: a number, or a name such as RTMIN+3",
     Signal<&Config::signal>("PROF")},
    {"OMPPROF_UNWIND", "--unwind", "HOW", "What the walk of a stack follows", Word<&Config::unwind>(kUnwindWords)},
    {"OMPPROF_MAX_DEPTH", "--max-depth", "N", "Frames to keep of a deep stack",
     Unsigned<&Config::max_depth>(16, 16384, "frames")},
    {"OMPPROF_MAX_MEMORY", "--max-memory", "SIZE", "Most memory that the collector may use",
     Bytes<&Config::max_memory>(4 << 20)},
    {"OMPPROF_TASK_CONTEXT", "--task-context", "HOW", "Where reports show an explicit task",
     Word<&Config::task_context>(kTaskContextWords)},
    {"OMPPROF_DELAY", "--delay", "SECONDS", "Time from the program's start to the start of sampling",
     Seconds<&Config::delay_ns>(0, 1e6)},
    {"OMPPROF_PAUSED", "--paused", "", "Start paused; the program starts the sampling with omp_control_tool",
     Flag<&Config::paused>()},
    {"OMPPROF_CHILDREN", "--no-children", "", "Do not profile the processes that the program starts",
     Flag<&Config::children>()},
    {"OMPPROF_FLUSH_INTERVAL", "--flush-interval", "SECONDS", "Time between two writes to the profile",
     Seconds<&Config::flush_interval_ns>(0.01, 1e6)},
    {"OMPPROF_WAITS", "--waits", "HOW", "Record waits from OpenMP events", Word<&Config::waits>(kWaitsWords)},
    {"OMPPROF_MAX_OVERHEAD", "--max-overhead", "PERCENT",
     "CPU time that OpenMP events may cost, in percent of the program's. ompprof estimates the waits of events that "
     "would cost more, and the report names them",
     Permille<&Config::max_overhead_permille>(0.1, 100, "percent of the CPU time",
                                              "every wait is measured, whatever it costs")},
    {"OMPPROF_TIMELINE", "--timeline", "",
     "Keep the time of each sample, and the begin and end of each longer wait, for timelines",
     Flag<&Config::timeline>()},
    {"OMPPROF_GOMP_SHIM", "--gomp-shim", "HOW",
     "Shim libgomp_ompt.so, for regions, tasks and states of programs on GCC's libgomp",
     Word<&Config::gomp_shim>(kGompShimWords)},
    {"OMPPROF_OLDER_OMPT", "--older-ompt", "HOW",
     "Symbols ompt_tool and ompt_initialize, by which OpenMP runtimes before OpenMP 5.0 find a tool (LLVM 3.7 to 5)",
     Word<&Config::older_ompt>(kOlderOmptWords)},
};

constexpr OtherVariable kOtherVariables[] = {
    {"OMPPROF_FOLDER", "Folder in which the names of a run's profiles begin. `record` sets this variable to its own"},
    {"OMPPROF_LAST_LINE", "1: the program's end names the profile. `record` sets this variable"},
    {"OMPPROF_LIBRARY", "Path of the collector libompprof.so, instead of the installed file"},
    {"OMPPROF_MAIN_PID", "Process that `ompprof record` starts. `record` sets this variable"},
    {"OMPPROF_OPTIONS", "Variables that `record` set from its options, as A:B:C. `record` sets this variable"},
    {"OMPPROF_RUN", "Name of the run, for the headers of its profiles. `ompprof record` sets this variable"},
    {"OMPPROF_CACHE_SIZE", "Most bytes of the cache of names (256M), with K, M or G behind the number; 0: no cache"},
    {"OMPPROF_PAGER", "Command that shows reports longer than the screen. PAGER and `less -RFX` come next"},
};

const char* FindWord(Rows<SettingWord> words, uint64_t value) {
  for (const SettingWord& word : words) {
    if (word.value == value) return word.text;
  }
  return "";
}

}  // namespace

Rows<Setting> Settings() { return kSettings; }
Rows<OtherVariable> OtherVariables() { return kOtherVariables; }

const char* WordOf(ClockKind clock) { return FindWord(kClockWords, static_cast<uint64_t>(clock)); }
const char* WordOf(UnwindKind unwind) { return FindWord(kUnwindWords, static_cast<uint64_t>(unwind)); }
const char* WordOf(TaskContext context) { return FindWord(kTaskContextWords, static_cast<uint64_t>(context)); }

}  // namespace ompprof::config
