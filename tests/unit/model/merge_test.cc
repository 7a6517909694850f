// Several profiles in one file: the data read back, and the sentences about damaged inputs. If the output cannot be
// written, nothing is left behind.
#include "profiler/model/merge.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

// The records of a process, without the magic.
std::string Process(uint64_t pid, const std::string& rank, uint32_t samples) {
  test::ProfileBuilder builder{test::ProfileBuilder::Empty()};
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_program("/bin/solver");
  header->set_host("node7");
  header->set_pid(pid);
  header->set_rank(rank);
  header->set_start_mono_ns(1000);
  builder.Append(record);
  builder.AddThread(1, Thread::INITIAL, 5000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  builder.AddSample({.tree = 1,
                     .node = builder.AddNode(1, root, NODE_FRAME, 0x1000),
                     .thread = 1,
                     .state = OmptState::kWorkParallel,
                     .splice = 0,
                     .region = 0,
                     .wait_id = 0,
                     .samples = samples,
                     .weight = 1000});
  builder.AddFooter(samples, 5000);
  return builder.Bytes();
}

class Merge : public ::testing::Test {
 protected:
  Merge() {
    std::string pattern = ::testing::TempDir() + "/merge.XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
    return folder_ + "/" + name;
  }

  static std::string Contents(const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  }

  // The names in the folder, a blank behind each.
  std::string Folder() const {
    std::vector<std::string> names;
    DIR* folder = opendir(folder_.c_str());
    for (const dirent* entry = readdir(folder); entry != nullptr; entry = readdir(folder)) {
      if (entry->d_name[0] != '.') names.push_back(entry->d_name);
    }
    closedir(folder);
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += name + " ";
    return all;
  }

  struct Seen {
    std::string file;
    uint64_t pid;
    uint64_t samples;
    bool complete;
    std::string sentence;
    bool operator==(const Seen& other) const {
      return file == other.file && pid == other.pid && samples == other.samples && complete == other.complete &&
             sentence == other.sentence;
    }
  };
  std::vector<Seen> Read(const std::string& path) const {
    std::vector<Seen> all;
    ReadProfiles(path, [&](ReadResult result) {
      uint64_t samples = 0;
      for (const SampleRow& row : result.profile.samples) samples += row.cost.samples;
      const std::string& file = result.profile.file;
      all.push_back({file.rfind(folder_, 0) == 0 ? file.substr(folder_.size() + 1) : file, result.profile.header.pid(),
                     samples, result.profile.complete, result.status.sentence()});
    });
    return all;
  }

  std::string folder_;
};

TEST_F(Merge, EachProcessIsReadBackWithItsLabels) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  const std::string b = Write("b", kMagic + Process(12, "1", 5));
  const std::string c = Write("c", kMagic + Process(13, "", 7));
  const MergeResult merged = MergeProfiles({a, b, c}, folder_ + "/all");
  EXPECT_EQ(merged.status.sentence(), "");
  EXPECT_EQ(merged.complaints, std::vector<std::string>());
  EXPECT_EQ(merged.processes, 3u);
  EXPECT_EQ(merged.bytes, Contents(folder_ + "/all").size());
  const std::vector<Seen> expected = {{"all (rank 0, process 11 on node7)", 11, 3, true, ""},
                                      {"all (rank 1, process 12 on node7)", 12, 5, true, ""},
                                      {"all (process 13 on node7)", 13, 7, true, ""}};
  EXPECT_TRUE(Read(folder_ + "/all") == expected);
  EXPECT_EQ(Folder(), "a all b c ");
  // The first process alone, when the caller asks for it.
  EXPECT_EQ(ReadProfile(folder_ + "/all").profile.header.pid(), 11u);
}

