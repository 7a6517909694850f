// Functions and lines of addresses in a real library, with and without debug information.
#include "profiler/model/symbolizer.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>

#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof::model {
namespace {

constexpr char kLibrary[] = "tests/unit/model/inlining.so";
constexpr char kLineTables[] = "tests/unit/model/inlining_lines.so";
constexpr char kStripped[] = "tests/unit/model/inlining_stripped.so";
constexpr char kZstd[] = "tests/unit/model/inlining_zstd.so";
constexpr char kBuildId[] = "\x01\x23\x45\x67\x89\xab\xcd\xef";
constexpr uint64_t kBias = 0x7f0000000000;

std::string Describe(const std::vector<SourceFrame>& frames) {
  std::string text;
  for (const SourceFrame& frame : frames) {
    const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
    text += (text.empty() ? "" : " < ") + frame.function->name + " " + file + ":" + std::to_string(frame.line);
  }
  return text;
}

class SymbolizerTest : public ::testing::Test {
 protected:
  // Symbolizes `address` in a process that had `path` at kBias.
  std::string Look(const std::string& path, uint64_t address, bool return_address = false,
                   const std::string& build_id = kBuildId) {
    test::ProfileBuilder builder;
    builder.AddModule(1, path, kBias, 0x100000, false, build_id);
    ReadResult read = test::Read(builder);
    Symbolizer symbolizer;
    symbolizer.AddProcess(read.profile);
    const std::string text = Describe(symbolizer.Frames(symbolizer.Locate(0, kBias + address, return_address, 0)));
    warnings_ = symbolizer.warnings();
    return text;
  }

