#include "profiler/collect/unwind/fde_finder.h"

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/byte_reader.h"
#include "profiler/collect/unwind/made_tables.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

const uint8_t* Pointer(uintptr_t address) { return reinterpret_cast<const uint8_t*>(address); }

// Reads like SafeReadSome, and counts the system calls.
size_t ReadSome(uintptr_t address, uint8_t* destination, size_t size, EntryScratch* scratch) {
  const size_t read = SafeReadSome(address, destination, size);
  scratch->reads += read == size ? 1 : 2;
  return read;
}

// Opens the entry (CIE or FDE) at `address`, without its length field. If the object may be unloaded, the entry is read
// into `copy`, a part of `scratch`. False if the entry is empty or leaves the object.
bool OpenEntry(const Object& object, uintptr_t address, uint8_t* copy, size_t copy_size, EntryScratch* scratch,
               EntryBytes* entry) {
  if (address < object.start || address >= object.end) return false;
  const size_t in_object = object.end - address;
  const uint8_t* begin = Pointer(address);
  size_t here = in_object;
  if (!object.permanent) {
    here = ReadSome(address, copy, in_object < copy_size ? in_object : copy_size, scratch);
    begin = copy;
  }
  ByteReader reader(begin, begin + here);
  uint64_t length = reader.Fixed<uint32_t>();
  if (length == 0xffffffff) length = reader.Fixed<uint64_t>();
  const auto head = static_cast<size_t>(reader.at() - begin);
  if (!reader.ok() || length == 0 || length > in_object - head) return false;
  const uint64_t copied = length > reader.remaining() ? reader.remaining() : length;
  *entry = {reader.at(), reader.at() + copied, address - reinterpret_cast<uintptr_t>(begin), length - copied,
            object.permanent ? nullptr : scratch};
  return true;
}

ByteReader ReaderOf(const EntryBytes& entry) { return ByteReader(entry.begin, entry.end, entry.shift); }

// Reads the data of a CIE's augmentation string ("zPLR", behind the z; LSB 5.0 Core, section 10.6.1.1.1). False:
// unknown data of unknown length.
bool ParseAugmentation(const uint8_t* letters, ByteReader data, Fde* fde) {
  for (const uint8_t* letter = letters; *letter != 0; ++letter) {
    switch (*letter) {
      case 'R':
        fde->pointer_encoding = data.U8();
        break;
      case 'L':
        data.Skip(1);
        break;
      case 'S':
        fde->signal_frame = true;
        break;
      case 'P': {
        // Of the personality routine, only the size matters here. An indirect pointer is as long as a direct pointer.
        const uint8_t encoding = data.U8();
        if (encoding != kEncodingOmit) data.Encoded(encoding & 0x7f, 0);
        break;
      }
      default:
        return false;
    }
  }
  return data.ok();
}

// Sets the fields of `fde` that come from the CIE. *has_augmentation_data: the CIE's entries have augmentation data.
bool ParseCie(const Object& object, uintptr_t address, EntryScratch* scratch, Fde* fde, bool* has_augmentation_data) {
  uint8_t* const copy = scratch != nullptr ? scratch->cie : nullptr;
  if (!OpenEntry(object, address, copy, sizeof(scratch->cie), scratch, &fde->cie) || fde->cie.missing != 0) {
    return false;
  }
  ByteReader reader = ReaderOf(fde->cie);
  if (reader.Fixed<uint32_t>() != 0) return false;  // a CIE's id is 0
  const uint8_t version = reader.U8();
  if (version != 1 && version != 3 && version != 4) return false;

  const uint8_t* augmentation = reader.at();
  // Bytes without an end within this length are not a string.
  constexpr unsigned kMostLetters = 16;
  for (unsigned letters = 0; reader.ok() && reader.U8() != 0; ++letters) {
    if (letters == kMostLetters) return false;
  }
  if (version == 4) {
    const uint8_t address_size = reader.U8();
    const uint8_t segment_size = reader.U8();
    if (address_size != sizeof(uintptr_t) || segment_size != 0) return false;
  }
  fde->code_alignment = reader.Uleb();
  fde->data_alignment = reader.Sleb();
  const uint64_t return_column = version == 1 ? reader.U8() : reader.Uleb();
  if (!reader.ok() || return_column != arch::kReturnAddress) return false;

  fde->pointer_encoding = 0;
  fde->signal_frame = false;
  *has_augmentation_data = *augmentation == 'z';
  if (*has_augmentation_data) {
    const uint64_t size = reader.Uleb();
    if (size > reader.remaining()) return false;
    const ByteReader data(reader.at(), reader.at() + size, reader.shift());
    reader.Skip(size);
    if (!ParseAugmentation(augmentation + 1, data, fde)) return false;
  } else if (*augmentation != 0) {
    return false;  // "eh" of gcc 2, or unknown data of unknown length
  }
  fde->initial_program = reader.at();
  return reader.ok();
}

