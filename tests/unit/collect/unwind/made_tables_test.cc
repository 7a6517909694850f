// Tables that the collector makes for libraries without .eh_frame_hdr, against the linker's table in the same library.
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "profiler/collect/unwind/made_tables.h"
#include "profiler/collect/unwind/rule_finder.h"
#include "profiler/collect/unwind/table_maker.h"

namespace ompprof::collect {
namespace {

constexpr char kLibrary[] = "tests/unit/collect/unwind/libreloaded.so";

std::vector<char> Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Write(const std::string& name, const std::vector<char>& contents) {
  const std::string path = std::string(getenv("TEST_TMPDIR")) + "/" + name;
  std::ofstream(path, std::ios::binary).write(contents.data(), static_cast<std::streamsize>(contents.size()));
  return path;
}

template <typename Header>
Header At(const std::vector<char>& contents, size_t offset) {
  Header header;
  memcpy(&header, contents.data() + offset, sizeof(header));
  return header;
}

// A section of the file, by its name.
Elf64_Shdr SectionOf(const std::vector<char>& contents, const std::string& name) {
  const auto elf = At<Elf64_Ehdr>(contents, 0);
  const auto names = At<Elf64_Shdr>(contents, elf.e_shoff + elf.e_shstrndx * sizeof(Elf64_Shdr));
  for (size_t i = 0; i < elf.e_shnum; ++i) {
    const auto section = At<Elf64_Shdr>(contents, elf.e_shoff + i * sizeof(Elf64_Shdr));
    if (name == contents.data() + names.sh_offset + section.sh_name) return section;
  }
  return {};
}

class Library {
 public:
  explicit Library(const std::string& path) : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) return;
    dl_iterate_phdr(&Library::FindSegments, this);
  }
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool loaded() const { return handle_ != nullptr; }
  bool MakeTable() const { return MakeTableIfNone({low_, high_, map()->l_addr, path_.c_str()}); }
  uintptr_t code_begin() const { return code_begin_; }
  size_t code_size() const { return code_size_; }

  // The rules of all bytes of its code.
  std::vector<UnwindRule> Rules() const {
    RuleScratch scratch;
    std::vector<UnwindRule> rules;
    bool cacheable;
    for (size_t i = 0; i < code_size_; ++i)
      rules.push_back(FindRule(code_begin_ + i, /*return_address=*/false, &scratch, &cacheable));
    return rules;
  }

 private:
  const link_map* map() const { return static_cast<const link_map*>(handle_); }

  static int FindSegments(dl_phdr_info* info, size_t, void* out) {
    auto* library = static_cast<Library*>(out);
    if (info->dlpi_addr != library->map()->l_addr) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD) continue;
      const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      if (begin < library->low_) library->low_ = begin;
      if (begin + segment.p_memsz > library->high_) library->high_ = begin + segment.p_memsz;
      if ((segment.p_flags & PF_X) == 0) continue;
      library->code_begin_ = begin;
      library->code_size_ = segment.p_memsz;
    }
    return 1;
  }

  std::string path_;
  void* handle_;
  uintptr_t low_ = UINTPTR_MAX;
  uintptr_t high_ = 0;
  uintptr_t code_begin_ = 0;
  size_t code_size_ = 0;
};

unsigned WithRule(const std::vector<UnwindRule>& rules) {
  unsigned count = 0;
  for (const UnwindRule& rule : rules) count += rule.kind != UnwindRuleKind::kNone;
  return count;
}

// The code's bytes whose rules differ.
unsigned Different(const std::vector<UnwindRule>& a, const std::vector<UnwindRule>& b) {
  unsigned count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += memcmp(&a[i], &b[i], sizeof(UnwindRule)) != 0;
  return count;
}

// As the linker leaves the library by --no-eh-frame-hdr: without the segment.
std::vector<char> WithoutHeader() {
  std::vector<char> contents = Contents(kLibrary);
  const auto elf = At<Elf64_Ehdr>(contents, 0);
  for (size_t i = 0; i < elf.e_phnum; ++i) {
    const size_t offset = elf.e_phoff + i * sizeof(Elf64_Phdr);
    const uint32_t none = PT_NULL;
    if (At<Elf64_Phdr>(contents, offset).p_type == PT_GNU_EH_FRAME) memcpy(&contents[offset], &none, sizeof(none));
  }
  return contents;
}

// As the linker leaves the library if it cannot read an entry: the table's encodings say that there is no table.
std::vector<char> WithoutTable() {
  std::vector<char> contents = Contents(kLibrary);
  const size_t header = SectionOf(contents, ".eh_frame_hdr").sh_offset;
  contents[header + 2] = contents[header + 3] = static_cast<char>(0xff);
  return contents;
}

void ExpectRulesOfTheLinkersTable(const std::string& path) {
  const Library with(kLibrary);
  const Library without(path);
  ASSERT_TRUE(with.loaded());
  ASSERT_TRUE(without.loaded());
  ASSERT_EQ(without.code_size(), with.code_size());
  EXPECT_FALSE(with.MakeTable());
  const std::vector<UnwindRule> expected = with.Rules();
  EXPECT_TRUE(without.MakeTable());
  const std::vector<UnwindRule> found = without.Rules();
  EXPECT_GT(WithRule(expected), 0u);
  EXPECT_EQ(Different(found, expected), 0u);
}

TEST(MadeTables, OfALibraryWithoutHeaderGiveTheLinkersRules) {
  ExpectRulesOfTheLinkersTable(Write("libwithout_header.so", WithoutHeader()));
}

TEST(MadeTables, OfAHeaderWithoutTableGiveTheLinkersRules) {
  ExpectRulesOfTheLinkersTable(Write("libwithout_table.so", WithoutTable()));
}

TEST(MadeTables, OfManyLibrariesThatComeAndGo) {
  const std::string path = Write("libmany.so", WithoutHeader());
  for (unsigned i = 0; i < 2 * kMostMadeTables; ++i) {
    const Library library(path);
    ASSERT_TRUE(library.loaded());
    ASSERT_TRUE(library.MakeTable()) << i;
    ASSERT_GT(WithRule(library.Rules()), 0u) << i;
  }
}

TEST(MadeTables, AFileThatHasGoneGivesNone) {
  const std::string path = Write("libgone.so", WithoutHeader());
  const Library library(path);
  ASSERT_TRUE(library.loaded());
  ASSERT_TRUE(library.MakeTable());
  unlink(path.c_str());
  EXPECT_FALSE(library.MakeTable());
  EXPECT_EQ(WithRule(library.Rules()), 0u);
}

// Neither the loader nor the code needs these bytes. The entries may say anything, and the section headers too.
TEST(MadeTables, OfLyingFilesMakeNoFault) {
  const std::vector<char> original = WithoutHeader();
  const Elf64_Shdr frames = SectionOf(original, ".eh_frame");
  const auto elf = At<Elf64_Ehdr>(original, 0);
  ASSERT_NE(frames.sh_size, 0u);
  std::mt19937_64 random(20261129);
  for (int round = 0; round < 400; ++round) {
    std::vector<char> contents = original;
    const bool headers = round % 4 == 0;
    const size_t begin = headers ? elf.e_shoff : frames.sh_offset;
    const size_t size = headers ? elf.e_shnum * sizeof(Elf64_Shdr) : frames.sh_size;
    for (uint64_t changes = 1 + random() % 8; changes > 0; --changes)
      contents[begin + random() % size] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    const Library library(Write("liblying.so", contents));
    ASSERT_TRUE(library.loaded());
    library.MakeTable();
    library.Rules();
  }
}

}  // namespace
}  // namespace ompprof::collect
