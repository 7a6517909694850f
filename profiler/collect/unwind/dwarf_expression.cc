#include "profiler/collect/unwind/dwarf_expression.h"

#include "profiler/collect/unwind/byte_reader.h"

namespace ompprof::collect {
namespace {

// DW_OP_*: DWARF 5, section 7.7.1.
enum : uint8_t {
  kAddr = 0x03,
  kDeref = 0x06,
  kConst1u = 0x08,
  kConst1s,
  kConst2u,
  kConst2s,
  kConst4u,
  kConst4s,
  kConst8u,
  kConst8s,
  kConstu,
  kConsts,
  kDup = 0x12,
  kDrop,
  kOver,
  kPick,
  kSwap,
  kRot,
  kAbs = 0x19,
  kAnd,
  kDiv,
  kMinus,
  kMod,
  kMul,
  kNeg,
  kNot,
  kOr,
  kPlus,
  kPlusUconst,
  kShl,
  kShr,
  kShra,
  kXor,
  kBra = 0x28,
  kEq,
  kGe,
  kGt,
  kLe,
  kLt,
  kNe,
  kSkip,
  kLit0 = 0x30,
  kBreg0 = 0x70,
  kBregx = 0x92,
  kDerefSize = 0x94,
  kNop = 0x96,
};

constexpr unsigned kDepth = 32;
constexpr unsigned kMaxOperations = 512;

class Machine {
 public:
  Machine(const Registers& registers, StackReader* stack) : registers_(registers), stack_(*stack) {}

  bool ok() const { return ok_; }

  void Push(uintptr_t value) {
    if (depth_ == kDepth) {
      ok_ = false;
    } else {
      values_[depth_++] = value;
    }
  }

  uintptr_t Pop() {
    if (depth_ == 0) {
      ok_ = false;
      return 0;
    }
    return values_[--depth_];
  }

  bool Run(ExpressionBytes expression) {
    ByteReader reader(expression.begin, expression.end);
    for (unsigned operations = 0; !reader.at_end(); ++operations) {
      // Reads take additional fuel.
      if (operations == kMaxOperations || (operations % 8 == 7 && !stack_.TakeFuel(Cut::kTables, 8))) return false;
      const uint8_t op = reader.U8();
      if (op == kBra || op == kSkip) {
        const int16_t distance = reader.Fixed<int16_t>();
        if (op == kBra && Pop() == 0) continue;
        const ptrdiff_t target = reader.at() - expression.begin + distance;
        if (!reader.ok() || target < 0 || target > expression.end - expression.begin) return false;
        reader = ByteReader(expression.begin + target, expression.end);
      } else if (!PushOperation(op, &reader) && !StackOperation(op, &reader) && !Arithmetic(op)) {
        return false;
      }
      if (!ok_) return false;
    }
    return reader.ok();
  }

 private:
  // Constants and registers. False: `op` is neither.
  bool PushOperation(uint8_t op, ByteReader* reader) {
    if (op >= kLit0 && op < kLit0 + 32) return Pushed(op - kLit0);
    if (op >= kBreg0 && op < kBreg0 + 32) return PushRegister(op - kBreg0, reader->Sleb());
    switch (op) {
      case kAddr:
      case kConst8u:
      case kConst8s:
        return Pushed(reader->Fixed<uint64_t>());
      case kConst1u:
        return Pushed(reader->U8());
      case kConst1s:
        return PushedSigned(reader->Fixed<int8_t>());
      case kConst2u:
        return Pushed(reader->Fixed<uint16_t>());
      case kConst2s:
        return PushedSigned(reader->Fixed<int16_t>());
      case kConst4u:
        return Pushed(reader->Fixed<uint32_t>());
      case kConst4s:
        return PushedSigned(reader->Fixed<int32_t>());
      case kConstu:
        return Pushed(reader->Uleb());
      case kConsts:
        return PushedSigned(reader->Sleb());
      case kBregx: {
        const uint64_t number = reader->Uleb();
        return PushRegister(number, reader->Sleb());
      }
      default:
        return false;
    }
  }

  bool Pushed(uint64_t value) {
    Push(value);
    return true;
  }
  bool PushedSigned(int64_t value) { return Pushed(static_cast<uint64_t>(value)); }

