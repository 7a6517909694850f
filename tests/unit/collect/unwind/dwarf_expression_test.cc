// DWARF expressions, byte by byte with their known results (DWARF 5, section 2.5). Endless, malformed and unreadable
// expressions are refused.
#include "profiler/collect/unwind/dwarf_expression.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/unit/collect/unwind/cfi_image.h"

namespace ompprof::collect {
namespace {

struct Outcome {
  bool ok;
  uintptr_t value;
};

Outcome Evaluate(const Bytes& bytes, const uintptr_t* cfa = nullptr) {
  Registers registers;
  for (unsigned i = 0; i < arch::kRegisterCount; ++i) registers.value[i] = 1000 * i;
  StackReader stack({0, 0}, 0);
  Outcome outcome = {false, 0};
  outcome.ok = EvaluateExpression({bytes.data(), bytes.data() + bytes.size()}, registers, cfa, &stack, &outcome.value);
  return outcome;
}

void ExpectValue(const Bytes& bytes, int64_t expected) {
  const Outcome outcome = Evaluate(bytes);
  EXPECT_TRUE(outcome.ok) << testing::PrintToString(bytes);
  EXPECT_EQ(static_cast<int64_t>(outcome.value), expected) << testing::PrintToString(bytes);
}

TEST(DwarfExpressionTest, Constants) {
  ExpectValue({0x30}, 0);
  ExpectValue({0x4f}, 31);
  ExpectValue({0x08, 0xff}, 255);
  ExpectValue({0x09, 0xff}, -1);
  ExpectValue({0x0a, 0xff, 0xff}, 65535);
  ExpectValue({0x0b, 0xfe, 0xff}, -2);
  ExpectValue({0x0c, 0xff, 0xff, 0xff, 0xff}, 0xffffffff);
  ExpectValue({0x0d, 0xff, 0xff, 0xff, 0xff}, -1);
  ExpectValue({0x10, 0x80, 0x01}, 128);
  ExpectValue({0x11, 0x7f}, -1);
}

TEST(DwarfExpressionTest, RegistersAndTheStack) {
  ExpectValue({0x77, 0x08}, 7008);
  ExpectValue({0x80, 0x00}, 16000);
  ExpectValue({0x92, 3, 0x7f}, 2999);
  ExpectValue({0x31, 0x32, 0x14}, 1);                  // over
  ExpectValue({0x31, 0x32, 0x16}, 1);                  // swap
  ExpectValue({0x31, 0x32, 0x33, 0x17, 0x13}, 1 + 0);  // rot, drop: 3 1 (2) -> 1
  ExpectValue({0x35, 0x36, 0x37, 0x15, 2}, 5);         // pick 2
  ExpectValue({0x35, 0x12, 0x22}, 10);                 // dup, plus
}

TEST(DwarfExpressionTest, Arithmetic) {
  ExpectValue({0x37, 0x33, 0x1c}, 4);         // minus
  ExpectValue({0x37, 0x33, 0x1b}, 2);         // div
  ExpectValue({0x37, 0x33, 0x1d}, 1);         // mod
  ExpectValue({0x37, 0x33, 0x1e}, 21);        // mul
  ExpectValue({0x37, 0x1f}, -7);              // neg
  ExpectValue({0x37, 0x20}, ~7);              // not
  ExpectValue({0x37, 0x1f, 0x19}, 7);         // abs
  ExpectValue({0x37, 0x23, 0x80, 1}, 135);    // plus_uconst
  ExpectValue({0x31, 0x34, 0x24}, 16);        // shl
  ExpectValue({0x09, 0xf0, 0x32, 0x26}, -4);  // shra
  ExpectValue({0x33, 0x35, 0x1a}, 1);         // and
  ExpectValue({0x33, 0x35, 0x21}, 7);         // or
  ExpectValue({0x33, 0x35, 0x27}, 6);         // xor
  ExpectValue({0x09, 0xff, 0x31, 0x2d}, 1);   // -1 < 1: comparisons are signed
  ExpectValue({0x31, 0x08, 200, 0x24}, 0);    // a shift by more than there are bits
}

TEST(DwarfExpressionTest, LowestIntegerDividedByMinusOneWraps) {
  ExpectValue({0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b}, INT64_MIN);
}

TEST(DwarfExpressionTest, BranchesBothWays) {
  ExpectValue({0x31, 0x28, 1, 0, 0x35, 0x36}, 6);  // bra taken: skips lit5
  ExpectValue({0x35, 0x30, 0x28, 1, 0, 0x36}, 6);  // not taken
  ExpectValue({0x35, 0x2f, 1, 0, 0x36}, 5);        // skip
  // 10; loop: 1 -; dup; bra loop
  ExpectValue({0x3a, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff}, 0);
}

TEST(DwarfExpressionTest, PushesTheCfaFirst) {
  const uintptr_t cfa = 100;
  const Outcome outcome = Evaluate({0x38, 0x1c}, &cfa);
  EXPECT_TRUE(outcome.ok);
  EXPECT_EQ(outcome.value, 92u);
}

TEST(DwarfExpressionTest, ReadsMemory) {
  const uint64_t word = 0x1122334455667788;
  Bytes bytes = {0x03};
  const auto address = reinterpret_cast<uintptr_t>(&word);
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(address >> (8 * i)));
  Bytes deref = bytes;
  deref.push_back(0x06);
  ExpectValue(deref, 0x1122334455667788);
  Bytes deref_size = bytes;
  deref_size.push_back(0x94);
  deref_size.push_back(2);
  ExpectValue(deref_size, 0x7788);
}

TEST(DwarfExpressionTest, RefusesWhatCannotBe) {
  const Bytes expressions[] = {
      {},                     // no result
      {0x22},                 // plus on nothing
      {0x31, 0x30, 0x1b},     // division by zero
      {0x31, 0x30, 0x1d},     // modulo zero
      {0x30, 0x06},           // a read at 0
      {0x2f, 0xfd, 0xff},     // a loop without end
      {0x31, 0x2f, 100, 0},   // a branch out of the expression
      {0x31, 0x2f, 0, 0x80},  // and backwards
      {0x08},                 // cut short
      {0x92, 40, 0},          // no such register
      {0x31, 0x15, 5},        // pick below the stack
      {0x31, 0x94, 0},        // a read of no size
      {0x31, 0x94, 9},        // and of too much
      {0x50},                 // a register location is not allowed in CFI
      {0xff},                 // no such operation
  };
  for (const Bytes& expression : expressions) {
    EXPECT_FALSE(Evaluate(expression).ok) << testing::PrintToString(expression);
  }
}

TEST(DwarfExpressionTest, TakesFuel) {
  const Bytes nops(400, 0x96);
  Registers registers = {};
  const uintptr_t cfa = 7;
  uintptr_t value = 0;
  Fuel fuel;
  fuel.Fill();
  StackReader stack({0, 0}, 0, &fuel);
  const ExpressionBytes bytes = {nops.data(), nops.data() + nops.size()};
  const uint32_t before = fuel.Affordable(Cut::kTables);
  EXPECT_TRUE(EvaluateExpression(bytes, registers, &cfa, &stack, &value));
  EXPECT_EQ(value, cfa);
  EXPECT_NEAR(before - fuel.Affordable(Cut::kTables), 400, 8);
  fuel.Spend(fuel.Affordable(Cut::kTables) - 100);
  EXPECT_FALSE(EvaluateExpression(bytes, registers, &cfa, &stack, &value));
  EXPECT_TRUE(fuel.Has(Cut::kTables));
  // A checked read is a system call, and costs as much.
  fuel.Fill();
  uintptr_t word = 0;
  int reads = 0;
  const uintptr_t page[2] = {1, 2};
  while (stack.Read(reinterpret_cast<uintptr_t>(page) + 1, &word)) ++reads;
  EXPECT_EQ(reads, (Fuel::kSample - Fuel::kKeptForTree) / Fuel::kRead);
  EXPECT_TRUE(fuel.Has(Cut::kFrames));
}

TEST(DwarfExpressionTest, StackIsBounded) { EXPECT_FALSE(Evaluate(Bytes(100, 0x31)).ok); }

}  // namespace
}  // namespace ompprof::collect
