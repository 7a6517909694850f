// Names that the cache keeps from one command to the next: right, and never trusted.
#include "profiler/model/symbol_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "profiler/model/debug_identity.h"
#include "proto/symbol_cache.pb.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof::model {
namespace {

constexpr char kLibrary[] = "tests/unit/model/inlining.so";
constexpr char kStripped[] = "tests/unit/model/inlining_stripped.so";
constexpr char kBuildId[] = "\x01\x23\x45\x67\x89\xab\xcd\xef";
constexpr char kInner[] = "shapes::inner shapes.cc:12 < shapes::middle shapes.cc:21 < shapes::outer(int) shapes.cc:31";

std::string Content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string Describe(const std::vector<SourceFrame>& frames) {
  std::string text;
  for (const SourceFrame& frame : frames) {
    const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
    text += (text.empty() ? "" : " < ") + frame.function->name + " " + file + ":" + std::to_string(frame.line);
  }
  return text;
}

class SymbolCacheTest : public ::testing::Test {
 protected:
  SymbolCacheTest() {
    std::string pattern = ::testing::TempDir() + "/symbol-cache-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    cache_ = folder_ + "/cache";
    library_ = Copy(kLibrary, "library.so");
  }

  std::string Copy(const std::string& from, const std::string& name) {
    Write(folder_ + "/" + name, Content(from));
    return folder_ + "/" + name;
  }

  // The frames at a label, as a command with the cache sees them.
  std::string Look(const std::string& path, const std::string& label, uint64_t most_bytes = SymbolCache::kUsualBytes) {
    SymbolCache cache(cache_, most_bytes);
    Status status;
    const auto names = cache.Open(path, kBuildId, &status);
    return names == nullptr ? status.sentence() : Describe(names->Lookup(at_.at(label)));
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    DIR* folder = opendir(cache_.c_str());
    while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
      if (entry->d_name[0] != '.') files.push_back(cache_ + "/" + entry->d_name);
    }
    if (folder != nullptr) closedir(folder);
    std::sort(files.begin(), files.end());
    return files;
  }

  // Makes the library's debug information and symbols unreadable, unless the file is not looked at: its size, number
  // and time stay.
  void Spoil(const std::string& path) {
    struct stat info;
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    std::string bytes = Content(path);
    for (const char* name : {"shapes", "inner", "middle", "outer"}) {
      for (size_t at = 0; (at = bytes.find(name, at)) != std::string::npos;) bytes[at] = '?';
    }
    const int fd = open(path.c_str(), O_WRONLY);
    ASSERT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    const timespec times[2] = {info.st_atim, info.st_mtim};
    ASSERT_EQ(futimens(fd, times), 0);
    close(fd);
  }

  std::map<std::string, uint64_t> at_ = test::SymbolAddresses(kLibrary);
  std::string folder_;
  std::string cache_;
  std::string library_;
};

TEST_F(SymbolCacheTest, TheNextCommandOpensNoDebugInformation) {
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  ASSERT_EQ(Files().size(), 1u);
  Spoil(library_);
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  cache_ += "2";
  EXPECT_NE(Look(library_, "at_inner"), kInner);
}

