#include "profiler/collect/write/facts/topology.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

// A file below the folder of devices.
class SystemFile {
 public:
  __attribute__((format(printf, 3, 4))) SystemFile(const char* root, const char* format, ...) {
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof(path), "%s/sys/devices/system/", root);
    if (length < 0 || static_cast<size_t>(length) >= sizeof(path)) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, sizeof(path) - static_cast<size_t>(length), format, arguments);
    va_end(arguments);
    text_[ReadWholeFile(path, text_, sizeof(text_) - 1)] = '\0';
  }
  const char* text() const { return text_; }
  bool exists() const { return text_[0] != '\0'; }

 private:
  char text_[4096] = {};
};

// The number of the first member; `none` if there is none.
uint16_t First(const ProcessorSet& set, uint16_t none) {
  for (uint32_t i = 0; i < ProcessorSet::kMost; ++i) {
    if (set.Has(i)) return static_cast<uint16_t>(i);
  }
  return none;
}

void ReadNodes(const char* root, Topology* topology) {
  const ProcessorSet nodes = ParseList(SystemFile(root, "node/online").text());
  for (uint32_t node = 0; node < ProcessorSet::kMost; ++node) {
    if (!nodes.Has(node)) continue;
    const ProcessorSet members = ParseList(SystemFile(root, "node/node%u/cpulist", node).text());
    for (uint32_t i = 0; i < topology->count; ++i) {
      if (members.Has(topology->processors[i].number)) topology->processors[i].node = static_cast<uint16_t>(node);
    }
  }
}

}  // namespace

ProcessorSet ParseList(const char* text) {
  ProcessorSet set{};
  for (const char* at = text; *at >= '0' && *at <= '9';) {
    char* end;
    const unsigned long first = strtoul(at, &end, 10);
    unsigned long last = first;
    if (*end == '-') last = strtoul(end + 1, &end, 10);
    for (unsigned long i = first; i <= last && i < ProcessorSet::kMost; ++i) set.words[i / 64] |= 1ull << i % 64;
    at = *end == ',' ? end + 1 : end;
  }
  return set;
}

void ReadTopology(const char* root, Topology* topology) {
  topology->count = 0;
  const ProcessorSet online = ParseList(SystemFile(root, "cpu/online").text());
  for (uint32_t i = 0; i < ProcessorSet::kMost; ++i) {
    if (!online.Has(i)) continue;
    const SystemFile package(root, "cpu/cpu%u/topology/physical_package_id", i);
    const SystemFile siblings(root, "cpu/cpu%u/topology/thread_siblings_list", i);
    if (!package.exists()) continue;
    // A machine that does not tell has -1.
    const int number = atoi(package.text());
    topology->processors[topology->count++] = {static_cast<uint16_t>(i), static_cast<uint16_t>(number < 0 ? 0 : number),
                                               First(ParseList(siblings.text()), static_cast<uint16_t>(i)), 0};
  }
  ReadNodes(root, topology);
}

}  // namespace ompprof::collect
