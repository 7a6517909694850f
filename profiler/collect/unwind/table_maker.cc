#include "profiler/collect/unwind/table_maker.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include <algorithm>

#include "profiler/collect/base/file_reader.h"
#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/unwind/byte_reader.h"
#include "profiler/collect/unwind/fde_finder.h"
#include "profiler/collect/unwind/made_tables.h"
#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

struct Section {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// .eh_frame in memory, by the section headers of the object's file.
bool FindEhFrame(const MappedObject& object, Section* section) {
  constexpr char kName[] = ".eh_frame";
  const FileReader file(object.path);
  ElfW(Ehdr) elf;
  ElfW(Shdr) names;
  if (!file.Read(0, &elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_shentsize != sizeof(names) ||
      !file.Read(elf.e_shoff + elf.e_shstrndx * sizeof(names), &names))
    return false;
  for (uint32_t i = 0; i < elf.e_shnum; ++i) {
    ElfW(Shdr) header;
    char name[sizeof(kName)];
    if (!file.Read(elf.e_shoff + i * sizeof(header), &header)) return false;
    if ((header.sh_flags & SHF_ALLOC) == 0 || header.sh_type == SHT_NOBITS ||
        !file.Read(names.sh_offset + header.sh_name, &name) || memcmp(name, kName, sizeof(kName)) != 0)
      continue;
    section->begin = object.load_bias + header.sh_addr;
    section->end = section->begin + header.sh_size;
    return object.low <= section->begin && section->begin < section->end && section->end <= object.high;
  }
  return false;
}

// Calls `visit`(function, entry's address) for each entry in `copy`, a copy of the section.
template <class Visit>
void EachEntry(const uint8_t* copy, const Section& section, Visit visit) {
  const size_t size = section.end - section.begin;
  const auto begin = reinterpret_cast<uintptr_t>(copy);
  const uintptr_t shift = section.begin - begin;
  const Object object = {begin, begin + size, nullptr, /*permanent=*/true};
  for (ByteReader reader(copy, copy + size); !reader.at_end();) {
    const uintptr_t entry = reader.address();
    uint64_t length = reader.Fixed<uint32_t>();
    if (length == 0xffffffff) length = reader.Fixed<uint64_t>();
    Fde fde;
    if (length != 0 && ParseFde(object, entry, /*scratch=*/nullptr, &fde)) {
      if ((fde.pointer_encoding & 0xf0) == kEncodingPcRelative) fde.pc_begin += shift;
      visit(fde.pc_begin, entry + shift);
    }
    reader.Skip(length);
  }
}

uint32_t FillPairs(const MappedObject& object, const Section& section, const uint8_t* copy, FdePair* pairs,
                   size_t room) {
  uint32_t count = 0;
  EachEntry(copy, section, [&](uintptr_t begin, uintptr_t entry) {
    if (begin < object.low || begin >= object.high || begin - object.low > INT32_MAX ||
        entry - object.low > INT32_MAX || count == room)
      return;
    pairs[count++] = {static_cast<int32_t>(begin - object.low), static_cast<int32_t>(entry - object.low)};
  });
  std::sort(pairs, pairs + count, [](const FdePair& a, const FdePair& b) { return a.begin < b.begin; });
  return count;
}

bool MakeTable(const MappedObject& object, const Section& section, const link_map* map) {
  constexpr size_t kLeastEntry = 16;  // length, CIE and function, with pointers of 4 bytes
  const size_t size = section.end - section.begin;
  auto* const copy = static_cast<uint8_t*>(MapFixed(size));
  if (copy == nullptr) return false;
  TableSlot* const slot = SafeRead(section.begin, copy, size) ? FreeTableSlot(size / kLeastEntry + 1) : nullptr;
  if (slot != nullptr) {
    const uint32_t count = FillPairs(object, section, copy, slot->pairs, slot->room);
    slot->map = map;
    slot->count.store(count, kRelaxed);
    slot->high.store(object.high, kRelaxed);
    slot->entries_low.store(section.begin, kRelaxed);
    slot->entries_high.store(section.end, kRelaxed);
    slot->low.store(object.low, std::memory_order_release);
  }
  UnmapFixed(copy, size);
  return slot != nullptr;
}

}  // namespace

bool MakeTableIfNone(const MappedObject& mapped) {
  LoadedObject loaded;
  Object object;
  EntryScratch scratch;
  Section section;
  MadeTable made;
  if (!FindLoadedObject(mapped.low, &loaded) || !FindObject(mapped.low, &object) || HasSortedTable(object, &scratch))
    return false;
  // Of another object at this address, a table may be left.
  if (object.permanent && FindMadeTable(mapped.low, &made)) return false;
  ClearMadeTables(mapped.low, mapped.high);
  return FindEhFrame(mapped, &section) && MakeTable(mapped, section, loaded.map);
}

}  // namespace ompprof::collect
