#include "profiler/model/arch/x86_64/instructions.h"

#include <cstring>
#include <string_view>

namespace ompprof::model::x86_64 {
namespace {

// Longer instructions fault.
constexpr size_t kLongest = 15;

// Segments, sizes of operands and addresses, lock, repetition.
constexpr std::string_view kPrefixes = "\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3";

// The operands in the code behind an opcode, one letter for each opcode:
//   .  none                         m  ModRM
//   b  1 byte                       B  ModRM, 1 byte
//   w  2 bytes                      3  3 bytes (enter)
//   z  4 bytes, or 2 with 66        Z  ModRM, z
//   d  4 bytes (relative)           v  z, or 8 bytes with REX.W
//   a  8 bytes, or 4 with 67        u, U  ModRM, and b or z if its second field is 0 or 1 (test)
//   x  no instruction, a prefix, or an escape
constexpr char kOneByte[] =
    "mmmmbzxxmmmmbzxx"   // 00
    "mmmmbzxxmmmmbzxx"   // 10
    "mmmmbzxxmmmmbzxx"   // 20
    "mmmmbzxxmmmmbzxx"   // 30
    "xxxxxxxxxxxxxxxx"   // 40
    "................"   // 50
    "xxxmxxxxzZbB...."   // 60
    "bbbbbbbbbbbbbbbb"   // 70
    "BZxBmmmmmmmmmmmm"   // 80
    "..........x....."   // 90
    "aaaa....bz......"   // A0
    "bbbbbbbbvvvvvvvv"   // B0
    "BBw.xxBZ3.w..bx."   // C0
    "mmmmxxx.mmmmmmmm"   // D0
    "bbbbbbbbddxb...."   // E0
    "x.xx..uU......mm";  // F0

// Behind 0F.
constexpr char kTwoBytes[] =
    "mmmmx.....x.xm.B"   // 00
    "mmmmmmmmmmmmmmmm"   // 10
    "mmmmxxxxmmmmmmmm"   // 20
    "......x.xxxxxxxx"   // 30
    "mmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmm"   // 50
    "mmmmmmmmmmmmmmmm"   // 60
    "BBBBmmm.mmxxmmmm"   // 70
    "dddddddddddddddd"   // 80
    "mmmmmmmmmmmmmmmm"   // 90
    "...mBmxx...mBmmm"   // A0
    "mmmmmmmmmmBmmmmm"   // B0
    "mmBmBBBm........"   // C0
    "mmmmmmmmmmmmmmmm"   // D0
    "mmmmmmmmmmmmmmmm"   // E0
    "mmmmmmmmmmmmmmmm";  // F0
static_assert(sizeof kOneByte == 257 && sizeof kTwoBytes == 257);

class Decoder {
 public:
  Decoder(const uint8_t* code, size_t size) : code_(code), size_(size < kLongest ? size : kLongest) {}

  Instruction Decoded() {
    Prefixes();
    uint8_t opcode = Byte();
    char operands = 'x';
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
      operands = Vector(opcode);
    } else if (opcode != 0x0f) {
      operands = kOneByte[opcode];
      exchanges_ = opcode == 0x86 || opcode == 0x87;
    } else if (opcode = Byte(); opcode == 0x38 || opcode == 0x3a) {
      operands = opcode == 0x38 ? 'm' : 'B';
      Byte();
    } else {
      operands = kTwoBytes[opcode];
    }
    const bool known = Operands(operands);
    if (!known || cut_) return {};
    return {at_, in_memory_ && (locked_ || exchanges_)};
  }

 private:
  uint8_t Byte() {
    if (at_ < size_) return code_[at_++];
    cut_ = true;
    return 0;
  }

  void Skip(size_t bytes) {
    at_ += bytes;
    if (at_ > size_) cut_ = true;
  }

  void Prefixes() {
    for (; at_ < size_; ++at_) {
      const uint8_t byte = code_[at_];
      if (byte == 0x66) short_ = true;
      if (byte == 0x67) short_address_ = true;
      if (byte == 0xf0) locked_ = true;
      if (kPrefixes.find(static_cast<char>(byte)) == std::string_view::npos) break;
    }
    // REX is the last prefix.
    if (at_ < size_ && (code_[at_] & 0xf0) == 0x40) wide_ = (code_[at_++] & 8) != 0;
  }

  // The prefixes VEX (C4, C5) and EVEX (62), and the opcode behind them. Returns its operands.
  char Vector(uint8_t prefix) {
    uint8_t map = 1;
    if (prefix == 0xc5) {
      Skip(1);
    } else {
      map = Byte() & (prefix == 0x62 ? 0x07 : 0x1f);
      Skip(prefix == 0x62 ? 2 : 1);
    }
    const uint8_t opcode = Byte();
    if (map == 1) return opcode == 0x77 || kTwoBytes[opcode] == 'B' ? kTwoBytes[opcode] : 'm';
    return map == 3 ? 'B' : map == 2 || map == 5 || map == 6 ? 'm' : 'x';
  }

  // Returns the field that selects among the instructions of an opcode.
  int ModRm() {
    const uint8_t byte = Byte();
    const int mode = byte >> 6;
    int base = byte & 7;
    in_memory_ = mode != 3;
    if (in_memory_) {
      const bool relative = mode == 0 && base == 5;
      if (base == 4) base = Byte() & 7;
      if (mode == 1) Skip(1);
      if (mode == 2 || relative || (mode == 0 && base == 5)) Skip(4);
    }
    return byte >> 3 & 7;
  }

  bool Operands(char operands) {
    const size_t z = short_ && !wide_ ? 2 : 4;
    if (std::strchr("mBZuU", operands) != nullptr) {
      const bool tests = ModRm() < 2;
      if (operands == 'u') operands = tests ? 'b' : '.';
      if (operands == 'U') operands = tests ? 'z' : '.';
    }
    switch (operands) {
      case '.':
      case 'm':
        break;
      case 'b':
      case 'B':
        Skip(1);
        break;
      case 'w':
        Skip(2);
        break;
      case '3':
        Skip(3);
        break;
      case 'd':
        Skip(4);
        break;
      case 'z':
      case 'Z':
        Skip(z);
        break;
      case 'v':
        Skip(wide_ ? 8 : z);
        break;
      case 'a':
        Skip(short_address_ ? 4 : 8);
        break;
      default:
        return false;
    }
    return true;
  }

  const uint8_t* code_;
  size_t size_;
  size_t at_ = 0;
  bool cut_ = false;            // the code ends within the instruction
  bool short_ = false;          // prefix 66
  bool short_address_ = false;  // prefix 67
  bool wide_ = false;           // REX.W
  bool locked_ = false;
  bool exchanges_ = false;
  bool in_memory_ = false;
};

}  // namespace

Instruction Decode(const uint8_t* code, size_t size) { return Decoder(code, size).Decoded(); }

}  // namespace ompprof::model::x86_64
