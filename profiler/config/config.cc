#include "profiler/config/config.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

namespace ompprof::config {
namespace {

constexpr uint64_t CacheConfig(uint64_t cache, uint64_t op, uint64_t result) { return cache | op << 8 | result << 16; }

constexpr PerfEvent kEvents[] = {
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 100},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 100},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 10000000},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 10000000},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 10000000},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 100000},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 10000},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1000000},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 10000},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 1000000},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1000000},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE,
     CacheConfig(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), 10000},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE,
     CacheConfig(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), 10000},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE,
     CacheConfig(PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), 10000},
};

struct Reader {
  char* error;
  size_t size;

  bool Fail(const char* name, const char* value, const char* accepted) {
    snprintf(error, size, "%s=%s: not valid; it takes %s", name, value, accepted);
    return false;
  }

  bool Unsigned(const char* name, uint64_t low, uint64_t high, const char* accepted, uint64_t* out) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    char* end;
    errno = 0;
    const unsigned long long parsed = strtoull(value, &end, 10);
    if (errno != 0 || *end != '\0' || value[0] < '0' || value[0] > '9' || parsed < low || parsed > high)
      return Fail(name, value, accepted);
    *out = parsed;
    return true;
  }

  bool Seconds(const char* name, double low, const char* accepted, uint64_t* out_ns) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    char* end;
    const double seconds = strtod(value, &end);
    if (*end != '\0' || end == value || !(seconds >= low && seconds <= 1e6)) return Fail(name, value, accepted);
    *out_ns = static_cast<uint64_t>(seconds * 1e9);
    return true;
  }

  // A percentage, in thousandths. What would round to 0 is refused: 0 is no small limit but none at all.
  bool Permille(const char* name, const char* accepted, uint32_t* out) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    char* end;
    const double percent = strtod(value, &end);
    const bool none = percent == 0;
    if (*end != '\0' || end == value || !(none || (percent >= 0.1 && percent <= 100)))
      return Fail(name, value, accepted);
    *out = static_cast<uint32_t>(percent * 10 + 0.5);
    return true;
  }

  bool Bytes(const char* name, uint64_t low, const char* accepted, uint64_t* out) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    char* end;
    errno = 0;
    const unsigned long long parsed = strtoull(value, &end, 10);
    if (errno != 0 || value[0] < '0' || value[0] > '9') return Fail(name, value, accepted);
    int shift = 0;
    switch (*end) {
      case 'k':
      case 'K':
        shift = 10;
        ++end;
        break;
      case 'm':
      case 'M':
        shift = 20;
        ++end;
        break;
      case 'g':
      case 'G':
        shift = 30;
        ++end;
        break;
    }
    if (*end != '\0' || parsed > (UINT64_MAX >> shift) || (parsed << shift) < low) return Fail(name, value, accepted);
    *out = parsed << shift;
    return true;
  }

  bool Flag(const char* name, bool* out) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    if (strcmp(value, "0") == 0)
      *out = false;
    else if (strcmp(value, "1") == 0)
      *out = true;
    else
      return Fail(name, value, "0 or 1");
    return true;
  }

  // Sets `out` to the index of the variable's value in `words` (`count` of them).
  bool Word(const char* name, const char* const* words, int count, const char* accepted, int* out) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    for (int i = 0; i < count; ++i) {
      if (strcmp(value, words[i]) == 0) {
        *out = i;
        return true;
      }
    }
    return Fail(name, value, accepted);
  }

  bool Text(const char* name, char* out, size_t capacity) {
    const char* value = getenv(name);
    if (value == nullptr) return true;
    if (strlen(value) >= capacity) return Fail(name, "(too long)", "a shorter value");
    strcpy(out, value);
    return true;
  }

  bool Event(const char* name, char* out, size_t capacity) {
    const char* value = getenv(name);
    if (value == nullptr || *value == '\0') return true;
    if (FindPerfEvent(value) != nullptr) return Text(name, out, capacity);
    char known[512] = "";
    for (const PerfEvent& event : kEvents) {
      if (known[0] != '\0') strcat(known, ", ");
      strcat(known, event.name);
    }
    return Fail(name, value, known);
  }

  bool Signal(const char* name, int* out) {
    const char* accepted = "PROF, USR1, USR2, ALRM, VTALRM, RTMIN+N, or a number of one of these";
    const char* value = getenv(name);
    *out = SIGPROF;
    if (value == nullptr || *value == '\0') return true;
    const char* text = strncasecmp(value, "SIG", 3) == 0 ? value + 3 : value;
    char* end;
    long number = -1;
    if (strncasecmp(text, "RTMIN", 5) == 0) {
      number = SIGRTMIN;
      if (text[5] == '+') {
        const long offset = strtol(text + 6, &end, 10);
        if (text[6] < '0' || text[6] > '9' || *end != '\0') return Fail(name, value, accepted);
        number += offset;
      } else if (text[5] != '\0') {
        return Fail(name, value, accepted);
      }
    } else if (text[0] >= '0' && text[0] <= '9') {
      number = strtol(text, &end, 10);
      if (*end != '\0') return Fail(name, value, accepted);
    } else {
      static const struct {
        const char* name;
        int number;
      } kNames[] = {{"PROF", SIGPROF}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"ALRM", SIGALRM}, {"VTALRM", SIGVTALRM}};
      for (const auto& known : kNames) {
        if (strcasecmp(text, known.name) == 0) number = known.number;
      }
    }
    const bool plain =
        number == SIGPROF || number == SIGUSR1 || number == SIGUSR2 || number == SIGALRM || number == SIGVTALRM;
    if (!plain && (number < SIGRTMIN || number > SIGRTMAX)) return Fail(name, value, accepted);
    *out = static_cast<int>(number);
    return true;
  }
};

}  // namespace

