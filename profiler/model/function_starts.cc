#include "profiler/model/function_starts.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>

namespace ompprof::model {
namespace {

// DW_EH_PE_*: a pointer to .eh_frame (4 bytes, relative to itself), a count (4 bytes), a table of pairs (4 bytes each,
// relative to the section).
constexpr uint8_t kHeader[] = {1, 0x1b, 0x03, 0x3b};
constexpr size_t kTable = 12;

}  // namespace

std::vector<uint64_t> ReadFunctionStarts(Elf* elf) {
  std::vector<uint64_t> starts;
  size_t segments = 0;
  if (elf_getphdrnum(elf, &segments) != 0) return starts;
  for (size_t i = 0; i < segments; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_GNU_EH_FRAME) continue;
    const Elf_Data* data =
        elf_getdata_rawchunk(elf, static_cast<int64_t>(segment.p_offset), segment.p_filesz, ELF_T_BYTE);
    if (data == nullptr || data->d_size < kTable || std::memcmp(data->d_buf, kHeader, sizeof kHeader) != 0) continue;
    const auto* bytes = static_cast<const char*>(data->d_buf);
    uint32_t count = 0;
    std::memcpy(&count, bytes + 8, sizeof count);
    count = static_cast<uint32_t>(std::min<size_t>(count, (data->d_size - kTable) / 8));
    starts.reserve(count);
    for (uint32_t entry = 0; entry < count; ++entry) {
      int32_t distance = 0;
      std::memcpy(&distance, bytes + kTable + size_t{entry} * 8, sizeof distance);
      starts.push_back(segment.p_vaddr + static_cast<uint64_t>(int64_t{distance}));
    }
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

}  // namespace ompprof::model