TEST_F(SymbolCacheTest, EachQuestionIsAnsweredAsWithoutTheCache) {
  const uint64_t outer = at_.at("_ZN6shapes5outerEi");
  std::vector<std::string> answers;
  for (int command = 0; command < 3; ++command) {
    SymbolCache cache(command == 2 ? "" : cache_, SymbolCache::kUsualBytes);
    Status status;
    const auto names = cache.Open(library_, kBuildId, &status);
    ASSERT_NE(names, nullptr) << status.sentence();
    std::string all;
    for (const auto& [label, address] : at_) {
      all += label + ": " + Describe(names->Lookup(address)) + "\n";
      const auto [low, high] = names->LookupRange(address);
      all += std::to_string(low) + " " + std::to_string(high) + " " + names->LookupData(address).name + " " +
             names->LookupCritical(address) + " " + std::to_string(names->LookupBody(address)) + " " +
             std::to_string(names->LookupConstructLine(address)) + " " + std::to_string(names->LookupAtomic(address)) +
             "\n";
    }
    const std::vector<SourceFrame>& frames = names->Lookup(at_.at("at_inner"));
    for (const uint32_t line : {1u, 13u, 33u, 99u}) {
      const Function* parent = names->LexicalParent(outer, frames.front().file, line);
      all += parent == nullptr ? "none\n" : parent->name + "\n";
    }
    for (const SourceFrame& frame : frames)
      all += frame.function->system_name + " " + frame.function->file + " " + std::to_string(frame.function->line) +
             " " + std::to_string(frame.function->entry) + "\n";
    all += names->has_lines() ? "lines" : "no lines";
    answers.push_back(all);
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

TEST_F(SymbolCacheTest, ANewQuestionIsAskedOfTheFile) {
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  SymbolCache cache(cache_, SymbolCache::kUsualBytes);
  Status status;
  const auto names = cache.Open(library_, kBuildId, &status);
  const Function* from_cache = names->Lookup(at_.at("at_inner")).back().function;
  const Function* from_file = names->Lookup(at_.at("at_outer")).back().function;
  EXPECT_EQ(from_cache->name, "shapes::outer(int)");
  EXPECT_EQ(from_cache, from_file);
  // The earlier answers are kept beside the new answer.
  EXPECT_NE(names->Bytes("", SymbolCache::kUsualBytes).find("inner"), std::string::npos);
}

TEST_F(SymbolCacheTest, DebugInformationThatComesLaterIsUsed) {
  const std::string stripped = Copy(kStripped, "stripped.so");
  EXPECT_EQ(Look(stripped, "at_inner"), "shapes::outer(int) :0");
  EXPECT_EQ(Look(stripped, "at_inner"), "shapes::outer(int) :0");
  ASSERT_EQ(mkdir((folder_ + "/.debug").c_str(), 0700), 0);
  Copy(kLibrary, ".debug/stripped.so.debug");
  EXPECT_EQ(Look(stripped, "at_inner"), kInner);
  Copy(kStripped, ".debug/stripped.so.debug");  // another file in its place, without lines
  EXPECT_EQ(Look(stripped, "at_inner"), "shapes::outer(int) :0");
}

TEST_F(SymbolCacheTest, AnotherBuildAtThePathIsRefusedAsBefore) {
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  Write(library_, "no object file");
  EXPECT_EQ(Look(library_, "at_inner"),
            library_ + " is not a readable object file: its functions are shown as addresses");
}

TEST_F(SymbolCacheTest, DamagedFilesAreReplaced) {
  Look(library_, "at_inner");
  ASSERT_EQ(Files().size(), 1u);
  const std::string file = Files()[0];
  const std::string whole = Content(file);
  std::vector<std::string> damaged = {"", "x", "OMPPSYM8", std::string(100000, 'x'), whole + "x"};
  for (size_t cut = 1; cut < whole.size(); cut += 31) damaged.push_back(whole.substr(0, cut));
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    damaged.push_back(whole);
    damaged.back()[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
  }
  for (const std::string& bytes : damaged) {
    Write(file, bytes);
    EXPECT_EQ(Look(library_, "at_inner"), kInner);
    EXPECT_EQ(Content(file), whole);
  }
}

TEST_F(SymbolCacheTest, WhatIsNoPlainFileOfTheUserIsLeftAlone) {
  Look(library_, "at_inner");
  const std::string file = Files()[0];
  ASSERT_EQ(unlink(file.c_str()), 0);
  ASSERT_EQ(mkdir(file.c_str(), 0700), 0);
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  EXPECT_EQ(Files(), std::vector<std::string>{file});
  ASSERT_EQ(rmdir(file.c_str()), 0);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  alarm(20);  // the end of any reader that waits for it
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  alarm(0);
  const std::string target = folder_ + "/target";
  Write(target, "mine");
  unlink(file.c_str());
  ASSERT_EQ(symlink(target.c_str(), file.c_str()), 0);
  EXPECT_EQ(Look(library_, "at_inner"), kInner);
  EXPECT_EQ(Content(target), "mine");
}

TEST_F(SymbolCacheTest, WithoutAFolderNothingIsKept) {
  const std::string path = library_;
  Write(folder_ + "/file", "");
  for (const std::string folder : {"", "/proc/none/ompprof", (folder_ + "/file/ompprof").c_str()}) {
    cache_ = folder;
    EXPECT_EQ(Look(path, "at_inner"), kInner) << folder;
  }
  cache_ = folder_ + "/cache";
  EXPECT_EQ(Look(path, "at_inner", 0), kInner);
  EXPECT_TRUE(Files().empty());
}

TEST_F(SymbolCacheTest, UsualFolder) {
  setenv("HOME", "/home/me", 1);
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(SymbolCache::UsualFolder(), "/cache/ompprof");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(SymbolCache::UsualFolder(), "/home/me/.cache/ompprof");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(SymbolCache::UsualFolder(), "");
}

TEST_F(SymbolCacheTest, TheFilesUnusedForLongestAreRemoved) {
  std::vector<std::string> copies;
  for (int i = 0; i < 6; ++i) copies.push_back(Copy(kLibrary, "copy" + std::to_string(i) + ".so"));
  std::vector<std::string> files;  // in the order of their use
  uint64_t bytes = 0;
  for (const std::string& copy : copies) {
    Look(copy, "at_inner");
    for (const std::string& file : Files()) {
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
    ASSERT_EQ(files.size(), static_cast<size_t>(&copy - copies.data() + 1));
    bytes = Content(files.back()).size();
    const auto seconds = static_cast<time_t>(1700000000 + files.size());
    const timespec times[2] = {{seconds, 0}, {seconds, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, files.back().c_str(), times, 0), 0);
  }
  Write(cache_ + "/foreign", std::string(100000, 'x'));
  Look(copies[0], "at_inner");                  // used again
  Look(library_, "at_inner", 5 * bytes + 500);  // the seventh file; a file may take a quarter
  EXPECT_NE(access(files[1].c_str(), F_OK), 0);
  EXPECT_NE(access(files[2].c_str(), F_OK), 0);
  for (const int kept : {0, 3, 4, 5}) EXPECT_EQ(access(files[static_cast<size_t>(kept)].c_str(), F_OK), 0) << kept;
  EXPECT_EQ(access((cache_ + "/foreign").c_str(), F_OK), 0);
}

TEST_F(SymbolCacheTest, SeveralCommandsAtOnce) {
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = fork();
    if (pid != 0) {
      children.push_back(pid);
      continue;
    }
    bool right = true;
    for (int i = 0; i < 20; ++i) {
      right = right && Look(library_, "at_inner") == kInner &&
              Look(library_, "at_outer", 1 + 4000u * (child % 2)) == "shapes::outer(int) shapes.cc:32";
    }
    _exit(right ? 0 : 1);
  }
  for (const pid_t pid : children) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  for (const std::string& file : Files()) EXPECT_EQ(file.substr(file.size() - 6), ".names");
}

// A message with a right checksum and anything in it: as somebody would write it who wants to be read out of bounds.
std::string Sealed(const std::string& content) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (const char byte : content) sum = (sum ^ static_cast<uint8_t>(byte)) * 0x100000001b3u;
  std::string bytes = "OMPPSYM8";
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes + content;
}

void AskAll(KnownNames* names, uint64_t address) {
  for (const SourceFrame& frame : names->Lookup(address)) {
    ASSERT_NE(frame.function, nullptr);
    ASSERT_GE(frame.function->name.size() + frame.file.size() + frame.line, 0u);
  }
  names->LookupRange(address);
  names->LookupData(address);
  names->LookupCritical(address);
  names->LookupBody(address);
  names->LookupConstructLine(address);
  names->LookupAtomic(address);
  const Function* parent = names->LexicalParent(address, "shapes.cc", 3);
  ASSERT_TRUE(parent == nullptr || parent->name.size() < 1000000);
}

symbols::Names SomeNames(std::mt19937* random) {
  const auto small = [random] { return static_cast<uint32_t>((*random)() % 4); };
  symbols::Names names;
  names.set_identity("i");
  for (uint32_t i = small(); i > 0; --i) names.add_text(std::string(small(), 'a'));
  for (uint32_t i = small(); i > 0; --i) {
    names.add_function_name(small());
    names.add_function_system_name(small());
    names.add_function_file(small());
    names.add_function_line(small());
    if (small() != 0) names.add_function_entry((*random)());
  }
  for (uint32_t i = small(); i > 0; --i) {
    names.add_address_delta(small() == 0 ? UINT64_MAX : small());
    names.add_address_frames(small() == 0 && small() == 0 ? UINT32_MAX : small() / 2);
  }
  for (uint32_t i = small(); i > 0; --i) {
    names.add_frame_function(small());
    names.add_frame_file(small());
    names.add_frame_line(small());
  }
  if (small() == 0) {
    symbols::Names::Parent* parent = names.add_parents();
    parent->set_address(small());
    parent->set_file("shapes.cc");
    parent->set_line(3);
    parent->set_function(small());
  }
  return names;
}

TEST_F(SymbolCacheTest, HostileFiles) {
  std::mt19937 random(1);
  int taken = 0;
  for (int i = 0; i < 50000; ++i) {
    KnownNames names("/nowhere", "");
    if (!names.Take(Sealed(SomeNames(&random).SerializeAsString()), "i")) continue;
    ++taken;
    for (uint64_t address = 0; address < 10; ++address) AskAll(&names, address);
    names.Bytes("i", 1000);
  }
  EXPECT_GT(taken, 300);
  // Bytes of a real file, changed.
  Look(library_, "at_inner");
  const std::string content = Content(Files()[0]).substr(16);
  const std::string identity = DebugIdentity(library_, kBuildId);
  for (int i = 0; i < 5000; ++i) {
    std::string changed = content;
    for (uint32_t n = 1 + random() % 4; n > 0; --n) changed[random() % changed.size()] = static_cast<char>(random());
    KnownNames names("/nowhere", "");
    if (names.Take(Sealed(changed), identity)) AskAll(&names, at_.at("at_inner"));
  }
}

}  // namespace
}  // namespace ompprof::model