  std::map<std::string, uint64_t> at_ = test::SymbolAddresses(kLibrary);
  std::vector<std::string> warnings_;
};

TEST_F(SymbolizerTest, InlinedFunctionsInnermostFirst) {
  EXPECT_EQ(Look(kLibrary, at_["at_inner"]),
            "shapes::inner shapes.cc:12 < shapes::middle shapes.cc:21 < shapes::outer(int) shapes.cc:31");
  EXPECT_EQ(Look(kLibrary, at_["at_middle"]), "shapes::middle shapes.cc:22 < shapes::outer(int) shapes.cc:31");
  EXPECT_EQ(Look(kLibrary, at_["at_outer"]), "shapes::outer(int) shapes.cc:32");
  EXPECT_TRUE(warnings_.empty());
}

// Where the compiler takes the line from a construct's call, the construct's line tells the function around it.
TEST(LexicalParent, IsNoLambdaInFrontOfTheLine) {
  for (const char* library : {"tests/unit/model/lambda_gcc.so", "tests/unit/model/lambda_clang.so"}) {
    const uint64_t start = test::SymbolAddresses(library)["at_start"];
    test::ProfileBuilder builder;
    builder.AddModule(1, library, kBias, 0x100000, false, "");
    ReadResult read = test::Read(builder);
    Symbolizer symbolizer;
    symbolizer.AddProcess(read.profile);
    const CodeAddress place = symbolizer.Locate(0, kBias + start, false, 0);
    const std::string file = symbolizer.Frames(place).front().file;
    for (const uint32_t line : {5u, 9u, 12u}) {
      const Function* parent = symbolizer.LexicalParent(place, file, line);
      ASSERT_NE(parent, nullptr) << library;
      EXPECT_NE(parent->name.find("around"), std::string::npos) << library << " " << line << " " << parent->name;
      EXPECT_EQ(parent->line, 5u) << library << " " << line << " " << parent->name;
    }
  }
}

// The name of a lambda's template instance does not tell where the lambda is, and with gcc not which lambda it is.
TEST(TypeArguments, PlacesOfLambdas) {
  for (const bool gcc : {false, true}) {
    const char* library = gcc ? "tests/unit/model/lambda_gcc.so" : "tests/unit/model/lambda_clang.so";
    auto at = test::SymbolAddresses(library);
    test::ProfileBuilder builder;
    builder.AddModule(1, library, kBias, 0x100000, false, "");
    ReadResult read = test::Read(builder);
    Symbolizer symbolizer;
    symbolizer.AddProcess(read.profile);
    const auto arguments = [&](const char* label) {
      return symbolizer.Frames(symbolizer.Locate(0, kBias + at[label], false, 0)).back().function->arguments;
    };
    EXPECT_EQ(arguments("in_first"), gcc ? "lambda.cc:101:9;" : "lambda.cc:101;") << library;
    EXPECT_EQ(arguments("in_plain"), "") << library;
    EXPECT_EQ(arguments("in_class"), gcc ? ";lambda.cc:102:20;;" : ";lambda.cc:102;;") << library;
    EXPECT_EQ(arguments("in_wrapped"), gcc ? "lambda.cc:103:17;" : "lambda.cc:103;") << library;
  }
}

// gcc's name for the instance, and the place of the lambda, are the same for both.
TEST(TypeArguments, LinkedNamesOfNestedLambdas) {
  const char* library = "tests/unit/model/lambda_gcc.so";
  auto at = test::SymbolAddresses(library);
  test::ProfileBuilder builder;
  builder.AddModule(1, library, kBias, 0x100000, false, "");
  ReadResult read = test::Read(builder);
  Symbolizer symbolizer;
  symbolizer.AddProcess(read.profile);
  const auto function = [&](const char* label) {
    return *symbolizer.Frames(symbolizer.Locate(0, kBias + at[label], false, 0)).back().function;
  };
  const Function one = function("in_one_nested");
  const Function other = function("in_other_nested");
  EXPECT_EQ(one.name, other.name);
  EXPECT_EQ(one.arguments, other.arguments);
  EXPECT_EQ(one.system_name.rfind("_Z4each", 0), 0u) << one.system_name;
  EXPECT_NE(one.system_name, other.system_name);
}

// clang -g1: functions have no lines and no linked names, and those without inlined calls are not described.
TEST_F(SymbolizerTest, LinesOfTheLineTableAlone) {
  at_ = test::SymbolAddresses(kLineTables);
  EXPECT_EQ(Look(kLineTables, at_["at_inner"]), "inner shapes.cc:12 < middle shapes.cc:21 < outer shapes.cc:31");
  EXPECT_EQ(Look(kLineTables, at_["at_hot"]), "shapes::with_cold_part(int) shapes.cc:39");
  test::ProfileBuilder builder;
  builder.AddModule(1, kLineTables, kBias, 0x100000, false, kBuildId);
  ReadResult read = test::Read(builder);
  Symbolizer symbolizer;
  symbolizer.AddProcess(read.profile);
  EXPECT_EQ(symbolizer.Frames(symbolizer.Locate(0, kBias + at_["at_outer"], false, 0)).back().function->line, 30u);
  EXPECT_EQ(symbolizer.Frames(symbolizer.Locate(0, kBias + at_["at_hot"], false, 0)).back().function->line, 36u);
}

TEST_F(SymbolizerTest, AFunctionWithAColdPartBeginsWhereItsHotPartDoes) {
  ASSERT_EQ(at_.count("_ZN6shapes14with_cold_partEi.cold"), 1u) << "the compiler made no cold part";
  ASSERT_LT(at_["_ZN6shapes14with_cold_partEi.cold"], at_["_ZN6shapes14with_cold_partEi"]);
  test::ProfileBuilder builder;
  builder.AddModule(1, kLibrary, kBias, 0x100000, false, kBuildId);
  ReadResult read = test::Read(builder);
  Symbolizer symbolizer;
  symbolizer.AddProcess(read.profile);
  const auto& frames = symbolizer.Frames(symbolizer.Locate(0, kBias + at_["at_hot"], false, 0));
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.front().function->entry, at_["_ZN6shapes14with_cold_partEi"]);
}

TEST_F(SymbolizerTest, ReturnAddressStandsForTheCallBeforeIt) {
  // The nop is one byte long: a return to the byte after it is a call at it.
  EXPECT_EQ(Look(kLibrary, at_["at_inner"] + 1, true), Look(kLibrary, at_["at_inner"]));
}

TEST_F(SymbolizerTest, StrippedLibraryHasItsExportedNames) {
  EXPECT_EQ(Look(kStripped, at_["_ZN6shapes5outerEi"]), "shapes::outer(int) :0");
}

TEST_F(SymbolizerTest, AFunctionWithoutANameIsKnownByItsBeginning) {
  // The label comes after the beginning. The function is aligned to 16 bytes (gcc -O2).
  char start[32];
  snprintf(start, sizeof start, "0x%lx", at_["at_unnamed"] & ~15ul);
  EXPECT_EQ(Look(kStripped, at_["at_unnamed"]), std::string("inlining_stripped.so+") + start + " :0");
}

