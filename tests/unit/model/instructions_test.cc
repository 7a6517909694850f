// The decoder of x86-64's instructions beside objdump, and known places of atomic instructions.
#include "profiler/model/arch/instructions.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "profiler/model/arch/x86_64/instructions.h"

namespace ompprof::model {
namespace {

constexpr uint64_t kBegin = 0x401000;

// The addresses, from kBegin on, that are at an atomic instruction.
std::vector<uint64_t> Atomics(const std::vector<uint8_t>& bytes, uint16_t machine = EM_X86_64) {
  std::vector<uint64_t> found;
  for (uint64_t at = 0; at <= bytes.size(); ++at) {
    if (IsAtAtomic(machine, {bytes.data(), bytes.size(), kBegin}, kBegin + at)) found.push_back(at);
  }
  return found;
}

using Places = std::vector<uint64_t>;

TEST(IsAtAtomic, TheBeginningAndTheEndOfTheInstruction) {
  // nop; lock addl $1, 8(%rdi); ret
  EXPECT_EQ(Atomics({0x90, 0xf0, 0x83, 0x47, 0x08, 0x01, 0xc3}), (Places{1, 6}));
  // lock cmpxchg %rdx, (%rdi); jne back
  EXPECT_EQ(Atomics({0xf0, 0x48, 0x0f, 0xb1, 0x17, 0x75, 0xf9}), (Places{0, 5}));
  // xchg %eax, (%rdi)
  EXPECT_EQ(Atomics({0x87, 0x07}), (Places{0, 2}));
}

TEST(IsAtAtomic, BytesWithinOtherInstructionsAreNone) {
  // mov %rax, -0x10(%rbp); addl $1, -0x14(%rbp): the bytes f0 83 45 ec 01
  EXPECT_EQ(Atomics({0x48, 0x89, 0x45, 0xf0, 0x83, 0x45, 0xec, 0x01}), Places());
  // mov 8(%rdi,%rax,4), %eax: the bytes 87 08
  EXPECT_EQ(Atomics({0x8b, 0x44, 0x87, 0x08}), Places());
  // xchg %ebx, %ecx: registers only
  EXPECT_EQ(Atomics({0x87, 0xd9}), Places());
}

TEST(IsAtAtomic, WhatCannotBeDecodedHasNone) {
  const std::vector<uint8_t> add = {0xf0, 0x83, 0x47, 0x08, 0x01};
  EXPECT_EQ(Atomics({0x06, 0xf0, 0x83, 0x47, 0x08, 0x01}), Places());  // 06 is no instruction
  EXPECT_EQ(Atomics(add, EM_AARCH64), Places());
  EXPECT_EQ(Atomics({0xf0, 0x83, 0x47, 0x08}), Places());  // cut
  EXPECT_EQ(Atomics({}), Places());
  EXPECT_FALSE(IsAtAtomic(EM_X86_64, {add.data(), add.size(), kBegin}, kBegin - 1));
  EXPECT_FALSE(IsAtAtomic(EM_X86_64, {nullptr, 0, 0}, 0));
}

TEST(IsAtAtomic, NotFarBehindTheBeginning) {
  std::vector<uint8_t> bytes(2 << 20, 0x90);
  for (const size_t at : {size_t{1} << 19, (size_t{2} << 20) - 5}) {
    const std::vector<uint8_t> add = {0xf0, 0x83, 0x47, 0x08, 0x01};
    std::copy(add.begin(), add.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const FunctionCode code = {bytes.data(), bytes.size(), kBegin};
  EXPECT_TRUE(IsAtAtomic(EM_X86_64, code, kBegin + (1 << 19)));
  EXPECT_FALSE(IsAtAtomic(EM_X86_64, code, kBegin + (2 << 20) - 5));
}

struct Disassembly {
  size_t instructions = 0;
  std::vector<std::string> differences;
};

std::vector<uint8_t> BytesIn(const std::string& text) {
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at + 2 <= text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0; at += 3)
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(at, 2), nullptr, 16)));
  return bytes;
}

// Compares each line of objdump, "ADDRESS:\tBYTES\tINSTRUCTION".
void Compare(const std::string& line, Disassembly* all) {
  const size_t bytes_at = line.find(":\t");
  const size_t text_at = bytes_at == std::string::npos ? bytes_at : line.find('\t', bytes_at + 2);
  if (text_at == std::string::npos) return;
  const std::string text = line.substr(text_at + 1, line.size() - text_at - 2);
  // What objdump cannot decode either, and prefixes that stand alone.
  if (text.find("(bad)") != std::string::npos || text.find(' ') == std::string::npos) return;
  const std::vector<uint8_t> bytes = BytesIn(line.substr(bytes_at + 2));
  const x86_64::Instruction found = x86_64::Decode(bytes.data(), bytes.size());
  if (bytes.front() == 0x9b) return;  // objdump joins fwait with the instruction behind it
  const bool in_memory = text.find_first_of("(:") != std::string::npos;
  const bool atomic = text.rfind("lock ", 0) == 0 || (text.rfind("xchg ", 0) == 0 && in_memory);
  ++all->instructions;
  if (found.length != bytes.size() || found.atomic != atomic) all->differences.push_back(line);
}

TEST(Decode, EveryInstructionOfTheCAndTheMathLibraryIsAsObjdumpSays) {
  for (const char* library : {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6"}) {
    std::FILE* objdump = popen((std::string("objdump -d -w -j .text ") + library).c_str(), "r");
    ASSERT_NE(objdump, nullptr);
    Disassembly all;
    char line[512];
    while (std::fgets(line, sizeof line, objdump) != nullptr) Compare(line, &all);
    EXPECT_EQ(pclose(objdump), 0);
    EXPECT_GT(all.instructions, 50000u) << library;
    EXPECT_TRUE(all.differences.empty()) << library << ": " << all.differences.size() << " of " << all.instructions
                                         << ", such as " << all.differences.front();
  }
}

}  // namespace
}  // namespace ompprof::model
