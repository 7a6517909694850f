#include "profiler/collect/write/facts/processor_load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/base/start_affinity.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kBetweenReadingsNs = 10'000'000'000;
constexpr size_t kMaxText = 256 << 10;  // about 2,000 processors; their lines come first in the file
constexpr int kFields = 8;              // user, nice, system, idle, iowait, irq, softirq, steal

char text[kMaxText];

// The numbers of a line "cpu7 3 0 1 ...". Older kernels have fewer fields: the others stay 0.
void ReadFields(const char* at, uint64_t fields[kFields]) {
  for (int i = 0; i < kFields && *at == ' '; ++i) {
    char* end;
    fields[i] = strtoull(at, &end, 10);
    at = end;
  }
}

bool ReadTimes(const ProcessorSet& processors, ProcessorTimes* times) {
  text[ReadWholeFile("/proc/stat", text, sizeof(text) - 1)] = '\0';
  return ParseProcStat(text, processors, times);
}

}  // namespace

bool ParseProcStat(const char* stat, const ProcessorSet& processors, ProcessorTimes* times) {
  *times = {};
  const uint64_t tick_ns = 1'000'000'000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  uint32_t found = 0;
  for (const char* line = stat; line != nullptr && strncmp(line, "cpu", 3) == 0;) {
    const char* const next = strchr(line, '\n');
    if (line[3] >= '0' && line[3] <= '9' && next != nullptr) {
      char* after;
      const unsigned long cpu = strtoul(line + 3, &after, 10);
      ++times->online;
      if (cpu < ProcessorSet::kMost && processors.Has(static_cast<uint32_t>(cpu))) {
        uint64_t fields[kFields] = {};
        ReadFields(after, fields);
        times->busy_ns += (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) * tick_ns;
        times->stolen_ns += fields[7] * tick_ns;
        ++found;
      }
    }
    line = next != nullptr ? next + 1 : nullptr;
  }
  return found > 0 && found == processors.size() && times->busy_ns > 0;
}

void ProcessorLoad::Begin() {
  read_at_ns_ = 0;
  processors_ = ProcessorsAtStart();
  if (!ReadTimes(processors_, &begin_)) return;
  begin_process_cpu_ns_ = ClockNs(CLOCK_PROCESS_CPUTIME_ID);
  read_at_ns_ = MonotonicNs();
}

bool ProcessorLoad::Read(bool last, Reading* reading) {
  if (read_at_ns_ == 0) return false;
  const uint64_t now = MonotonicNs();
  if (!last && now - read_at_ns_ < kBetweenReadingsNs) return false;
  ProcessorTimes times;
  if (!ReadTimes(processors_, &times)) return false;
  read_at_ns_ = now;
  const auto since = [](uint64_t end, uint64_t begin) { return end > begin ? end - begin : 0; };
  *reading = {now,
              since(ClockNs(CLOCK_PROCESS_CPUTIME_ID), begin_process_cpu_ns_),
              {since(times.busy_ns, begin_.busy_ns), since(times.stolen_ns, begin_.stolen_ns), times.online}};
  return true;
}

}  // namespace ompprof::collect