TEST_F(SymbolizerTest, LabelsDoNotHideTheFunctionAroundThem) {
  EXPECT_EQ(Look(kStripped, at_["at_inner"]), "shapes::outer(int) :0");
}

// Debian 12's libdw reads no such sections.
TEST_F(SymbolizerTest, DebugInformationCompressedByZstd) {
  for (const char* library : {kZstd, "tests/unit/model/inlining_linked.so"}) {
    EXPECT_EQ(Look(library, at_["at_inner"]), Look(kLibrary, at_["at_inner"])) << library;
    EXPECT_TRUE(warnings_.empty()) << library;
  }
}

// The names are the symbol table's.
TEST_F(SymbolizerTest, DamagedZstdIsAWarning) {
  std::ifstream file(kZstd, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string magic = "\x28\xb5\x2f\xfd";  // of a frame of zstd's
  ASSERT_NE(bytes.find(magic), std::string::npos);
  for (size_t at = bytes.find(magic); at != std::string::npos; at = bytes.find(magic, at)) bytes[at] = 0;
  const std::string damaged = ::testing::TempDir() + "/damaged.so";
  std::ofstream(damaged, std::ios::binary) << bytes;
  EXPECT_EQ(Look(damaged, at_["at_inner"]), "shapes::outer(int) :0");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            damaged +
                ": its debug information is compressed by zstd and cannot be read, because its bytes are damaged: its "
                "functions have no lines; `objcopy --decompress-debug-sections` makes it readable");
}

// -gsplit-dwarf.
TEST_F(SymbolizerTest, FunctionsInFilesOfTheirOwn) {
  for (const char* library : {"tests/unit/model/inlining_split.so", "tests/unit/model/inlining_split_4.so"}) {
    const uint64_t at = test::SymbolAddresses(library)["at_inner"];
    EXPECT_EQ(Look(library, at), Look(kLibrary, at_["at_inner"])) << library;
    EXPECT_TRUE(warnings_.empty()) << library << ": " << warnings_[0];
  }
}

// The names are the symbol table's, and the lines the line table's.
TEST_F(SymbolizerTest, UnreadFilesOfFunctionsAreAWarning) {
  const std::map<std::string, std::string> whys = {
      {"tests/unit/model/inlining_split_lost",
       "cannot be opened (No such file or directory): put it back, or build with -g alone"},
      {"tests/unit/model/inlining_split_zstd",
       "is compressed by zstd: `objcopy --decompress-debug-sections` makes it readable"}};
  for (const auto& [name, why] : whys) {
    EXPECT_EQ(Look(name + ".so", test::SymbolAddresses(name + ".so")["at_inner"]), "shapes::outer(int) shapes.cc:12");
    ASSERT_EQ(warnings_.size(), 1u);
    EXPECT_EQ(warnings_[0], name + ".so: its debug information lacks functions that the compiler inlined, because " +
                                name + ".dwo " + why);
  }
}

// Whatever the sizes and offsets in the file are.
TEST_F(SymbolizerTest, LyingZstdIsNoFault) {
  std::ifstream file(kZstd, std::ios::binary);
  const std::string original((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* elf = reinterpret_cast<const Elf64_Ehdr*>(original.data());
  std::mt19937_64 random(20261129);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = original;
    for (int change = 0; change < 4; ++change) {
      // In the section headers, or behind the code: there are the compressed sections.
      const size_t begin = change % 2 == 0 ? elf->e_shoff : original.size() / 2;
      bytes[begin + random() % (original.size() - begin)] = static_cast<char>(random() % 2 == 0 ? 0xff : random());
    }
    const std::string lying = ::testing::TempDir() + "/lying.so";
    std::ofstream(lying, std::ios::binary) << bytes;
    Look(lying, at_["at_inner"]);
  }
}

TEST_F(SymbolizerTest, AMissingSharedFileIsAWarning) {
  const std::string library = "tests/unit/model/inlining_shared.so";
  EXPECT_EQ(Look(library, at_["at_inner"]), Look(kLibrary, at_["at_inner"]));
  Look(library, at_["at_inner"]);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            library +
                ": a part of its debug information is in /nowhere/shared.debug, which was not found: some functions "
                "have no names or lines; install the package that has this file");
}