// The sorted table of .eh_frame_hdr. Each pair tells where a function begins and where its entry lies, both relative to
// the header.
constexpr size_t kPair = 2 * sizeof(int32_t);

struct Table {
  uintptr_t base;     // the header's address
  uintptr_t address;  // of the first pair
  uint64_t count;
};

// Reads the header from its `size` bytes at `header`.
bool ReadHeader(const Object& object, const uint8_t* header, size_t size, Table* table) {
  table->base = reinterpret_cast<uintptr_t>(object.eh_frame_hdr);
  ByteReader reader(header, header + size, table->base - reinterpret_cast<uintptr_t>(header));
  const uint8_t version = reader.U8();
  const uint8_t eh_frame_encoding = reader.U8();
  const uint8_t count_encoding = reader.U8();
  const uint8_t table_encoding = reader.U8();
  constexpr uint8_t kTableEncoding = kEncodingDataRelative | 0x0b;
  if (!reader.ok() || version != 1 || count_encoding == kEncodingOmit || table_encoding != kTableEncoding) return false;
  if (eh_frame_encoding != kEncodingOmit) reader.Encoded(eh_frame_encoding, table->base);
  table->count = reader.Encoded(count_encoding, table->base);
  table->address = reader.address();
  return reader.ok() && table->count != 0 && table->count <= (object.end - table->address) / kPair;
}

int32_t Begin(const uint8_t* pairs, size_t index) {
  int32_t begin;
  memcpy(&begin, pairs + index * kPair, sizeof(begin));
  return begin;
}

// Of `count` pairs (at least one), returns the last whose function begins at or before `target`, or the first pair if
// there is none.
const uint8_t* LastAtOrBefore(const uint8_t* pairs, size_t count, int64_t target) {
  size_t low = 0;
  size_t high = count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (Begin(pairs, middle) <= target) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return pairs + low * kPair;
}

// The index of `target` among `count` pairs if functions lay evenly in [begin, end).
size_t EvenShare(int64_t target, int64_t begin, int64_t end, size_t count) {
  if (target <= begin || end <= begin) return 0;
  if (target >= end) return count;
  return static_cast<size_t>(static_cast<double>(target - begin) / static_cast<double>(end - begin) *
                             static_cast<double>(count));
}

// LastAtOrBefore over a table that is read in windows. The search alternates between two places: the expected place if
// functions lay evenly, and the middle of the remaining part, in case they do not. NULL if the table cannot be read.
const uint8_t* SearchByWindows(const Object& object, const Table& table, int64_t target, EntryScratch* scratch) {
  uint8_t* const pairs = scratch->fde;
  const size_t window = sizeof(scratch->fde) / kPair;
  size_t low = 0;
  size_t high = table.count;
  int64_t low_begin = static_cast<int64_t>(object.start - table.base);
  int64_t high_begin = static_cast<int64_t>(object.end - table.base);
  // Every other turn halves the remaining part. 2^20 windows are far more than an object of 4 GiB has.
  for (unsigned turn = 0; turn < 2 * 20; ++turn) {
    const size_t left = high - low;
    const size_t count = left < window ? left : window;
    size_t first = low;
    if (left > window) {
      const size_t guess = turn % 2 == 0 ? EvenShare(target, low_begin, high_begin, left) : left / 2;
      const size_t before = guess > window / 2 ? guess - window / 2 : 0;
      first += before < left - window ? before : left - window;
    }
    ++scratch->reads;
    if (!SafeRead(table.address + first * kPair, pairs, count * kPair)) return nullptr;
    const int32_t least = Begin(pairs, 0);
    const int32_t most = Begin(pairs, count - 1);
    if (target < least && first != low) {
      high = first;
      high_begin = least;
    } else if (target >= most && first + count != high) {
      low = first + count - 1;
      low_begin = most;
    } else {
      return LastAtOrBefore(pairs, count, target);
    }
  }
  return nullptr;
}