  bool PushRegister(uint64_t number, int64_t offset) {
    if (number >= arch::kRegisterCount) {
      ok_ = false;
      return true;
    }
    return Pushed(registers_.value[number] + static_cast<uint64_t>(offset));
  }

  // Operations that move values or fetch them. False: `op` is none of these.
  bool StackOperation(uint8_t op, ByteReader* reader) {
    switch (op) {
      case kNop:
        return true;
      case kDup:
        return Pick(0);
      case kOver:
        return Pick(1);
      case kPick:
        return Pick(reader->U8());
      case kDrop:
        Pop();
        return true;
      case kDeref:
        return Dereference(sizeof(uintptr_t));
      case kDerefSize:
        return Dereference(reader->U8());
      case kPlusUconst:
        return Pushed(Pop() + reader->Uleb());
      case kSwap: {
        const uintptr_t top = Pop();
        const uintptr_t second = Pop();
        Push(top);
        return Pushed(second);
      }
      case kRot: {
        const uintptr_t top = Pop();
        const uintptr_t second = Pop();
        const uintptr_t third = Pop();
        Push(top);
        Push(third);
        return Pushed(second);
      }
      default:
        return false;
    }
  }

  bool Pick(unsigned index) {
    if (index >= depth_) {
      ok_ = false;
      return true;
    }
    return Pushed(values_[depth_ - 1 - index]);
  }

  bool Dereference(unsigned size) {
    const uintptr_t address = Pop();
    uintptr_t word = 0;
    if (size == sizeof(word)) {
      ok_ = ok_ && stack_.Read(address, &word);
    } else {
      ok_ = ok_ && size != 0 && size < sizeof(word) && stack_.TakeFuel(Cut::kFrames, Fuel::kRead) &&
            SafeRead(address, &word, size);
    }
    return Pushed(word);
  }

  // False: `op` is not an arithmetic operation either. Values wrap like the target's registers.
  bool Arithmetic(uint8_t op) {
    const uintptr_t b = Pop();
    const auto signed_b = static_cast<int64_t>(b);
    switch (op) {
      case kAbs:
        return Pushed(signed_b < 0 ? 0 - b : b);
      case kNeg:
        return Pushed(0 - b);
      case kNot:
        return Pushed(~b);
    }
    const uintptr_t a = Pop();
    const auto signed_a = static_cast<int64_t>(a);
    switch (op) {
      case kAnd:
        return Pushed(a & b);
      case kOr:
        return Pushed(a | b);
      case kXor:
        return Pushed(a ^ b);
      case kPlus:
        return Pushed(a + b);
      case kMinus:
        return Pushed(a - b);
      case kMul:
        return Pushed(a * b);
      case kDiv:
        if (b == 0) return false;
        return Pushed(signed_b == -1 ? 0 - a : static_cast<uint64_t>(signed_a / signed_b));
      case kMod:
        return b != 0 && Pushed(a % b);
      case kShl:
        return Pushed(b < 64 ? a << b : 0);
      case kShr:
        return Pushed(b < 64 ? a >> b : 0);
      case kShra:
        return Pushed(static_cast<uint64_t>(signed_a >> (b < 64 ? b : 63)));
      case kEq:
        return Pushed(a == b);
      case kNe:
        return Pushed(a != b);
      case kGe:
        return Pushed(signed_a >= signed_b);
      case kGt:
        return Pushed(signed_a > signed_b);
      case kLe:
        return Pushed(signed_a <= signed_b);
      case kLt:
        return Pushed(signed_a < signed_b);
      default:
        return false;
    }
  }

  const Registers& registers_;
  StackReader& stack_;
  bool ok_ = true;
  unsigned depth_ = 0;
  uintptr_t values_[kDepth];
};

}  // namespace

bool EvaluateExpression(ExpressionBytes expression, const Registers& registers, const uintptr_t* cfa,
                        StackReader* stack, uintptr_t* result) {
  Machine machine(registers, stack);
  if (cfa != nullptr) machine.Push(*cfa);
  if (!machine.Run(expression)) return false;
  *result = machine.Pop();
  return machine.ok();
}

}  // namespace ompprof::collect
