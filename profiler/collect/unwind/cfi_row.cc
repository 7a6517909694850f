#include "profiler/collect/unwind/cfi_row.h"

#include "profiler/collect/unwind/byte_reader.h"

namespace ompprof::collect {
namespace {

// DW_CFA_*: DWARF 5, section 7.24, and the GNU extensions of binutils' dwarf2.def.
enum : uint8_t {
  kAdvanceLoc = 0x40,  // in the high two bits; the operand is in the low six
  kOffset = 0x80,
  kRestore = 0xc0,
  kNop = 0x00,
  kSetLoc = 0x01,
  kAdvanceLoc1 = 0x02,
  kAdvanceLoc2 = 0x03,
  kAdvanceLoc4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefCfa = 0x0c,
  kDefCfaRegister = 0x0d,
  kDefCfaOffset = 0x0e,
  kDefCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSf = 0x11,
  kDefCfaSf = 0x12,
  kDefCfaOffsetSf = 0x13,
  kValOffset = 0x14,
  kValOffsetSf = 0x15,
  kValExpression = 0x16,
  kGnuWindowSave = 0x2d,
  kGnuArgsSize = 0x2e,
  kGnuNegativeOffsetExtended = 0x2f,
};

constexpr unsigned kMaxWindows = 16;          // a program of 15 KB, twice the longest program seen
constexpr size_t kMaxInstructionBytes = 128;  // in a program that is read by windows; no compiler writes more
constexpr int32_t kInCie = 1 << 30;           // subtracted from the place of a CIE's expression

// Runs two programs one after the other over one row.
class Interpreter {
 public:
  Interpreter(const Object& object, const Fde& fde, uintptr_t pc, RowScratch* scratch, CfiRow* row)
      : object_(object), fde_(fde), pc_(pc), location_(fde.pc_begin), row_(*row), scratch_(*scratch) {}

  // Runs until the program ends or moves past pc.
  bool Run(const uint8_t* begin, const EntryBytes& entry) {
    entry_ = &entry;
    bytes_ = entry.begin;
    bytes_offset_ = 0;
    missing_ = entry.missing;
    ByteReader reader(begin, entry.end, entry.shift);
    for (; !past_pc_; ++scratch_.instructions) {
      if (missing_ != 0 && reader.remaining() < kMaxInstructionBytes && !NextWindow(&reader)) return false;
      if (reader.at_end()) break;
      if (scratch_.instructions == kMaxInstructions || !Instruction(&reader)) return false;
    }
    return reader.ok();
  }

  // DW_CFA_restore returns to the present row.
  void EndInitialProgram() {
    for (unsigned i = 0; i < arch::kRegisterCount; ++i) scratch_.initial[i] = row_.registers[i];
  }

 private:
  bool Instruction(ByteReader* reader) {
    const uint8_t op = reader->U8();
    const uint8_t low = op & 0x3f;
    switch (op & 0xc0) {
      case kAdvanceLoc:
        return Advance(low);
      case kOffset:
        return Set(low, RegisterRuleKind::kOffset, Factored(reader->Uleb()));
      case kRestore:
        return Restore(low);
    }
    switch (op) {
      case kNop:
      case kGnuWindowSave:
        return true;
      case kSetLoc:
        return MoveTo(reader->Encoded(fde_.pointer_encoding, reinterpret_cast<uintptr_t>(object_.eh_frame_hdr)));
      case kAdvanceLoc1:
        return Advance(reader->U8());
      case kAdvanceLoc2:
        return Advance(reader->Fixed<uint16_t>());
      case kAdvanceLoc4:
        return Advance(reader->Fixed<uint32_t>());
      case kRestoreExtended:
        return Restore(reader->Uleb());
      case kUndefined:
        return Set(reader->Uleb(), RegisterRuleKind::kUndefined, 0);
      case kSameValue:
        return Set(reader->Uleb(), RegisterRuleKind::kSame, 0);
      case kRememberState:
        return Remember();
      case kRestoreState:
        return Recall();
      case kDefCfaRegister:
        return DefineCfa(reader->Uleb(), row_.cfa_value);
      case kDefCfaOffset:
        return DefineCfa(row_.cfa_register, static_cast<int64_t>(reader->Uleb()));
      case kDefCfaOffsetSf:
        return DefineCfa(row_.cfa_register, FactoredSigned(reader->Sleb()));
      case kGnuArgsSize:
        reader->Uleb();
        return true;
      case kDefCfaExpression: {
        row_.cfa_is_expression = true;
        return TakeExpression(reader, &row_.cfa_value);
      }
      case kDefCfa: {
        const uint64_t number = reader->Uleb();
        return DefineCfa(number, static_cast<int64_t>(reader->Uleb()));
      }
      case kDefCfaSf: {
        const uint64_t number = reader->Uleb();
        return DefineCfa(number, FactoredSigned(reader->Sleb()));
      }
      default:
        return RegisterInstruction(op, reader->Uleb(), reader);
    }
  }

