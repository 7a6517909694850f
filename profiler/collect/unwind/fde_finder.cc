#include "profiler/collect/unwind/fde_finder.h"

#include "profiler/collect/unwind/arch.h"
#include "profiler/collect/unwind/byte_reader.h"

namespace ompprof::collect {
namespace {

const uint8_t* Pointer(uintptr_t address) { return reinterpret_cast<const uint8_t*>(address); }

// A reader over the entry (CIE or FDE) at `address`, its length field consumed. Not ok if it leaves the object.
ByteReader OpenEntry(const Object& object, uintptr_t address) {
  const ByteReader bad(Pointer(1), Pointer(0));
  if (address < object.start || address >= object.end) return bad;
  ByteReader reader(Pointer(address), Pointer(object.end));
  uint64_t length = reader.Fixed<uint32_t>();
  if (length == 0xffffffff) length = reader.Fixed<uint64_t>();
  if (length == 0 || length > reader.remaining()) return bad;
  return ByteReader(reader.at(), reader.at() + length);
}

// Sets the fields of `fde` that come from the CIE, and whether its entries have augmentation data.
bool ParseCie(const Object& object, uintptr_t address, Fde* fde, bool* has_augmentation_data) {
  ByteReader reader = OpenEntry(object, address);
  if (reader.Fixed<uint32_t>() != 0) return false;  // a CIE's id is 0
  const uint8_t version = reader.U8();
  if (version != 1 && version != 3 && version != 4) return false;

  const uint8_t* augmentation = reader.at();
  while (reader.ok() && reader.U8() != 0) {
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
  *has_augmentation_data = false;
  if (*augmentation == 'z') {
    *has_augmentation_data = true;
    const uint64_t size = reader.Uleb();
    if (size > reader.remaining()) return false;
    ByteReader data(reader.at(), reader.at() + size);
    reader.Skip(size);
    for (const uint8_t* letter = augmentation + 1; *letter != 0; ++letter) {
      switch (*letter) {
        case 'R': fde->pointer_encoding = data.U8(); break;
        case 'L': data.Skip(1); break;
        case 'S': fde->signal_frame = true; break;
        case 'P': {
          // The personality routine: only its size matters here. An indirect pointer is as long as a direct one.
          const uint8_t encoding = data.U8();
          if (encoding != kEncodingOmit) data.Encoded(encoding & 0x7f, 0);
          break;
        }
        default: return false;
      }
    }
    if (!data.ok()) return false;
  } else if (*augmentation != 0) {
    return false;  // "eh" of gcc 2, or unknown data of unknown length
  }
  fde->initial_program = reader.at();
  fde->initial_program_end = reader.end();
  return reader.ok();
}

}  // namespace

bool ParseFde(const Object& object, uintptr_t address, Fde* fde) {
  ByteReader reader = OpenEntry(object, address);
  const uintptr_t id_position = reinterpret_cast<uintptr_t>(reader.at());
  const uint32_t cie_distance = reader.Fixed<uint32_t>();  // from this field back to the CIE; 0 would be a CIE itself
  if (!reader.ok() || cie_distance == 0 || cie_distance > id_position) return false;
  bool has_augmentation_data;
  if (!ParseCie(object, id_position - cie_distance, fde, &has_augmentation_data)) return false;

  fde->pc_begin = reader.Encoded(fde->pointer_encoding, reinterpret_cast<uintptr_t>(object.eh_frame_hdr));
  fde->pc_end = fde->pc_begin + reader.Encoded(fde->pointer_encoding & 0x0f, 0);
  if (has_augmentation_data) reader.Skip(reader.Uleb());
  fde->program = reader.at();
  fde->program_end = reader.end();
  return reader.ok() && fde->pc_begin < fde->pc_end;
}

bool FindFde(const Object& object, uintptr_t pc, Fde* fde) {
  const auto base = reinterpret_cast<uintptr_t>(object.eh_frame_hdr);
  if (base < object.start || base >= object.end) return false;
  ByteReader reader(object.eh_frame_hdr, Pointer(object.end));
  const uint8_t version = reader.U8();
  const uint8_t eh_frame_encoding = reader.U8();
  const uint8_t count_encoding = reader.U8();
  const uint8_t table_encoding = reader.U8();
  constexpr uint8_t kTableEncoding = kEncodingDataRelative | 0x0b;
  if (!reader.ok() || version != 1 || count_encoding == kEncodingOmit || table_encoding != kTableEncoding) return false;
  if (eh_frame_encoding != kEncodingOmit) reader.Encoded(eh_frame_encoding, base);
  const uint64_t count = reader.Encoded(count_encoding, base);
  constexpr size_t kPair = 2 * sizeof(int32_t);
  if (!reader.ok() || count == 0 || count > reader.remaining() / kPair) return false;

  // The last pair whose function begins at or before pc.
  const uint8_t* table = reader.at();
  const int64_t target = static_cast<int64_t>(pc - base);
  size_t low = 0;
  size_t high = count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    int32_t begin;
    memcpy(&begin, table + middle * kPair, sizeof(begin));
    if (begin <= target) {
      low = middle;
    } else {
      high = middle;
    }
  }
  int32_t entry;
  memcpy(&entry, table + low * kPair + sizeof(int32_t), sizeof(entry));
  return ParseFde(object, base + static_cast<uintptr_t>(int64_t{entry}), fde) && pc >= fde->pc_begin &&
         pc < fde->pc_end;
}

}  // namespace ompprof::collect
