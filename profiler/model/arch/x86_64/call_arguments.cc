#include "profiler/model/arch/x86_64/call_arguments.h"

#include <cstring>

namespace ompprof::model::x86_64 {
namespace {

// The arguments are put into their registers within this distance before the call. Entry points for data of target
// regions have nine arguments.
constexpr uint64_t kArgumentBytes = 96;

// Numbers of the registers for the first and the third argument (System V ABI). The entry points of libgomp and libomp
// receive names, bodies and places there.
constexpr int kRdi = 7;
constexpr int kRdx = 2;

struct Reference {
  int reg;  // the register that gets the address
  uint64_t address;
  const std::string* name;
};

// Recognizes an instruction at `at` that loads the address of a named object: lea REG, [rip + x]; mov REG, [rip + x] of
// a slot; mov REG, imm32 (sign-extended or not). Only the exact addresses of objects count, so bytes that are no
// instruction cannot pass for one.
bool ReferenceAt(const uint8_t* code, size_t size, uint64_t begin, size_t at, const AddressNames& names,
                 Reference* found) {
  int32_t value = 0;
  if (at + 7 <= size && (code[at] == 0x48 || code[at] == 0x4c) && (code[at + 1] == 0x8d || code[at + 1] == 0x8b) &&
      (code[at + 2] & 0xc7) == 0x05) {
    std::memcpy(&value, code + at + 3, sizeof value);
    const auto name = names.find(begin + at + 7 + static_cast<uint64_t>(int64_t{value}));
    if (name == names.end()) return false;
    *found = {(code[at + 2] >> 3 & 7) | (code[at] & 4) << 1, name->first, &name->second};
    return true;
  }
  if (at + 7 <= size && (code[at] == 0x48 || code[at] == 0x49) && code[at + 1] == 0xc7 &&
      (code[at + 2] & 0xf8) == 0xc0) {
    std::memcpy(&value, code + at + 3, sizeof value);
    const auto name = names.find(static_cast<uint64_t>(int64_t{value}));
    if (name == names.end()) return false;
    *found = {(code[at + 2] & 7) | (code[at] & 1) << 3, name->first, &name->second};
    return true;
  }
  if (at + 5 <= size && (code[at] & 0xf8) == 0xb8) {
    std::memcpy(&value, code + at + 1, sizeof value);
    const auto name = names.find(static_cast<uint64_t>(static_cast<uint32_t>(value)));
    if (name == names.end()) return false;
    const bool extended = at > 0 && code[at - 1] == 0x41;
    *found = {(code[at] & 7) | (extended ? 8 : 0), name->first, &name->second};
    return true;
  }
  return false;
}

// The length of a jump at `at` that leaves the function: jmp TARGET; jmp [rip + x] of a slot. 0: there is none.
size_t JumpOutAt(const FunctionCode& function, size_t at) {
  const uint8_t* const code = function.bytes;
  if (at + 6 <= function.size && code[at] == 0xff && code[at + 1] == 0x25) return 6;
  if (at + 5 > function.size || code[at] != 0xe9) return 0;
  int32_t distance = 0;
  std::memcpy(&distance, code + at + 1, sizeof distance);
  // Farther targets are most likely bytes of another instruction.
  constexpr int32_t kFarthest = 1 << 26;
  const int64_t target = static_cast<int64_t>(at) + 5 + distance;
  const bool within = target >= 0 && target < static_cast<int64_t>(function.size);
  return within || distance > kFarthest || distance < -kFarthest ? 0 : 5;
}

}  // namespace

std::string NameInCallArguments(const FunctionCode& function, uint64_t call_end, const AddressNames& names) {
  const uint8_t* const code = function.bytes;
  const size_t size = function.size;
  const uint64_t begin = function.begin;
  const size_t end = call_end - begin;
  const size_t first = end > kArgumentBytes ? end - kArgumentBytes : 0;
  Reference reference{};
  // The address goes straight into the argument's register, or through a register that keeps it over a loop. The
  // nearest load counts.
  for (size_t at = end; at-- > first;) {
    if (ReferenceAt(code, size, begin, at, names, &reference) && (reference.reg == kRdi || reference.reg == kRdx))
      return *reference.name;
    // An earlier call: registers loaded before it belong to that call.
    if (code[at] == 0xe8 && at + 10 <= end && (code[at + 4] == 0x00 || code[at + 4] == 0xff)) break;
    // mov ARGUMENT, REG
    if (at + 3 > end || (code[at] != 0x48 && code[at] != 0x4c) || code[at + 1] != 0x89 || (code[at + 2] & 0xc0) != 0xc0)
      continue;
    const int to = code[at + 2] & 7;
    const int from = (code[at + 2] >> 3 & 7) | (code[at] & 4) << 1;
    if (to != kRdi && to != kRdx) continue;
    for (size_t before = at; before-- > 0;) {
      if (ReferenceAt(code, size, begin, before, names, &reference) && reference.reg == from) return *reference.name;
    }
  }
  // The address may have gone through the stack. The answer is still clear if the function refers to one name only.
  const std::string* only = nullptr;
  for (size_t at = 0; at < size; ++at) {
    if (!ReferenceAt(code, size, begin, at, names, &reference)) continue;
    if (only != nullptr && *only != *reference.name) return "";
    only = reference.name;
  }
  return only != nullptr ? *only : "";
}

uint64_t CalledFunction(const FunctionCode& function, uint64_t call_end) {
  const size_t end = call_end - function.begin;
  if (end < 5 || function.bytes[end - 5] != 0xe8) return 0;
  int32_t distance = 0;
  std::memcpy(&distance, function.bytes + end - 4, sizeof distance);
  return call_end + static_cast<uint64_t>(int64_t{distance});
}

std::optional<std::string> NameInJumpArguments(const FunctionCode& function, const AddressNames& names) {
  bool any = false;
  std::string found;
  Reference reference{};
  for (size_t at = 0; at < function.size; ++at) {
    any = any || ReferenceAt(function.bytes, function.size, function.begin, at, names, &reference);
    const size_t length = JumpOutAt(function, at);
    if (length == 0) continue;
    const std::string name = NameInCallArguments(function, function.begin + at + length, names);
    if (name.empty()) continue;
    if (!found.empty() && found != name) return "";
    found = name;
  }
  return any ? std::optional(found) : std::nullopt;
}

void FindFunctionUses(const FunctionCode& code, const AddressNames& names, std::vector<FunctionUse>* uses) {
  Reference reference{};
  for (size_t at = 0; at + 5 <= code.size; ++at) {
    if (ReferenceAt(code.bytes, code.size, code.begin, at, names, &reference)) {
      uses->push_back({reference.address, code.begin + at});
      continue;
    }
    // call FUNCTION, jmp FUNCTION: only the exact address of a function counts here, too.
    if (code.bytes[at] != 0xe8 && code.bytes[at] != 0xe9) continue;
    int32_t distance = 0;
    std::memcpy(&distance, code.bytes + at + 1, sizeof distance);
    const uint64_t target = code.begin + at + 5 + static_cast<uint64_t>(int64_t{distance});
    if (names.count(target) != 0) uses->push_back({target, code.begin + at});
  }
}

}  // namespace ompprof::model::x86_64