  // The instructions that name a register and then its place.
  bool RegisterInstruction(uint8_t op, uint64_t number, ByteReader* reader) {
    switch (op) {
      case kOffsetExtended:
        return Set(number, RegisterRuleKind::kOffset, Factored(reader->Uleb()));
      case kOffsetExtendedSf:
        return Set(number, RegisterRuleKind::kOffset, FactoredSigned(reader->Sleb()));
      case kGnuNegativeOffsetExtended: {
        const int64_t offset = Factored(reader->Uleb());
        return offset > -kTooLarge && Set(number, RegisterRuleKind::kOffset, -offset);
      }
      case kValOffset:
        return Set(number, RegisterRuleKind::kValueOffset, Factored(reader->Uleb()));
      case kValOffsetSf:
        return Set(number, RegisterRuleKind::kValueOffset, FactoredSigned(reader->Sleb()));
      case kRegister:
        return Set(number, RegisterRuleKind::kRegister, static_cast<int64_t>(reader->Uleb()));
      case kExpression:
      case kValExpression: {
        int32_t place = 0;
        const auto kind = op == kExpression ? RegisterRuleKind::kExpression : RegisterRuleKind::kValueExpression;
        return TakeExpression(reader, &place) && Set(number, kind, place);
      }
      default:
        return false;
    }
  }

  // Moves `reader` to the same place in a window that begins there.
  bool NextWindow(ByteReader* reader) {
    const uint64_t offset = bytes_offset_ + static_cast<uint64_t>(reader->at() - bytes_);
    const uint64_t end = bytes_offset_ + static_cast<uint64_t>(reader->end() - bytes_) + missing_;
    if (!reader->ok() || windows_++ == kMaxWindows || !ReadWindow(*entry_, offset)) return false;
    const EntryScratch& scratch = *entry_->scratch;
    const uintptr_t shift = reader->address() - reinterpret_cast<uintptr_t>(scratch.window);
    *reader = ByteReader(scratch.window, scratch.window + scratch.window_size, shift);
    bytes_ = scratch.window;
    bytes_offset_ = offset;
    missing_ = end - offset - scratch.window_size;
    return true;
  }

  bool Advance(uint64_t delta) { return MoveTo(location_ + delta * fde_.code_alignment); }

  bool MoveTo(uintptr_t location) {
    location_ = location;
    past_pc_ = location > pc_;
    return true;
  }

  static constexpr int64_t kTooLarge = int64_t{1} << 31;

  // Offsets come divided by the data alignment. An offset that does not fit becomes recognizably too large.
  int64_t FactoredSigned(int64_t value) const {
    int64_t product;
    return __builtin_mul_overflow(value, fde_.data_alignment, &product) ? kTooLarge : product;
  }
  int64_t Factored(uint64_t value) const {
    return value > static_cast<uint64_t>(kTooLarge) ? kTooLarge : FactoredSigned(static_cast<int64_t>(value));
  }

