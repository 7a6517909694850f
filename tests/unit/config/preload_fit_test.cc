// Which files a preload fits, by made-up files: of the kinds that real systems have, and of kinds that nobody should
// have.
#include "profiler/config/preload_fit.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace ompprof::config {
namespace {

int open_files = 0;
int calls = 0;

long Call(long number, long a, long b, long c, long d, long e, long f) {
  ++calls;
  const long result = syscall(number, a, b, c, d, e, f);
  if (number == SYS_openat && result >= 0) ++open_files;
  if (number == SYS_close) --open_files;
  return result == -1 ? -errno : result;
}

PreloadFit Fit(const std::string& path, bool by_shell = false) {
  calls = 0;
  const PreloadFit fit = FitOfProgram(Call, AT_FDCWD, path.c_str(), by_shell);
  EXPECT_EQ(open_files, 0) << path;
  EXPECT_LE(calls, 200) << path;
  return fit;
}

class PreloadFits : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::string(std::getenv("TEST_TMPDIR")) + "/fit-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    chmod(Path(name).c_str(), 0755);
    return Path(name);
  }

  // An ELF file whose last program header, of `segments`, names `loader`; of none if it is empty.
  template <typename Header = Elf64_Ehdr, typename Segment = Elf64_Phdr>
  std::string Elf(const std::string& loader, int machine = EM_X86_64, int segments = 3) const {
    Header header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = sizeof(Header) == sizeof(Elf64_Ehdr) ? ELFCLASS64 : ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = static_cast<Elf64_Half>(machine);
    header.e_phoff = sizeof(Header);
    header.e_phentsize = sizeof(Segment);
    header.e_phnum = static_cast<Elf64_Half>(segments);
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
    for (int i = 0; i < segments; ++i) {
      Segment segment = {};
      segment.p_type = i == segments - 1 && !loader.empty() ? PT_INTERP : PT_LOAD;
      segment.p_offset = static_cast<decltype(segment.p_offset)>(sizeof(Header) + sizeof(Segment) * segments);
      segment.p_filesz = static_cast<decltype(segment.p_filesz)>(loader.size() + 1);
      bytes.append(reinterpret_cast<const char*>(&segment), sizeof(segment));
    }
    return Write("program", bytes + loader + std::string(1, '\0'));
  }

  std::string folder_;
};

TEST_F(PreloadFits, ByTheLoadersName) {
  const struct {
    const char* loader;
    PreloadFit fit;
  } rows[] = {
      {"/lib64/ld-linux-x86-64.so.2", PreloadFit::kFits},
      {"/opt/glibc-2.39/lib/ld-linux-x86-64.so.2", PreloadFit::kFits},
      {"ld-linux-x86-64.so.2", PreloadFit::kFits},
      {"/opt/glibc/lib/ld.so", PreloadFit::kFits},
      {"/opt/glibc/lib/ld-2.17.so", PreloadFit::kFits},
      {"/opt/glibc/lib/ld-2.16.so", PreloadFit::kOldLoader},
      {"/opt/glibc/lib/ld-2.3.6.so", PreloadFit::kOldLoader},
      {"/lib/ld-musl-x86_64.so.1", PreloadFit::kOtherLoader},
      {"/lib/ld64-uClibc.so.0", PreloadFit::kOtherLoader},
      {"/system/bin/linker64", PreloadFit::kOtherLoader},
      {"/ld-linux-x86-64.so.2/", PreloadFit::kOtherLoader},
  };
  for (const auto& row : rows) EXPECT_EQ(Fit(Elf(row.loader)), row.fit) << row.loader;
  EXPECT_EQ(Fit(Elf("")), PreloadFit::kStatic);
}

TEST_F(PreloadFits, ByTheNameBehindALink) {
  const struct {
    const char* name;
    const char* target;
    PreloadFit fit;
  } rows[] = {
      {"ld-linux-x86-64.so.2", "ld-2.31.so", PreloadFit::kFits},
      {"ld-linux-x86-64.so.2", "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", PreloadFit::kFits},
      {"ld-linux-x86-64.so.2", "/nix/store/abc-nix-ld/libexec/nix-ld", PreloadFit::kFits},
      {"ld-linux-x86-64.so.2", "ld-2.12.so", PreloadFit::kOldLoader},
      {"ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1", PreloadFit::kOtherLoader},
      {"ld-lsb-x86-64.so.3", "ld-linux-x86-64.so.2", PreloadFit::kFits},
      {"own.so", "ld-linux-x86-64.so.2", PreloadFit::kFits},
      {"ld-musl-x86_64.so.1", "x86_64-linux-musl/libc.so", PreloadFit::kOtherLoader},
  };
  for (const auto& row : rows) {
    unlink(Path(row.name).c_str());
    ASSERT_EQ(symlink(row.target, Path(row.name).c_str()), 0);
    EXPECT_EQ(Fit(Elf(Path(row.name))), row.fit) << row.name << " " << row.target;
  }
}

