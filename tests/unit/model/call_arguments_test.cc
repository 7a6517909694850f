// Instructions that clang 14 and gcc 12 emit before the call that enters a critical construct.
#include "profiler/model/arch/call_arguments.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/model/critical_name.h"

namespace ompprof::model {
namespace {

constexpr uint64_t kBegin = 0x401000;
constexpr uint64_t kHot = 0x405150;
constexpr uint64_t kCold = 0x405170;
constexpr uint64_t kSlot = 0x403fe0;

const AddressNames kNames = {{kHot, ".gomp_critical_user_hot.var"},
                             {kCold, ".gomp_critical_user_cold.var"},
                             {kSlot, ".gomp_critical_user_far.var"}};

class Code {
 public:
  Code& Bytes(std::vector<uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Code& Word(uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(value >> 8 * i));
    return *this;
  }
  // An instruction that ends with the distance to `target`.
  Code& Relative(std::vector<uint8_t> opcode, uint64_t target) {
    Bytes(opcode);
    return Word(static_cast<uint32_t>(target - (kBegin + bytes_.size() + 4)));
  }
  Code& Call() { return Bytes({0xe8}).Word(0xfffff000); }
  // The argument of the last call.
  std::string Find() const {
    return NameInCallArguments(EM_X86_64, {bytes_.data(), bytes_.size(), kBegin}, kBegin + bytes_.size(), kNames);
  }
  std::string FindAt(size_t call_end) const {
    return NameInCallArguments(EM_X86_64, {bytes_.data(), bytes_.size(), kBegin}, kBegin + call_end, kNames);
  }
  // The argument of the jumps that leave the function.
  std::optional<std::string> FindInJump() const {
    return NameInJumpArguments(EM_X86_64, {bytes_.data(), bytes_.size(), kBegin}, kNames);
  }
  uint64_t Called() const {
    return CalledFunction(EM_X86_64, {bytes_.data(), bytes_.size(), kBegin}, kBegin + bytes_.size());
  }
  FunctionCode code() const { return {bytes_.data(), bytes_.size(), kBegin}; }
  size_t size() const { return bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
};

const std::vector<uint8_t> kLeaRdx = {0x48, 0x8d, 0x15};
const std::vector<uint8_t> kLeaRdi = {0x48, 0x8d, 0x3d};
const std::vector<uint8_t> kLeaR13 = {0x4c, 0x8d, 0x2d};
const std::vector<uint8_t> kLeaR15 = {0x4c, 0x8d, 0x3d};
const std::vector<uint8_t> kMovRdxR13 = {0x4c, 0x89, 0xea};
const std::vector<uint8_t> kMovRdxR15 = {0x4c, 0x89, 0xfa};
const std::vector<uint8_t> kMovEsiEbx = {0x89, 0xde};

TEST(CallArguments, AddressInTheArgumentsRegister) {
  EXPECT_EQ(Code().Relative(kLeaRdx, kHot).Bytes(kMovEsiEbx).Call().Find(), ".gomp_critical_user_hot.var");
  EXPECT_EQ(Code().Relative(kLeaRdi, kCold).Call().Find(), ".gomp_critical_user_cold.var");
}

TEST(CallArguments, AbsoluteAddresses) {
  EXPECT_EQ(Code().Bytes({0xba}).Word(kHot).Call().Find(), ".gomp_critical_user_hot.var");
  EXPECT_EQ(Code().Bytes({0x48, 0xc7, 0xc2}).Word(kCold).Call().Find(), ".gomp_critical_user_cold.var");
  // mov r14, kHot; mov r13, kCold; mov rdx, r14
  Code kept;
  kept.Bytes({0x49, 0xc7, 0xc6}).Word(kHot).Bytes({0x49, 0xc7, 0xc5}).Word(kCold).Bytes({0x4c, 0x89, 0xf2}).Call();
  EXPECT_EQ(kept.Find(), ".gomp_critical_user_hot.var");
}

TEST(CallArguments, ByWayOfASlotInASharedObject) {
  EXPECT_EQ(Code().Relative({0x48, 0x8b, 0x15}, kSlot).Call().Find(), ".gomp_critical_user_far.var");
}

TEST(CallArguments, NamesKeptInRegistersThroughALoop) {
  Code code;
  code.Relative(kLeaR15, kHot).Relative(kLeaR13, kCold);
  code.Bytes(std::vector<uint8_t>(100, 0x90));
  code.Bytes(kMovEsiEbx).Bytes(kMovRdxR15).Call();
  const size_t first = code.size();
  code.Bytes(kMovRdxR13).Call();
  EXPECT_EQ(code.FindAt(first), ".gomp_critical_user_hot.var");
  EXPECT_EQ(code.Find(), ".gomp_critical_user_cold.var");
}

TEST(CallArguments, TheArgumentOfAnEarlierCallIsNotTaken) {
  // The second call's argument comes from the stack: mov rdx, [rsp + 8].
  Code code;
  code.Relative(kLeaRdx, kHot).Call().Bytes({0x48, 0x8b, 0x54, 0x24, 0x08}).Call();
  EXPECT_EQ(code.Find(), ".gomp_critical_user_hot.var") << "the only name in the function";
  code.Relative(kLeaR13, kCold);
  const size_t before = code.size();
  code.Bytes({0x48, 0x8b, 0x54, 0x24, 0x08}).Call();
  EXPECT_NE(before, code.size());
  EXPECT_EQ(code.Find(), "") << "one of two, and the code does not say which";
}

TEST(CallArguments, NoReference) {
  EXPECT_EQ(Code().Relative(kLeaRdx, kHot + 8).Call().Find(), "");
  EXPECT_EQ(Code().Find(), "");
  const Code code = Code().Relative(kLeaRdx, kHot).Call();
  EXPECT_EQ(code.FindAt(1000), "");
}

TEST(CallArguments, AFunctionThatIsCalled) {
  EXPECT_EQ(Code().Relative({0xe8}, kBegin + 0x1234).Called(), kBegin + 0x1234);
  EXPECT_EQ(Code().Bytes({0xff, 0x15}).Word(0x1234).Called(), 0u) << "by way of a slot";
  EXPECT_EQ(Code().Bytes({0xe8}).Called(), 0u);
}

TEST(CallArguments, AJumpOutOfTheFunction) {
  const std::vector<uint8_t> jump = {0xe9};
  const std::vector<uint8_t> jump_by_slot = {0xff, 0x25};
  EXPECT_EQ(Code().Relative(kLeaRdx, kHot).Relative(jump, kBegin - 0x500).FindInJump(), ".gomp_critical_user_hot.var");
  EXPECT_EQ(Code().Relative(kLeaRdi, kCold).Relative(jump_by_slot, 0x404000).FindInJump(),
            ".gomp_critical_user_cold.var");
  // An earlier call gets another address.
  const Code second = Code().Relative(kLeaRdx, kHot).Call().Relative(kLeaRdx, kCold).Relative(jump, kBegin - 0x500);
  EXPECT_EQ(second.FindInJump(), ".gomp_critical_user_cold.var");
  // One of two jumps is taken.
  Code either = Code().Relative(kLeaRdx, kHot).Relative(jump, kBegin - 0x500);
  EXPECT_EQ(either.Relative(kLeaRdx, kCold).Relative(jump, kBegin - 0x500).FindInJump(), "");
  // A loop's jump stays in the function.
  EXPECT_EQ(Code().Relative(kLeaRdx, kHot).Relative(jump, kBegin).FindInJump(), "");
  EXPECT_EQ(Code().Relative(jump, kBegin - 0x500).FindInJump(), std::nullopt);
}

TEST(CallArguments, CodeOfAnotherProcessorIsNotRead) {
  const std::vector<uint8_t> code(64, 0x48);
  EXPECT_EQ(NameInCallArguments(EM_AARCH64, {code.data(), code.size(), kBegin}, kBegin + 32, kNames), "");
  EXPECT_EQ(NameInJumpArguments(EM_AARCH64, {code.data(), code.size(), kBegin}, kNames), std::nullopt);
  EXPECT_EQ(CalledFunction(EM_AARCH64, {code.data(), code.size(), kBegin}, kBegin + 32), 0u);
  EXPECT_FALSE(CanReadCode(EM_AARCH64));
  EXPECT_EQ(SlotRelocation(EM_AARCH64), 0u);
  EXPECT_EQ(RelativeRelocation(EM_AARCH64), 0u);
}

TEST(CallArguments, ACallOutsideTheCode) {
  const std::vector<uint8_t> code(64, 0x48);
  for (const uint64_t call_end : {kBegin, kBegin - 1, kBegin + 65})
    EXPECT_EQ(NameInCallArguments(EM_X86_64, {code.data(), code.size(), kBegin}, call_end, kNames), "");
}

TEST(CriticalName, AsTheProgramHasIt) {
  std::string name;
  EXPECT_TRUE(CriticalName(".gomp_critical_user_hot.var", &name));
  EXPECT_EQ(name, "hot");
  EXPECT_TRUE(CriticalName(".gomp_critical_user_hot", &name));
  EXPECT_EQ(name, "hot");
  EXPECT_TRUE(CriticalName(".gomp_critical_user_.var", &name));
  EXPECT_EQ(name, "");
  EXPECT_FALSE(CriticalName("hot", &name));
}

// All uses of functions, whatever the register: loads of the address, calls and jumps.
TEST(FunctionUses, LoadsCallsAndJumps) {
  Code code;
  code.Relative({0x48, 0x8d, 0x15}, kHot);       // lea rdx, [rip + x]
  code.Bytes({0x90}).Bytes({0xb9}).Word(kCold);  // mov ecx, imm32
  code.Relative({0xe8}, kHot).Relative({0xe8}, kHot + 1).Relative({0xe9}, kCold);
  std::vector<std::pair<uint64_t, uint64_t>> found;
  for (const FunctionUse& use : FunctionUses(EM_X86_64, code.code(), kNames))
    found.emplace_back(use.function, use.place);
  EXPECT_EQ(found, (std::vector<std::pair<uint64_t, uint64_t>>{
                       {kHot, kBegin}, {kCold, kBegin + 8}, {kHot, kBegin + 13}, {kCold, kBegin + 23}}));
  EXPECT_TRUE(FunctionUses(EM_AARCH64, code.code(), kNames).empty());
  EXPECT_TRUE(FunctionUses(EM_X86_64, {nullptr, 0, kBegin}, kNames).empty());
}

}  // namespace
}  // namespace ompprof::model