// The pair for `pc`, in place or in `scratch`; NULL if there is no pair.
const uint8_t* FindPair(const Object& object, uintptr_t pc, EntryScratch* scratch, Table* table) {
  const auto base = reinterpret_cast<uintptr_t>(object.eh_frame_hdr);
  if (base < object.start || base >= object.end) return nullptr;
  const auto target = static_cast<int64_t>(pc - base);
  if (object.permanent) {
    if (!ReadHeader(object, object.eh_frame_hdr, object.end - base, table)) return nullptr;
    return LastAtOrBefore(Pointer(table->address), table->count, target);
  }
  const size_t wanted = object.end - base < sizeof(scratch->fde) ? object.end - base : sizeof(scratch->fde);
  const size_t size = ReadSome(base, scratch->fde, wanted, scratch);
  if (!ReadHeader(object, scratch->fde, size, table)) return nullptr;
  const size_t head = table->address - base;
  if (table->count <= (size - head) / kPair) return LastAtOrBefore(scratch->fde + head, table->count, target);
  return SearchByWindows(object, *table, target, scratch);
}

}  // namespace

bool ParseFde(const Object& object, uintptr_t address, EntryScratch* scratch, Fde* fde) {
  uint8_t* const copy = scratch != nullptr ? scratch->fde : nullptr;
  if (scratch != nullptr) scratch->window_size = 0;
  if (!OpenEntry(object, address, copy, sizeof(scratch->fde), scratch, &fde->fde)) return false;
  ByteReader reader = ReaderOf(fde->fde);
  const uintptr_t id_position = reader.address();
  const uint32_t cie_distance = reader.Fixed<uint32_t>();  // from this field back to the CIE; 0: this is a CIE
  if (!reader.ok() || cie_distance == 0 || cie_distance > id_position) return false;
  bool has_augmentation_data;
  if (!ParseCie(object, id_position - cie_distance, scratch, fde, &has_augmentation_data)) return false;

  fde->pc_begin = reader.Encoded(fde->pointer_encoding, reinterpret_cast<uintptr_t>(object.eh_frame_hdr));
  fde->pc_end = fde->pc_begin + reader.Encoded(fde->pointer_encoding & 0x0f, 0);
  if (has_augmentation_data) reader.Skip(reader.Uleb());
  fde->program = reader.at();
  return reader.ok() && fde->pc_begin < fde->pc_end;
}

bool ReadWindow(const EntryBytes& entry, uint64_t offset) {
  const uint64_t size = static_cast<uint64_t>(entry.end - entry.begin) + entry.missing;
  EntryScratch* const scratch = entry.scratch;
  if (scratch == nullptr || offset >= size || offset > UINT32_MAX) return false;
  const uint64_t left = size - offset;
  const size_t wanted = left < sizeof(scratch->window) ? static_cast<size_t>(left) : sizeof(scratch->window);
  scratch->window_offset = static_cast<uint32_t>(offset);
  scratch->window_size = 0;
  ++scratch->reads;
  if (!SafeRead(reinterpret_cast<uintptr_t>(entry.begin) + entry.shift + offset, scratch->window, wanted)) return false;
  scratch->window_size = static_cast<uint32_t>(wanted);
  return true;
}

bool HasSortedTable(const Object& object, EntryScratch* scratch) {
  Table table;
  return FindPair(object, object.start, scratch, &table) != nullptr;
}

bool FindFde(const Object& object, uintptr_t pc, EntryScratch* scratch, Fde* fde) {
  if (scratch != nullptr) scratch->reads = 0;
  Table table;
  MadeTable made;
  const Object* entries = &object;
  const uint8_t* pair = FindPair(object, pc, scratch, &table);
  if (pair == nullptr) {
    if (scratch == nullptr || !FindMadeTable(pc, &made)) return false;
    table.base = made.base;
    entries = &made.entries;
    pair =
        LastAtOrBefore(reinterpret_cast<const uint8_t*>(made.pairs), made.count, static_cast<int64_t>(pc - made.base));
  }
  int32_t entry;
  memcpy(&entry, pair + sizeof(int32_t), sizeof(entry));
  return ParseFde(*entries, table.base + static_cast<uintptr_t>(int64_t{entry}), scratch, fde) && pc >= fde->pc_begin &&
         pc < fde->pc_end;
}

}  // namespace ompprof::collect
