#include "profiler/collect/write/facts/machine_facts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/base/start_affinity.h"

namespace ompprof::collect {
namespace {

// False if the file does not exist. `text` gets a terminating zero.
bool ReadText(const char* path, char* text, size_t size) {
  const size_t length = ReadWholeFile(path, text, size - 1);
  text[length] = '\0';
  return length != 0;
}

// The file's text: "max 100000", "150000 100000".
uint32_t QuotaOf(const char* folder) {
  char path[PATH_MAX + 32];
  char text[64];
  long long quota = -1;
  long long period = 0;
  snprintf(path, sizeof(path), "%s/cpu.max", folder);
  if (ReadText(path, text, sizeof(text))) {
    if (sscanf(text, "%lld %lld", &quota, &period) != 2) return 0;
  } else {
    snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", folder);
    if (!ReadText(path, text, sizeof(text))) return 0;
    quota = atoll(text);
    snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", folder);
    if (!ReadText(path, text, sizeof(text))) return 0;
    period = atoll(text);
  }
  return quota > 0 && period > 0 ? static_cast<uint32_t>(quota * 1000 / period) : 0;
}

uint32_t LesserLimit(uint32_t a, uint32_t b) { return a == 0 || (b != 0 && b < a) ? b : a; }

uint32_t QuotaOfThisProcess() {
  char text[4096];
  if (!ReadText("/proc/self/cgroup", text, sizeof(text))) return 0;
  uint32_t quota = 0;
  char* next = nullptr;
  for (char* line = strtok_r(text, "\n", &next); line != nullptr; line = strtok_r(nullptr, "\n", &next)) {
    // Examples: "0::/path", "4:cpu,cpuacct:/path"
    char* controllers = strchr(line, ':');
    char* group = controllers != nullptr ? strchr(controllers + 1, ':') : nullptr;
    if (group == nullptr) continue;
    *group++ = '\0';
    ++controllers;
    if (*controllers == '\0') {
      quota = LesserLimit(quota, CpuQuotaMilli("/sys/fs/cgroup", group));
    } else if (strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0 ||
               strstr(controllers, ",cpu,") != nullptr) {
      quota = LesserLimit(quota, CpuQuotaMilli("/sys/fs/cgroup/cpu", group));
    }
  }
  return quota;
}

}  // namespace

uint32_t CpuQuotaMilli(const char* root, const char* group) {
  char folder[PATH_MAX];
  const int length = snprintf(folder, sizeof(folder), "%s%s", root, group);
  if (length < 0 || static_cast<size_t>(length) >= sizeof(folder)) return 0;
  const size_t shortest = strlen(root);
  uint32_t quota = 0;
  for (;;) {
    quota = LesserLimit(quota, QuotaOf(folder));
    char* slash = strrchr(folder, '/');
    if (slash == nullptr || static_cast<size_t>(slash - folder) < shortest) return quota;
    *slash = '\0';
  }
}

MachineFacts ReadMachineFacts() {
  static MachineFacts facts{};
  static bool known = false;
  if (!known) {
    facts.cpu_quota_milli = QuotaOfThisProcess();
    known = true;
  }
  facts.may_use = ProcessorsAtStart();
  return facts;
}

uint64_t PeakResidentBytes() {
  char status[4096];
  status[ReadWholeFile("/proc/self/status", status, sizeof(status) - 1)] = '\0';
  const char* const peak = strstr(status, "\nVmHWM:");
  return peak == nullptr ? 0 : strtoull(peak + sizeof("\nVmHWM:") - 1, nullptr, 10) * 1024;
}

bool TunesOpenmp(const char* entry) {
  // `record` sets this variable.
  if (strncmp(entry, "GOMP_OMPT_TOOL_LIBRARIES=", 25) == 0) return false;
  return strncmp(entry, "OMP_", 4) == 0 || strncmp(entry, "KMP_", 4) == 0 || strncmp(entry, "GOMP_", 5) == 0;
}

}  // namespace ompprof::collect