  static bool Fits(int64_t value) { return value < kTooLarge && value >= -kTooLarge; }

  bool Set(uint64_t number, RegisterRuleKind kind, int64_t value) {
    if (!Fits(value)) return false;
    if (number < arch::kRegisterCount) row_.registers[number] = {kind, static_cast<int32_t>(value)};
    return true;  // vector registers and similar registers do not matter to a walk
  }

  bool Restore(uint64_t number) {
    if (number < arch::kRegisterCount) row_.registers[number] = scratch_.initial[number];
    return true;
  }

  bool DefineCfa(uint64_t number, int64_t offset) {
    if (number >= arch::kRegisterCount || !Fits(offset)) return false;
    row_.cfa_is_expression = false;
    row_.cfa_register = static_cast<uint8_t>(number);
    row_.cfa_value = static_cast<int32_t>(offset);
    return true;
  }

  bool TakeExpression(ByteReader* reader, int32_t* place) {
    const uint64_t offset = bytes_offset_ + static_cast<uint64_t>(reader->at() - bytes_);
    if (offset >= static_cast<uint64_t>(kInCie)) return false;
    *place = static_cast<int32_t>(offset) - (entry_ == &fde_.cie ? kInCie : 0);
    reader->Skip(reader->Uleb());
    return reader->ok();
  }

  bool Remember() {
    if (remembered_count_ == kMaxRememberedStates) return false;
    scratch_.remembered[remembered_count_++] = row_;
    return true;
  }

  bool Recall() {
    if (remembered_count_ == 0) return false;
    row_ = scratch_.remembered[--remembered_count_];
    return true;
  }

  const Object& object_;
  const Fde& fde_;
  const EntryBytes* entry_ = nullptr;  // the entry whose program runs
  const uint8_t* bytes_ = nullptr;     // the present bytes: the entry's beginning, or a window
  uint64_t bytes_offset_ = 0;          // of bytes_ from the entry's beginning
  uint64_t missing_ = 0;               // the entry's bytes behind them
  unsigned windows_ = 0;
  const uintptr_t pc_;
  uintptr_t location_;
  bool past_pc_ = false;
  CfiRow& row_;
  RowScratch& scratch_;
  unsigned remembered_count_ = 0;
};

}  // namespace

bool ComputeRow(const Object& object, const Fde& fde, uintptr_t pc, RowScratch* scratch, CfiRow* row) {
  memset(row, 0, sizeof(*row));
  row->cfa_register = arch::kRegisterCount;  // not defined yet
  scratch->instructions = 0;
  Interpreter interpreter(object, fde, pc, scratch, row);
  if (!interpreter.Run(fde.initial_program, fde.cie)) return false;
  interpreter.EndInitialProgram();
  if (!interpreter.Run(fde.program, fde.fde)) return false;
  return row->cfa_is_expression || row->cfa_register < arch::kRegisterCount;
}

bool ExpressionAt(const Fde& fde, int32_t value, ExpressionBytes* bytes) {
  const EntryBytes& entry = value < 0 ? fde.cie : fde.fde;
  const int32_t place = value < 0 ? value + kInCie : value;
  if (place < 0) return false;
  const EntryScratch* const scratch = entry.scratch;
  const int64_t in_window = scratch != nullptr && entry.missing != 0 ? place - int64_t{scratch->window_offset} : -1;
  ByteReader reader(entry.begin, entry.end);
  if (in_window >= 0 && in_window < scratch->window_size) {
    reader = ByteReader(scratch->window, scratch->window + scratch->window_size);
    reader.Skip(static_cast<uint64_t>(in_window));
  } else {
    reader.Skip(static_cast<uint64_t>(place));
  }
  const uint64_t size = reader.Uleb();
  if (size > reader.remaining()) return false;
  *bytes = {reader.at(), reader.at() + size};
  return reader.ok();
}

}  // namespace ompprof::collect