const PerfEvent* FindPerfEvent(const char* name) {
  for (const PerfEvent& event : kEvents) {
    if (strcmp(event.name, name) == 0) return &event;
  }
  return nullptr;
}

bool ReadConfig(Config* config, char* error, size_t size) {
  Reader read{error, size};
  uint64_t frequency = config->frequency;
  uint64_t max_depth = config->max_depth;
  int clock = 0;
  int unwind = 0;
  int task_context = 0;
  int waits = config->waits ? 0 : 1;
  int gomp_shim = config->gomp_shim ? 0 : 1;
  static const char* const kClocks[] = {"cpu", "wall"};
  static const char* const kUnwinders[] = {"cfi", "fp", "libunwind"};
  static const char* const kTaskContexts[] = {"site", "full", "none"};
  static const char* const kWaits[] = {"on", "off"};
  static const char* const kGompShims[] = {"auto", "off"};
  if (!read.Unsigned("OMPPROF_FREQUENCY", kMinFrequency, kMaxFrequency,
                     "a whole number of samples per second from 1 to 10000", &frequency) ||
      !read.Text("OMPPROF_OUTPUT", config->output, sizeof(config->output)) ||
      !read.Word("OMPPROF_CLOCK", kClocks, 2, "cpu or wall", &clock) ||
      !read.Event("OMPPROF_EVENT", config->event, sizeof(config->event)) ||
      !read.Signal("OMPPROF_SIGNAL", &config->signal) ||
      !read.Word("OMPPROF_UNWIND", kUnwinders, 3, "cfi, fp or libunwind", &unwind) ||
      !read.Unsigned("OMPPROF_MAX_DEPTH", 16, 16384, "a whole number of frames from 16 to 16384", &max_depth) ||
      !read.Bytes("OMPPROF_MAX_MEMORY", 4ull << 20, "bytes, with K, M or G behind the number, at least 4M",
                  &config->max_memory) ||
      !read.Word("OMPPROF_TASK_CONTEXT", kTaskContexts, 3, "site, full or none", &task_context) ||
      !read.Seconds("OMPPROF_DELAY", 0, "a number of seconds, 0 or more", &config->delay_ns) ||
      !read.Flag("OMPPROF_PAUSED", &config->paused) || !read.Flag("OMPPROF_CHILDREN", &config->children) ||
      !read.Seconds("OMPPROF_FLUSH_INTERVAL", 0.01, "a number of seconds, 0.01 or more", &config->flush_interval_ns) ||
      !read.Word("OMPPROF_WAITS", kWaits, 2, "on or off", &waits) ||
      !read.Permille("OMPPROF_MAX_OVERHEAD", "percent of the CPU time from 0.1 to 100, or 0: every wait is measured",
                     &config->max_overhead_permille) ||
      !read.Flag("OMPPROF_TIMELINE", &config->timeline) ||
      !read.Word("OMPPROF_GOMP_SHIM", kGompShims, 2, "auto or off", &gomp_shim)) {
    return false;
  }
  config->signal_chosen = getenv("OMPPROF_SIGNAL") != nullptr && *getenv("OMPPROF_SIGNAL") != '\0';
  if (config->event[0] != '\0' && getenv("OMPPROF_CLOCK") != nullptr && *getenv("OMPPROF_CLOCK") != '\0') {
    snprintf(error, size, "OMPPROF_EVENT=%s and OMPPROF_CLOCK=%s: give one of them, an event is a clock of its own",
             config->event, getenv("OMPPROF_CLOCK"));
    return false;
  }
  config->frequency = static_cast<uint32_t>(frequency);
  config->max_depth = static_cast<uint32_t>(max_depth);
  config->clock = static_cast<ClockKind>(clock);
  config->unwind = static_cast<UnwindKind>(unwind);
  config->task_context = static_cast<TaskContext>(task_context);
  config->waits = waits == 0;
  config->gomp_shim = gomp_shim == 0;
  return true;
}

}  // namespace ompprof::config