TEST_F(PreloadFits, OtherMachines) {
  const std::string loader = "/lib/ld-linux.so.2";
  EXPECT_EQ(Fit(Elf("/lib/ld-linux-aarch64.so.1", EM_AARCH64)), PreloadFit::kOtherMachine);
  EXPECT_EQ(Fit((Elf<Elf32_Ehdr, Elf32_Phdr>(loader, EM_386))), PreloadFit::kOtherMachine);
  EXPECT_EQ(Fit((Elf<Elf32_Ehdr, Elf32_Phdr>("/libx32/ld-linux-x32.so.2", EM_X86_64))), PreloadFit::kOtherMachine);
  // A program without a loader can't be harmed, whatever it is for.
  EXPECT_EQ(Fit(Elf("", EM_AARCH64)), PreloadFit::kStatic);
  EXPECT_EQ(Fit((Elf<Elf32_Ehdr, Elf32_Phdr>("", EM_386))), PreloadFit::kStatic);
  std::string bytes(64, '\0');
  std::memcpy(bytes.data(), ELFMAG, SELFMAG);
  bytes[EI_CLASS] = ELFCLASS64;
  bytes[EI_DATA] = ELFDATA2MSB;
  EXPECT_EQ(Fit(Write("s390x", bytes)), PreloadFit::kOtherMachine);
}

// `ld.so ./program`
TEST_F(PreloadFits, ALoaderAsAProgram) {
  Elf("");
  const auto named = [this](const char* name) {
    rename(Path("program").c_str(), Path(name).c_str());
    const PreloadFit fit = Fit(Path(name));
    rename(Path(name).c_str(), Path("program").c_str());
    return fit;
  };
  EXPECT_EQ(named("ld-linux-x86-64.so.2"), PreloadFit::kStatic);
  EXPECT_EQ(named("ld-musl-x86_64.so.1"), PreloadFit::kOtherLoader);
  EXPECT_EQ(named("ld-notes"), PreloadFit::kStatic);
  rename(Path("program").c_str(), Path("ld-musl-x86_64.so.1").c_str());
  ASSERT_EQ(symlink("ld-musl-x86_64.so.1", Path("ldd").c_str()), 0);
  EXPECT_EQ(Fit(Path("ldd")), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Write("script", "#!" + Path("ldd") + "\n")), PreloadFit::kOtherLoader);
  Elf<Elf32_Ehdr, Elf32_Phdr>("", EM_386);
  EXPECT_EQ(named("ld-linux.so.2"), PreloadFit::kOtherMachine);
}

TEST_F(PreloadFits, AScriptsInterpreterCounts) {
  const std::string musl = Elf("/lib/ld-musl-x86_64.so.1");
  EXPECT_EQ(Fit(Write("a", "#!" + musl + "\n")), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Write("b", "#! \t" + musl + " -x y\n")), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Write("c", "#!" + musl)), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Write("d", "#!" + Path("a") + "\n")), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Write("e", "#!/bin/sh\n")), PreloadFit::kFits);
  EXPECT_EQ(Fit(Write("f", "#!" + Path("f") + "\n")), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Write("g", "#!\n")), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Write("h", "#!" + std::string(255, '/') + "\n")), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Write("i", "echo\n")), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Path("i"), /*by_shell=*/true), PreloadFit::kFits);
  // The programs that a static shell starts can be preloaded.
  EXPECT_EQ(Fit(Write("j", "#!" + Elf("") + "\n")), PreloadFit::kFits);
}

TEST_F(PreloadFits, NobodyKnows) {
  EXPECT_EQ(Fit(Path("nothing")), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(folder_), PreloadFit::kUnknown);
  EXPECT_EQ(Fit("/dev/zero"), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Write("empty", "")), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Write("short", std::string(ELFMAG) + std::string(20, '\2'))), PreloadFit::kOtherMachine);
  EXPECT_EQ(Fit(Write("cut", std::string(ELFMAG) + "\2\1" + std::string(20, '\0'))), PreloadFit::kUnknown);
  EXPECT_EQ(FitOfProgram(Call, AT_FDCWD, nullptr, false), PreloadFit::kUnknown);
  // A reader of a FIFO would wait for a writer.
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0755), 0);
  EXPECT_EQ(Fit(Path("fifo")), PreloadFit::kUnknown);
  if (geteuid() != 0) {
    chmod(Elf("/lib/ld-musl-x86_64.so.1").c_str(), 0111);
    EXPECT_EQ(Fit(Path("program")), PreloadFit::kUnknown);
  }
}

TEST_F(PreloadFits, LimitsAreLinuxs) {
  const std::string musl = "/ld-musl-x86_64.so.1";
  EXPECT_EQ(Fit(Elf(std::string(4095 - musl.size(), 'x') + musl)), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Elf(std::string(4096 - musl.size(), 'x') + musl)), PreloadFit::kUnknown);
  EXPECT_EQ(Fit(Elf(musl, EM_X86_64, 1170)), PreloadFit::kOtherLoader);
  EXPECT_EQ(Fit(Elf(musl, EM_X86_64, 1171)), PreloadFit::kUnknown);
}

TEST_F(PreloadFits, BelowAFolder) {
  Elf("/lib/ld-musl-x86_64.so.1");
  const int folder = open(folder_.c_str(), O_PATH | O_DIRECTORY);
  EXPECT_EQ(FitOfProgram(Call, folder, "program", false), PreloadFit::kOtherLoader);
  close(folder);
}

}  // namespace
}  // namespace ompprof::config
