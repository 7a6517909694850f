// Hostile jitdumps, through the collector's copy and the reader. Every name that the reader finds in the whole file, it
// finds in the copy without code. The input is a jitdump.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/collect/write/generated/jit_dump.h"
#include "profiler/model/code_map.h"

namespace {

// As JitDump::ReadMore does it.
std::string CopyOf(const uint8_t* data, size_t size, size_t room) {
  std::string copy;
  bool swapped = false;
  for (uint64_t offset = 0; offset < size;) {
    const size_t got = std::min<uint64_t>(room, size - offset);
    std::vector<uint8_t> text(data + offset, data + offset + got);
    const auto done = ompprof::collect::CompactJitDump(text.data(), got, room, offset == 0, &swapped);
    if (done.kept > got) __builtin_trap();
    copy.append(reinterpret_cast<const char*>(text.data()), done.kept);
    offset += done.taken;
    if (done.damaged || done.taken == 0) break;
  }
  return copy;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using ompprof::model::CodeMap;
  const CodeMap map = CodeMap::OfJitDump({reinterpret_cast<const char*>(data), size});
  const std::string text = CopyOf(data, size, ompprof::collect::JitDump::kLeastRoom);
  const CodeMap copy = CodeMap::OfJitDump(text);
  for (uint64_t address = 0; address < 0x4000; address += 16) {
    const auto frame = map.FrameAt(address);
    const auto copied = copy.FrameAt(address);
    if (frame.function == nullptr || size > 2000) continue;  // longer names and lines are cut
    if (copied.function == nullptr || copied.function->name != frame.function->name || copied.line != frame.line)
      __builtin_trap();
  }
  return 0;
}
