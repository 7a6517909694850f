// The names of variables, and of their members and elements, by address.
#include "profiler/model/data_symbols.h"

#include <gtest/gtest.h>

#include <string>

#include "profiler/model/symbolizer.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof::model {
namespace {

constexpr uint64_t kBias = 0x7f0000000000;

class DataSymbolsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void Open(const std::string& name) {
    path_ = "tests/unit/model/variables_" + name + ".so";
    at_ = test::SymbolAddresses(path_);
  }

  DataName Look(uint64_t address) {
    test::ProfileBuilder builder;
    builder.AddModule(1, path_, kBias, 0x100000);
    ReadResult read = test::Read(builder);
    Symbolizer symbolizer;
    symbolizer.AddProcess(read.profile);
    return symbolizer.Data(symbolizer.Locate(0, kBias + address, false, 0));
  }
  std::string Name(const std::string& symbol, uint64_t offset = 0) {
    EXPECT_EQ(at_.count(symbol), 1u) << symbol;
    return Look(at_[symbol] + offset).name;
  }

  std::string path_;
  std::map<std::string, uint64_t> at_;
};

// The compiler's omp.h defines a lock. libomp's has a pointer (a nest lock another), libgomp's 4 bytes (16).
struct Layout {
  uint64_t lock;
  uint64_t nest_lock;
  uint64_t table_locks;  // offset of Table::locks
  uint64_t accounts;     // of Bank::accounts
};
constexpr Layout kGcc{4, 16, 4, 24};
constexpr Layout kClang{8, 8, 8, 16};

INSTANTIATE_TEST_SUITE_P(Compilers, DataSymbolsTest, ::testing::Values("gcc", "clang"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(DataSymbolsTest, VariablesMembersAndElements) {
  Open(GetParam());
  const Layout layout = GetParam() == std::string("gcc") ? kGcc : kClang;
  EXPECT_EQ(Name("global_lock"), "global_lock");
  EXPECT_EQ(Name("plain", 2 * layout.lock), "plain[2]");
  EXPECT_EQ(Name("table"), "table.size");
  EXPECT_EQ(Name("table", layout.table_locks), "table.locks[0]");
  EXPECT_EQ(Name("table", layout.table_locks + 3 * layout.lock), "table.locks[3]");
  EXPECT_EQ(Name("table", 1), "table.size+0x1");
  EXPECT_EQ(Look(at_["table"]).symbol, "table");
}

TEST_P(DataSymbolsTest, NamespacesClassesAndBases) {
  Open(GetParam());
  const Layout layout = GetParam() == std::string("gcc") ? kGcc : kClang;
  const std::string bank = "_ZN5banks4bankE";
  EXPECT_EQ(Name("_ZN4Bank6sharedE"), "Bank::shared");
  EXPECT_EQ(Name(bank), "banks::bank.number");
  EXPECT_EQ(Name(bank, 8), "banks::bank.guard");
  // The account in the middle of the second row: each has a sum of 8 bytes and a lock, 16 in all.
  EXPECT_EQ(Name(bank, layout.accounts + 4 * 16 + 8), "banks::bank.accounts[1][1].lock");
  EXPECT_EQ(Name(bank, layout.accounts + 6 * 16), "banks::bank.small") << "of a union without a name";
}

TEST_P(DataSymbolsTest, AVariableOfAFunction) {
  Open(GetParam());
  EXPECT_EQ(Name("_ZZL5InnervE4once"), "Inner()::once");
}

TEST_F(DataSymbolsTest, Fortran) {
  Open("fortran");
  EXPECT_EQ(Name("__store_MOD_door"), "store::door");
  const uint64_t lock = 4;  // omp_lock_kind of libgomp
  EXPECT_EQ(Name("__store_MOD_grid"), "store::grid(1,0)");
  EXPECT_EQ(Name("__store_MOD_grid", 5 * lock), "store::grid(2,2)");
  EXPECT_EQ(Name("__store_MOD_accounts", 3 * 16 + 8), "store::accounts(4)%lock");
}

TEST_F(DataSymbolsTest, WithoutDebugInformationTheSymbolAndTheOffset) {
  Open("names_only");
  EXPECT_EQ(Name("global_lock"), "global_lock");
  EXPECT_EQ(Name("table", 0x10), "table+0x10");
  EXPECT_EQ(Name("_ZN5banks4bankE", 8), "banks::bank+0x8");
}

TEST_F(DataSymbolsTest, StrippedLibraryHasItsExportedNames) {
  Open("stripped");
  EXPECT_EQ(Name("table", 0x10), "table+0x10");
  Open("gcc");
  const uint64_t local = at_["_ZZL5InnervE4once"];
  Open("stripped");
  EXPECT_EQ(Look(local).name, "");
}

TEST_F(DataSymbolsTest, WhatIsNoVariable) {
  Open("gcc");
  EXPECT_EQ(Look(0).name, "");
  EXPECT_EQ(Look(at_["inner"]).name, "");
  EXPECT_EQ(Look(0xfffff).name, "");
  path_ = "/nowhere/libgone.so";
  EXPECT_EQ(Look(0x10).name, "");
}

}  // namespace
}  // namespace ompprof::model
