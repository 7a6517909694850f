// Unwind rows and rules from CFI that cfi_image.h assembles, instruction by instruction. Malformed or endless programs
// are refused.
#include "profiler/collect/unwind/cfi_row.h"

#include <gtest/gtest.h>

#include <memory>

#include "profiler/collect/unwind/rule_finder.h"
#include "tests/unit/collect/unwind/cfi_image.h"

namespace ompprof::collect {
namespace {

constexpr unsigned kRbx = 3;
constexpr unsigned kRbp = 6;

// The row and the rule at text() + offset.
struct Found {
  bool ok = false;
  std::unique_ptr<EntryScratch> scratch = std::make_unique<EntryScratch>();
  Fde fde;
  CfiRow row;
  UnwindRule rule;
};

Found Find(CfiImage* image, uint32_t offset) {
  Found found;
  const Object object = image->Finish();
  const uintptr_t pc = image->text() + offset;
  RowScratch states;
  found.ok =
      FindFde(object, pc, found.scratch.get(), &found.fde) && ComputeRow(object, found.fde, pc, &states, &found.row);
  if (found.ok) found.rule = arch::CompileRule(found.fde, found.row, pc);
  return found;
}

// push %rbp; mov %rsp,%rbp; ... leave; ret
const Bytes kWithFramePointer = {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x50, 0x0c, 7, 8};

TEST(CfiRowTest, FollowsAPrologueInstructionByInstruction) {
  CfiImage image;
  image.AddFunction(0x100, 0x40, kWithFramePointer);
  const Found entry = Find(&image, 0x100);
  ASSERT_TRUE(entry.ok);
  EXPECT_EQ(entry.rule.kind, UnwindRuleKind::kFromSp);
  EXPECT_EQ(entry.rule.cfa_offset, 8);
  EXPECT_EQ(entry.rule.fp_offset, arch::kFpUnchanged);

  const Found pushed = Find(&image, 0x101);
  EXPECT_EQ(pushed.rule.kind, UnwindRuleKind::kFromSp);
  EXPECT_EQ(pushed.rule.cfa_offset, 16);
  EXPECT_EQ(pushed.rule.fp_offset, -16);

  for (const uint32_t body : {0x104u, 0x113u}) {
    const Found in_body = Find(&image, body);
    EXPECT_EQ(in_body.rule.kind, UnwindRuleKind::kFromFp) << body;
    EXPECT_EQ(in_body.rule.cfa_offset, 16);
    EXPECT_EQ(in_body.rule.fp_offset, -16);
  }
  EXPECT_EQ(Find(&image, 0x114).rule.kind, UnwindRuleKind::kFromSp);
}

TEST(CfiRowTest, FindsTheRightOneOfManyFunctionsAndNoneInTheGaps) {
  CfiImage image;
  for (uint32_t i = 0; i < 50; ++i) {
    image.AddFunction(i * 0x100, 0x40, {0x0e, static_cast<uint8_t>(16 + 8 * (i % 10))});
  }
  for (uint32_t i = 0; i < 50; ++i) {
    const Found last = Find(&image, i * 0x100 + 0x3f);
    ASSERT_TRUE(last.ok) << i;
    EXPECT_EQ(last.rule.cfa_offset, static_cast<int32_t>(16 + 8 * (i % 10)));
    EXPECT_FALSE(Find(&image, i * 0x100 + 0x40).ok) << i;
  }
  const Object object = image.Finish();
  EntryScratch scratch;
  Fde fde;
  EXPECT_FALSE(FindFde(object, image.text() - 1, &scratch, &fde));
  EXPECT_FALSE(FindFde(object, 0, &scratch, &fde));
  EXPECT_FALSE(FindFde(object, UINTPTR_MAX, &scratch, &fde));
}

// Tables of a damaged or hostile object do not decide how long the handler takes.
TEST(CfiRowTest, AProgramWithoutAnEndIsNone) {
  for (const size_t nops : {4000u, 5000u, 50000u}) {
    CfiImage image;
    Bytes program(nops, 0x00);
    program.insert(program.end(), {0x0e, 32});
    image.AddFunction(0x100, 0x40, program);
    Object object = image.Finish();
    object.permanent = true;  // read in place, whole
    Fde fde;
    RowScratch states;
    CfiRow row;
    ASSERT_TRUE(FindFde(object, image.text() + 0x110, nullptr, &fde)) << nops;
    EXPECT_EQ(ComputeRow(object, fde, image.text() + 0x110, &states, &row), nops < kMaxInstructions) << nops;
    EXPECT_LE(states.instructions, kMaxInstructions);
    EXPECT_GE(states.instructions, std::min<size_t>(nops, kMaxInstructions)) << "what it has cost";
  }
}

TEST(CfiRowTest, AnAugmentationWithoutAnEndIsNone) {
  for (const size_t letters : {8u, 13u, 17u, 1000u}) {
    CfiImage image({0x0c, 7, 8, 0x90, 1}, "zR" + std::string(letters, 'S'));
    image.AddFunction(0x100, 0x40, {});
    Object object = image.Finish();
    object.permanent = true;
    Fde fde;
    EXPECT_EQ(FindFde(object, image.text() + 0x110, nullptr, &fde), letters < 16) << letters;
  }
}

TEST(CfiRowTest, RemembersAndRestores) {
  CfiImage image;
  // def_cfa_offset 32; rbx at c-24; remember; advance 4; restore rbx; def_cfa_offset 8; advance 4; restore_state
  image.AddFunction(0, 0x20, {0x0e, 32, 0x83, 3, 0x0a, 0x44, 0xc3, 0x0e, 8, 0x44, 0x0b});
  EXPECT_EQ(Find(&image, 3).row.registers[kRbx].value, -24);
  EXPECT_EQ(Find(&image, 4).row.registers[kRbx].kind, RegisterRuleKind::kUnspecified);
  EXPECT_EQ(Find(&image, 4).row.cfa_value, 8);
  EXPECT_EQ(Find(&image, 8).row.registers[kRbx].value, -24);
  EXPECT_EQ(Find(&image, 8).row.cfa_value, 32);
}

TEST(CfiRowTest, ReadsEveryWayToSayWhereARegisterIs) {
  CfiImage image;
  image.AddFunction(0, 0x20, {0x05, 0,  4,           // offset_extended rax: c-32
                              0x11, 1,  0x7e,        // offset_extended_sf rdx: c+16
                              0x07, 2,               // undefined rcx
                              0x08, 3,               // same_value rbx
                              0x09, 4,  5,           // register rsi: in rdi
                              0x10, 6,  1,    0x30,  // expression rbp
                              0x14, 8,  2,           // val_offset r8: c-16
                              0x15, 9,  0x7f,        // val_offset_sf r9: c+8
                              0x16, 10, 1,    0x31,  // val_expression r10
                              0x2f, 11, 3,           // GNU_negative_offset_extended r11: c+24
                              0x2e, 16, 0x2d,        // GNU_args_size, GNU_window_save: nothing to a walk
                              0x05, 40, 1});         // a vector register: ignored
  const Found found = Find(&image, 0);
  ASSERT_TRUE(found.ok);
  const RegisterRule* rules = found.row.registers;
  EXPECT_EQ(rules[0].kind, RegisterRuleKind::kOffset);
  EXPECT_EQ(rules[0].value, -32);
  EXPECT_EQ(rules[1].value, 16);
  EXPECT_EQ(rules[2].kind, RegisterRuleKind::kUndefined);
  EXPECT_EQ(rules[3].kind, RegisterRuleKind::kSame);
  EXPECT_EQ(rules[4].kind, RegisterRuleKind::kRegister);
  EXPECT_EQ(rules[4].value, 5);
  EXPECT_EQ(rules[6].kind, RegisterRuleKind::kExpression);
  EXPECT_EQ(rules[8].kind, RegisterRuleKind::kValueOffset);
  EXPECT_EQ(rules[8].value, -16);
  EXPECT_EQ(rules[9].value, 8);
  EXPECT_EQ(rules[10].kind, RegisterRuleKind::kValueExpression);
  EXPECT_EQ(rules[11].value, 24);
  EXPECT_EQ(found.rule.kind, UnwindRuleKind::kComplex);
}

TEST(CfiRowTest, CompilesGccsRealignedStack) {
  CfiImage image;
  // DW_CFA_expression rbp: breg6 0; DW_CFA_def_cfa_expression: breg6 -8, deref
  image.AddFunction(0, 0x20, {0x10, kRbp, 2, 0x76, 0, 0x0f, 3, 0x76, 0x78, 0x06});
  const Found found = Find(&image, 0);
  ASSERT_TRUE(found.ok);
  EXPECT_EQ(found.rule.kind, UnwindRuleKind::kRealigned);
  EXPECT_EQ(found.rule.cfa_offset, -8);
  EXPECT_EQ(found.rule.fp_offset, 0);
}

TEST(CfiRowTest, CompilesALazyPltEntryByAddress) {
  for (const uint8_t threshold : {uint8_t{0x3b}, uint8_t{0x3a}}) {
    CfiImage image;
    image.AddFunction(0, 0x40, {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, threshold, 0x2a, 0x33, 0x24, 0x22});
    const uint32_t text_low = static_cast<uint32_t>(image.text() & 15);
    for (uint32_t offset = 0; offset < 0x40; ++offset) {
      const Found found = Find(&image, offset);
      ASSERT_TRUE(found.ok);
      EXPECT_EQ(found.rule.kind, UnwindRuleKind::kFromSp);
      const bool pushed = ((text_low + offset) & 15) >= threshold - 0x30u;
      EXPECT_EQ(found.rule.cfa_offset, pushed ? 16 : 8) << offset;
    }
  }
}

TEST(CfiRowTest, OtherCfaRegistersNeedTheFullWalk) {
  CfiImage image;
  image.AddFunction(0, 0x20, {0x0d, 10});      // CFA = r10 + 8
  image.AddFunction(0x100, 0x20, {0x07, 16});  // return address undefined
  EXPECT_EQ(Find(&image, 0).rule.kind, UnwindRuleKind::kComplex);
  EXPECT_EQ(Find(&image, 0x100).rule.kind, UnwindRuleKind::kRoot);
}

TEST(CfiRowTest, SeesTheSignalFrameMark) {
  CfiImage image({0x0c, 7, 8, 0x90, 1}, "zRS");
  image.AddFunction(0, 0x20, {});
  EXPECT_TRUE(Find(&image, 0).fde.signal_frame);
}

TEST(CfiRowTest, RefusesWhatIsMalformed) {
  const Bytes programs[] = {
      {0x0b},                                            // restore without remember
      {0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a},  // remembers more than fits
      {0x3e},                                            // no such instruction
      {0x0c, 99, 8},                                     // CFA in a register that is none
      {0x0f, 0xff, 0xff, 0x7f},                          // an expression longer than the object
      {0x0c, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},     // an offset beyond 31 bits
  };
  for (const Bytes& program : programs) {
    CfiImage image;
    image.AddFunction(0, 0x20, program);
    EXPECT_FALSE(Find(&image, 0).ok) << static_cast<int>(program[0]) << ' ' << program.size();
  }
}

TEST(CfiRowTest, AProgramWithoutCfaGivesNoRow) {
  CfiImage image(Bytes{});
  image.AddFunction(0, 0x20, {});
  EXPECT_FALSE(Find(&image, 0).ok);
}

}  // namespace
}  // namespace ompprof::collect
