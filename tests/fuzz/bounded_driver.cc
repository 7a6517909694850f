// Runs a fuzz target on its corpus and on a bounded number of seeded changes of it. Needs no libFuzzer.
//   X_test --corpus=FOLDER --executions=N [--seed=N]
//   X_test FILE...                                       these inputs alone, to see again what was found
// An input that ends the process, or takes longer than a minute, is named. It is left in $TEST_UNDECLARED_OUTPUTS_DIR,
// or else in $TEST_TMPDIR or /tmp.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A function of the sanitizers' runtimes; null without them.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace ompprof::fuzz {
namespace {

constexpr unsigned kLongestSeconds = 60;

struct Options {
  std::string corpus;
  uint64_t executions = 1000;
  uint64_t seed = 20240229;
  std::vector<std::string> files;
} options;

const std::string* current;

void KeepCurrent() {
  if (current == nullptr) return;
  const char* folder = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder == nullptr) folder = getenv("TEST_TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/fuzz-input-%d", folder == nullptr ? "/tmp" : folder, static_cast<int>(getpid()));
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, current->data(), current->size()) < 0) return;
  close(fd);
  fprintf(stderr, "the input is in %s: give it to this program as its argument\n", path);
  current = nullptr;
}

void Died(int number) {
  if (number == SIGALRM) fprintf(stderr, "an input takes longer than %u s\n", kLongestSeconds);
  KeepCurrent();
  signal(number, SIG_DFL);
  raise(number == SIGALRM ? SIGABRT : number);
}

void Execute(const std::string& input) {
  // Exactly as long as its size says, for the sanitizers.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  current = &input;
  alarm(kLongestSeconds);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  alarm(0);
  current = nullptr;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> Corpus() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(options.corpus)) {
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> inputs;
  for (const std::string& path : paths) inputs.push_back(ReadFile(path));
  return inputs;
}

TEST(Fuzz, Named) {
  if (options.files.empty()) GTEST_SKIP() << "no input is named on the command line";
  for (const std::string& file : options.files) Execute(ReadFile(file));
}

TEST(Fuzz, Corpus) {
  const std::vector<std::string> corpus = Corpus();
  ASSERT_FALSE(corpus.empty()) << options.corpus;
  for (const std::string& input : corpus) Execute(input);
  Execute("");
}

TEST(Fuzz, SeededChanges) {
  const std::vector<std::string> corpus = Corpus();
  ASSERT_FALSE(corpus.empty()) << options.corpus;
  Mutator mutator(options.seed, &corpus, size_t{1} << 16);
  for (uint64_t i = 0; i < options.executions; ++i) Execute(mutator.Next());
}

}  // namespace
}  // namespace ompprof::fuzz

int main(int argc, char** argv) {
  using namespace ompprof::fuzz;
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--corpus=", 0) == 0)
      options.corpus = std::filesystem::absolute(word.substr(9)).string();  // a target may go elsewhere
    else if (word.rfind("--executions=", 0) == 0)
      options.executions = strtoull(word.c_str() + 13, nullptr, 10);
    else if (word.rfind("--seed=", 0) == 0)
      options.seed = strtoull(word.c_str() + 7, nullptr, 10);
    else
      options.files.push_back(std::filesystem::absolute(word).string());
  }
  // With files: these alone. Without files: the corpus and its changes, and no case that skips itself.
  ::testing::GTEST_FLAG(filter) = !options.files.empty()                 ? "Fuzz.Named"
                                  : ::testing::GTEST_FLAG(filter) == "*" ? "-Fuzz.Named"
                                                                         : ::testing::GTEST_FLAG(filter);
  signal(SIGALRM, Died);
  signal(SIGABRT, Died);
  if (__sanitizer_set_death_callback != nullptr)
    __sanitizer_set_death_callback(KeepCurrent);
  else
    for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) signal(number, Died);
  return RUN_ALL_TESTS();
}