TEST_F(Merge, MergedFilesMergeAgain) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  const std::string b = Write("b", kMagic + Process(12, "1", 5));
  const std::string c = Write("c", kMagic + Process(13, "2", 7));
  ASSERT_TRUE(MergeProfiles({a, b}, folder_ + "/ab").status.ok());
  ASSERT_TRUE(MergeProfiles({folder_ + "/ab", c}, folder_ + "/abc").status.ok());
  ASSERT_TRUE(MergeProfiles({a, b, c}, folder_ + "/all").status.ok());
  EXPECT_EQ(Contents(folder_ + "/abc"), Contents(folder_ + "/all"));
}

TEST_F(Merge, AnOutputThatIsThereIsReplaced) {
  const std::string a = Write("a", kMagic + Process(11, "", 3));
  Write("all", "something else");
  EXPECT_TRUE(MergeProfiles({a}, folder_ + "/all").status.ok());
  EXPECT_EQ(Contents(folder_ + "/all"), Contents(a));
}

TEST_F(Merge, ACutProfileIsTakenAsFarAsItGoes) {
  const std::string whole = Process(11, "0", 3);
  const std::string a = Write("a", (kMagic + whole).substr(0, kMagicSize + whole.size() - 2));
  const std::string b = Write("b", kMagic + Process(12, "1", 5));
  const MergeResult merged = MergeProfiles({a, b}, folder_ + "/all");
  EXPECT_EQ(merged.status.sentence(), "");
  ASSERT_EQ(merged.complaints.size(), 1u);
  EXPECT_EQ(merged.complaints[0].rfind(a + ": is cut short: the last record is incomplete at byte ", 0), 0u);
  EXPECT_NE(merged.complaints[0].find("; what comes before it is merged"), std::string::npos);
  const std::vector<Seen> expected = {{"all (rank 0, process 11 on node7)", 11, 3, false, ""},
                                      {"all (rank 1, process 12 on node7)", 12, 5, true, ""}};
  EXPECT_TRUE(Read(folder_ + "/all") == expected);
}

TEST_F(Merge, WhatCannotBeReadIsNamedAndLeftOut) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  const std::string text = Write("text", "not a profile\n");
  const std::string empty = Write("empty", "");
  const std::string nothing = Write("nothing", kMagic);
  const std::string absent = folder_ + "/absent";
  const MergeResult merged = MergeProfiles({text, absent, a, empty, nothing}, folder_ + "/all");
  EXPECT_EQ(merged.status.sentence(), "");
  const std::vector<std::string> expected = {
      text + ": is not an ompprof profile (it does not begin with \"OMPPROF\")",
      absent + ": cannot be opened: No such file or directory",
      empty + ": is empty: its process was killed as it created it",
      nothing + ": has no header: the program ended before anything was recorded"};
  EXPECT_EQ(merged.complaints, expected);
  EXPECT_EQ(Read(folder_ + "/all").size(), 1u);
}

TEST_F(Merge, NothingReadableIsNoFile) {
  const std::string text = Write("text", "not a profile\n");
  const MergeResult merged = MergeProfiles({text}, folder_ + "/all");
  EXPECT_EQ(merged.status.sentence(), folder_ + "/all: was not written: none of the files could be read");
  EXPECT_EQ(Folder(), "text ");
}

TEST_F(Merge, TheSameProcessTwiceIsMergedOnce) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  const std::string b = Write("b", kMagic + Process(11, "0", 3) + Process(12, "1", 5));
  const MergeResult merged = MergeProfiles({a, b}, folder_ + "/all");
  ASSERT_EQ(merged.complaints.size(), 1u);
  EXPECT_EQ(merged.complaints[0], b + ": process 11 on node7 is also in " + a + "; ompprof counts the process once");
  EXPECT_EQ(merged.processes, 2u);
  EXPECT_EQ(Contents(folder_ + "/all"), kMagic + Process(11, "0", 3) + Process(12, "1", 5));
}

