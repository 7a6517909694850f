#include "runtime_shim/generations/user_frame.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime_shim/ompt/loaded_object.h"

namespace gomp_ompt {
namespace {

// x86-64's numbers of the two registers by which compilers describe a frame.
constexpr uint64_t kFramePointer = 6;
constexpr uint64_t kStackPointer = 7;

constexpr int kMostInstructions = 1000;  // a function has some ten
constexpr int kMostRemembered = 8;

// Encodings of pointers, as GNU and LLVM linkers and compilers write them on x86-64.
constexpr uint8_t kPcRelative4 = 0x1b;
constexpr uint8_t kUnsigned4 = 0x03;
constexpr uint8_t kTableRelative4 = 0x3b;

// Reads forward, never behind the end.
class Reader {
 public:
  Reader(const void* begin, size_t size) : at_(static_cast<const uint8_t*>(begin)), end_(at_ + size) {}

  bool is_good() const { return is_good_; }
  bool is_at_end() const { return at_ >= end_; }
  const uint8_t* at() const { return at_; }

  template <class Value>
  Value Take() {
    Value value = 0;
    if (Has(sizeof(value))) memcpy(&value, at_ - sizeof(value), sizeof(value));
    return value;
  }

  uint64_t TakeUleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = Take<uint8_t>();
      value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

  // The part of `size` bytes ahead.
  Reader Part(uint64_t size) {
    const uint8_t* begin = at_;
    return Has(size) ? Reader(begin, size) : Reader(begin, 0);
  }

 private:
  bool Has(uint64_t size) {
    is_good_ &= size <= static_cast<uint64_t>(end_ - at_);
    if (is_good_) at_ += size;
    return is_good_;
  }

  const uint8_t* at_;
  const uint8_t* end_;
  bool is_good_ = true;
};

struct CfaRule {
  uint64_t reg;
  uint64_t offset;
};

// The state of the interpreter of call frame instructions, as far as it concerns the frame's address.
struct Interpreter {
  uint64_t code_alignment;
  uint64_t location;
  uint64_t wanted;
  CfaRule rule;
  CfaRule remembered[kMostRemembered];
  int depth;
  bool is_good;

  bool Advance(uint64_t distance) {
    location += distance * code_alignment;
    return location <= wanted;
  }

  void Remember() {
    if (depth < kMostRemembered)
      remembered[depth++] = rule;
    else
      is_good = false;
  }