TEST_F(SymbolizerTest, AnotherBuildIsNotUsed) {
  EXPECT_EQ(
      Look(kLibrary, at_["at_inner"], false, "other"), "inlining.so+0x" + [&] {
        char hex[32];
        snprintf(hex, sizeof hex, "%lx", at_["at_inner"]);
        return std::string(hex);
      }() + " :0");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            "tests/unit/model/inlining.so is not the file that was profiled (build id 0123456789abcdef, recorded "
            "6f74686572): its functions are shown as addresses");
}

TEST_F(SymbolizerTest, WithoutABuildIdAYoungerFileIsSuspected) {
  const std::string copy = ::testing::TempDir() + "/copy.so";
  std::ofstream(copy, std::ios::binary) << std::ifstream(kLibrary, std::ios::binary).rdbuf();
  const int64_t end_s = 1700000000;  // of the builder's process, less some microseconds
  const timespec before[2] = {{end_s - 1, 0}, {end_s - 1, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, copy.c_str(), before, 0), 0);
  const std::string names = Look(copy, at_["at_outer"], false, "");
  EXPECT_EQ(names, "shapes::outer(int) shapes.cc:32");
  EXPECT_TRUE(warnings_.empty());
  const timespec after[2] = {{end_s + 1, 0}, {end_s + 1, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, copy.c_str(), after, 0), 0);
  EXPECT_EQ(Look(copy, at_["at_outer"], false, ""), names);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0], copy +
                              " has no build id and was written to after it was profiled: names and lines may be those "
                              "of another build");
  Look(copy, at_["at_outer"]);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SymbolizerTest, MissingFileIsOneWarning) {
  EXPECT_EQ(Look("/nowhere/libgone.so", 0x123), "libgone.so+0x123 :0");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            "/nowhere/libgone.so cannot be opened (No such file or directory): its functions are shown as addresses");
}

TEST_F(SymbolizerTest, AddressInNoModule) {
  test::ProfileBuilder builder;
  ReadResult read = test::Read(builder);
  Symbolizer symbolizer;
  symbolizer.AddProcess(read.profile);
  EXPECT_EQ(Describe(symbolizer.Frames(symbolizer.Locate(0, 0x1234, false, 0))), "<generated code 0x0> :0");
}

TEST_F(SymbolizerTest, VdsoOfThisProcess) {
  EXPECT_EQ(Look("[vdso]", 0, false, "other"), "[vdso]+0x0 :0");
  EXPECT_TRUE(warnings_.empty());
}

// A hostile profile names as a library a pipe that no process writes to.
TEST_F(SymbolizerTest, WhatIsNoPlainFileIsNotOpened) {
  const std::string pipe = testing::TempDir() + "/pipe.so";
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  alarm(20);  // the end of any reader that waits for it
  EXPECT_EQ(Look(pipe, 0x10), "pipe.so+0x10 :0");
  EXPECT_EQ(Look("/dev", 0x10), "dev+0x10 :0");
  alarm(0);
  ASSERT_FALSE(warnings_.empty());
  EXPECT_NE(warnings_[0].find("cannot be opened (Invalid argument)"), std::string::npos) << warnings_[0];
}

TEST(ModuleMap, AddressBelongsToTheModuleOfItsTime) {
  test::ProfileBuilder builder;
  for (uint32_t id = 1; id <= 2; ++id) {
    Record record;
    Module* module = record.mutable_module();
    module->set_id(id);
    module->set_path(id == 1 ? "first" : "second");
    module->set_load_bias(0x1000);
    module->add_segments()->set_memsz(0x1000);
    module->set_loaded_epoch(id == 1 ? 0 : 5);
    module->set_unloaded_epoch(id == 1 ? 5 : 0);
    builder.Append(record);
  }
  builder.AddModule(3, "small", 0x1800, 0x10);
  ReadResult read = test::Read(builder);
  const ModuleMap map(read.profile);
  EXPECT_EQ(map.Find(0x1000, 4)->path(), "first");
  EXPECT_EQ(map.Find(0x1000, 5)->path(), "second");
  EXPECT_EQ(map.Find(0x1808, 9)->path(), "small");
  EXPECT_EQ(map.Find(0x1810, 9)->path(), "second");
  EXPECT_EQ(map.Find(0x2000, 9), nullptr);
  EXPECT_EQ(map.Find(0xfff, 9), nullptr);
}

}  // namespace
}  // namespace ompprof::model