TEST_F(Merge, AnInputIsNotOverwritten) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  const std::string before = Contents(a);
  ASSERT_EQ(symlink("a", (folder_ + "/link").c_str()), 0);
  for (const std::string& output : {a, folder_ + "/link", folder_ + "/./a"}) {
    const MergeResult merged = MergeProfiles({a}, output);
    EXPECT_EQ(merged.status.sentence(),
              output + ": is one of the files to merge, and is left alone; name another output");
    EXPECT_EQ(Contents(a), before);
  }
  EXPECT_EQ(Folder(), "a link ");
}

TEST_F(Merge, NoRoomLeavesNoHalfFile) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  EXPECT_EQ(MergeProfiles({a}, "/dev/full").status.sentence(), "/dev/full: cannot be written: No space left on device");

  // A file that may not grow beyond some bytes stands for a disk that fills up.
  Write("all", "what was there");
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit tight = before;
  tight.rlim_cur = 64;
  setrlimit(RLIMIT_FSIZE, &tight);
  const MergeResult merged = MergeProfiles({a}, folder_ + "/all");
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(merged.status.sentence(), folder_ + "/all: cannot be written: File too large");
  EXPECT_EQ(Contents(folder_ + "/all"), "what was there");
  EXPECT_EQ(Folder(), "a all ");
}

TEST_F(Merge, AFolderThatIsNotThere) {
  const std::string a = Write("a", kMagic + Process(11, "0", 3));
  EXPECT_EQ(MergeProfiles({a}, folder_ + "/no/all").status.sentence(),
            folder_ + "/no/all: cannot be written: No such file or directory");
}

// Errors in one process's records leave the others readable.
TEST_F(Merge, DamageInOneProcessEndsThere) {
  test::ProfileBuilder odd{test::ProfileBuilder::Empty()};
  Record record;
  record.mutable_module();
  odd.Append(record);  // a module without an id
  const std::string path = Write("all", kMagic + Process(11, "0", 3) + odd.Bytes() + Process(12, "1", 5));
  const std::vector<Seen> seen = Read(path);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].sentence, path + ": is damaged: a module without an id at byte " +
                                  std::to_string((kMagic + Process(11, "0", 3)).size()) +
                                  "; what comes before it is shown");
  EXPECT_EQ(seen[0].samples, 3u);
  EXPECT_EQ(seen[1].sentence, "");
  EXPECT_EQ(seen[1].samples, 5u);
}

// Bytes that come singly, as from a running program: each record is taken when it is whole.
TEST(LiveProfile, FollowsALogThatGrows) {
  const std::string bytes = kMagic + Process(11, "0", 3);
  size_t written = 0;
  size_t taken = 0;
  LiveProfile live("live", [&](char* buffer, size_t size) -> long {
    const size_t count = std::min(size, written - taken);
    std::memcpy(buffer, bytes.data() + taken, count);
    taken += count;
    return static_cast<long>(count);
  });
  size_t header_at = 0;
  for (; written <= bytes.size(); ++written) {
    ASSERT_EQ(live.Read().sentence(), "") << "at byte " << written;
    if (header_at == 0 && live.has_header()) header_at = written;
    EXPECT_EQ(live.profile().complete, written == bytes.size());
  }
  EXPECT_GT(header_at, kMagicSize);
  EXPECT_LT(header_at, bytes.size() / 2);
  ASSERT_EQ(live.profile().samples.size(), 1u);
  EXPECT_EQ(live.profile().samples[0].cost.samples, 3u);
  const auto counted = live.profile().records;
  EXPECT_EQ(counted.at(Record::kNodes).records, 2u);
  uint64_t all = kMagicSize;
  for (const auto& [kind, count] : counted) all += count.bytes;
  EXPECT_EQ(all, bytes.size());
}

TEST(LiveProfile, WhatIsNoProfile) {
  LiveProfile live("x", test::FromMemory("not a profile"));
  EXPECT_EQ(live.Read().sentence(), "x: is not an ompprof profile (it does not begin with \"OMPPROF\")");
}

}  // namespace
}  // namespace ompprof::model