  void Restore() {
    if (depth > 0)
      rule = remembered[--depth];
    else
      is_good = false;
  }
};

// The instructions that begin with their whole first byte (DWARF 4, figure 40). False where the wanted location ends.
bool Step(Interpreter& state, uint8_t operation, Reader& code) {
  switch (operation) {
    case 0x00:  // nop
      return true;
    case 0x02:  // advance_loc1
      return state.Advance(code.Take<uint8_t>());
    case 0x03:  // advance_loc2
      return state.Advance(code.Take<uint16_t>());
    case 0x04:  // advance_loc4
      return state.Advance(code.Take<uint32_t>());
    case 0x06:  // restore_extended
    case 0x07:  // undefined
    case 0x08:  // same_value
    case 0x2e:  // GNU_args_size
      code.TakeUleb();
      return true;
    case 0x05:  // offset_extended
    case 0x09:  // register
    case 0x11:  // offset_extended_sf: a signed number has the same length
      code.TakeUleb();
      code.TakeUleb();
      return true;
    case 0x0a:  // remember_state
      state.Remember();
      return true;
    case 0x0b:  // restore_state
      state.Restore();
      return true;
    case 0x0c:  // def_cfa
      state.rule.reg = code.TakeUleb();
      state.rule.offset = code.TakeUleb();
      return true;
    case 0x0d:  // def_cfa_register
      state.rule.reg = code.TakeUleb();
      return true;
    case 0x0e:  // def_cfa_offset
      state.rule.offset = code.TakeUleb();
      return true;
    case 0x10:  // expression, of another register
    case 0x16:  // val_expression
      code.TakeUleb();
      code.Part(code.TakeUleb());
      return true;
    default:  // the frame's address by an expression, or an instruction of another processor
      state.is_good = false;
      return false;
  }
}

// False where the wanted location ends.
bool Run(Interpreter& state, Reader code) {
  for (int i = 0; i < kMostInstructions && !code.is_at_end(); i++) {
    const auto operation = code.Take<uint8_t>();
    const unsigned low = operation & 0x3f;
    bool goes_on = true;
    switch (operation >> 6) {
      case 1:  // advance_loc
        goes_on = state.Advance(low);
        break;
      case 2:  // offset
        code.TakeUleb();
        break;
      case 3:  // restore
        break;
      default:
        goes_on = Step(state, operation, code);
    }
    state.is_good &= code.is_good();
    if (!goes_on || !state.is_good) return false;
  }
  state.is_good &= code.is_at_end();
  return state.is_good;
}

int64_t Relative(const void* address, int32_t distance) {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(address)) + distance;
}

// The description of the function at `location`, by the table of .eh_frame_hdr; NULL if there is none. The table has
// pairs of a function's beginning and its description, relative to `header`.
const uint8_t* FindDescription(const void* header, uint64_t location) {
  struct Entry {
    int32_t function, description;
  };
  const auto* bytes = static_cast<const uint8_t*>(header);
  constexpr size_t kPointerAndCount = 8;
  Reader reader(header, 4 + kPointerAndCount);
  const bool is_usual = reader.Take<uint8_t>() == 1 && reader.Take<uint8_t>() == kPcRelative4 &&
                        reader.Take<uint8_t>() == kUnsigned4 && reader.Take<uint8_t>() == kTableRelative4;
  if (!is_usual) return nullptr;
  reader.Take<int32_t>();
  uint32_t left = 0, right = reader.Take<uint32_t>();
  const auto* table = reinterpret_cast<const Entry*>(reader.at());
  while (left < right) {
    const uint32_t middle = left + (right - left) / 2;
    if (static_cast<uint64_t>(Relative(header, table[middle].function)) <= location)
      left = middle + 1;
    else
      right = middle;
  }
  return left != 0 ? bytes + table[left - 1].description : nullptr;
}

// The common part of descriptions: how to read them, and the first instructions.
struct Common {
  uint64_t code_alignment;
  Reader code;
};

void SkipPersonality(Reader& data) {
  constexpr uint8_t kEightBytes = 4;
  if ((data.Take<uint8_t>() & kEightBytes) != 0)
    data.Take<uint64_t>();
  else
    data.Take<uint32_t>();
}

// False if it has an unusual form. `entry` is behind the length and the id.
bool ReadCommon(Reader entry, Common* common) {
  const auto version = entry.Take<uint8_t>();
  const auto* augmentation = reinterpret_cast<const char*>(entry.at());
  while (entry.Take<char>() != '\0') {
  }
  common->code_alignment = entry.TakeUleb();
  entry.TakeUleb();  // data alignment
  if (version == 1)  // the register of the return address
    entry.Take<uint8_t>();
  else
    entry.TakeUleb();
  if (!entry.is_good() || augmentation[0] != 'z') return false;
  Reader data = entry.Part(entry.TakeUleb());
  for (const char* letter = augmentation + 1; *letter != '\0'; letter++) {
    if (*letter == 'R' && data.Take<uint8_t>() != kPcRelative4) return false;
    if (*letter == 'L') data.Take<uint8_t>();
    if (*letter == 'P') SkipPersonality(data);
    if (*letter == 'S') return false;  // a signal's frame calls nobody
  }
  common->code = entry;
  return data.is_good();
}

// The rest of an entry of .eh_frame, behind its length; empty for an unusual form.
Reader EntryAt(const uint8_t* address) {
  uint32_t length;
  memcpy(&length, address, sizeof(length));
  constexpr uint32_t kLongForm = 0xffffffff;
  return Reader(address + sizeof(length), length != kLongForm ? length : 0);
}

// The rule for the frame's address at `location`.
bool FindRule(const void* header, uint64_t location, CfaRule* rule) {
  const uint8_t* description = FindDescription(header, location);
  if (description == nullptr) return false;
  Reader entry = EntryAt(description);
  const uint8_t* id_at = entry.at();
  const auto to_common = entry.Take<uint32_t>();
  if (!entry.is_good() || to_common == 0) return false;
  Reader common_entry = EntryAt(id_at - to_common);
  Common common = {0, Reader(id_at, 0)};
  if (common_entry.Take<uint32_t>() != 0 || !ReadCommon(common_entry, &common)) return false;
  const uint8_t* begin_at = entry.at();
  const auto begin = static_cast<uint64_t>(Relative(begin_at, entry.Take<int32_t>()));
  const auto size = entry.Take<uint32_t>();
  entry.Part(entry.TakeUleb());
  if (!entry.is_good() || location - begin >= size) return false;
  Interpreter state = {common.code_alignment, begin, location, {0, 0}, {}, 0, true};
  if (Run(state, common.code)) Run(state, entry);
  *rule = state.rule;
  return state.is_good;
}

// What a frame pointer points to.
struct FrameEnd {
  uint64_t callers_frame_pointer;
  uint64_t return_address;
};

// The stack of another thread may be gone, so the kernel reads it.
bool ReadFrameEnd(const void* frame_pointer, bool is_of_own_stack, FrameEnd* end) {
  if (is_of_own_stack) {
    memcpy(end, frame_pointer, sizeof(*end));
    return true;
  }
  const iovec to = {end, sizeof(*end)};
  const iovec from = {const_cast<void*>(frame_pointer), sizeof(*end)};
  const int error = errno;
  const bool is_read = process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof(*end));
  errno = error;
  return is_read;
}

}  // namespace

char* CallersCfa(const void* frame_pointer, bool is_of_own_stack) {
  FrameEnd end;
  if (!FindsWithoutLock() || !ReadFrameEnd(frame_pointer, is_of_own_stack, &end)) return nullptr;
  const uint64_t stack = reinterpret_cast<uint64_t>(frame_pointer) + sizeof(end);  // the caller's, at the call
  const uint64_t call = end.return_address - 1;  // that address may already belong to the next function
  dl_find_object object;
  CfaRule rule;
  if (!FindObject(reinterpret_cast<const void*>(call), &object) || object.dlfo_eh_frame == nullptr ||
      !FindRule(object.dlfo_eh_frame, call, &rule) || (rule.reg != kFramePointer && rule.reg != kStackPointer))
    return nullptr;
  const uint64_t cfa = (rule.reg == kFramePointer ? end.callers_frame_pointer : stack) + rule.offset;
  constexpr uint64_t kLeastFrame = 16;  // the return address, and the alignment of the stack at a call
  return cfa >= stack + kLeastFrame ? reinterpret_cast<char*>(cfa) : nullptr;
}

}  // namespace gomp_ompt
