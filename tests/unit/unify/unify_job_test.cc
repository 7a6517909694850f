// Made-up jobs of 1,000 and 10,000 ranks against the truth: sums, extremes, deviations, histograms and outliers of all
// figures. The same bytes from any number of workers, and sentences about files that are left out.
#include "profiler/unify/unify_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "profiler/model/figure_bucket.h"
#include "profiler/unify/deviation.h"
#include "profiler/unify/spread.h"
#include "tests/bench/job_maker.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::unify {
namespace {

using bench::Factor;
using model::BucketBegin;
using model::BucketOf;

constexpr uint64_t kCode = 0x400000;
constexpr uint64_t kRegionCall = kCode + 0x150;
constexpr uint32_t kLateRank = 17;

// A program of two threads with a region, a barrier and a critical. Its figures have short names: see kFigures.
std::string OneRank() {
  test::ProfileBuilder builder;
  builder.AddModule(1, "/bin/team", kCode, 0x10000, false, "build");
  builder.AddThread(1, Thread::INITIAL, 9000);
  builder.AddThread(2, Thread::WORKER, 4000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  const uint32_t main = builder.AddNode(1, root, NODE_FRAME | NODE_RETURN_ADDRESS, kCode + 0x100);
  const uint32_t creates = builder.AddNode(1, main, NODE_FRAME | NODE_RETURN_ADDRESS, kRegionCall);
  const uint32_t mark = builder.AddNode(1, creates, NODE_IMPLICIT_TASK, kRegionCall);
  const uint32_t leaf = builder.AddNode(1, mark, NODE_FRAME, kCode + 0x200);
  builder.AddContext(1, kRegionCall, 1, creates);
  const uint32_t worker_root = builder.AddNode(2, 0, NODE_ROOT);
  const uint32_t worker_mark = builder.AddNode(2, worker_root, NODE_IMPLICIT_TASK, kRegionCall);
  const uint32_t worker_leaf = builder.AddNode(2, worker_mark, NODE_FRAME, kCode + 0x200);
  builder.AddSample({1, main, 1, OmptState::kWorkSerial, 0, 0, 0, 3, 3000});
  builder.AddSample({1, leaf, 1, OmptState::kWorkParallel, 0, 1, 0, 6, 6000});
  builder.AddSample({2, worker_leaf, 2, OmptState::kWorkParallel, 1, 1, 0, 4, 4000});
  Record record;
  RegionStats* region = record.mutable_region_stats();
  region->set_thread(1);
  region->set_codeptr_ra(kRegionCall);
  region->set_invocations(2);
  region->set_ended(2);
  region->set_elapsed_ns(7000000);
  region->set_useful_ns(10000);
  region->set_actual_max(2);
  builder.Append(record);
  record.Clear();
  WaitStats* wait = record.mutable_wait_stats();
  wait->set_thread(2);
  wait->set_state(StateToWire(OmptState::kWaitBarrierImplicitParallel));
  wait->set_codeptr_ra(kRegionCall);
  wait->set_region_codeptr_ra(kRegionCall);
  wait->set_count(2);
  wait->set_total_ns(2000);
  builder.Append(record);
  record.Clear();
  WaitStats* charge = record.mutable_wait_stats();  // in no figure; it comes before the wait
  charge->set_thread(1);
  charge->set_state(StateToWire(OmptState::kWaitLock));
  charge->set_codeptr_ra(kCode + 0x220);
  charge->set_acquired_at(kCode + 0x210);
  charge->set_wait_id(0x7f0000);
  charge->set_count(1);
  charge->set_total_ns(700);
  builder.Append(record);
  builder.AddFooter(13, 13000);
  return builder.Bytes();
}

class UnifyJobTest : public ::testing::Test {
 protected:
  UnifyJobTest() {
    std::string pattern = ::testing::TempDir() + "/job.XXXXXX";
    folder_ = mkdtemp(pattern.data());
    profile_ = bench::ReadRecords(Write("one", OneRank()));
  }
  ~UnifyJobTest() override {
    const std::string remove = "rm -rf '" + folder_ + "'";
    EXPECT_EQ(system(remove.c_str()), 0);
  }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
    return folder_ + "/" + name;
  }

  std::string WriteRank(uint32_t rank) const {
    return Write(std::to_string(rank) + ".ompprof", bench::MakeRank(profile_, rank, rank == kLateRank));
  }

  std::vector<std::string> WriteRanks(uint32_t count) const {
    std::vector<std::string> files;
    for (uint32_t rank = 0; rank < count; ++rank) files.push_back(WriteRank(rank));
    return files;
  }

  UnifyResult Unify(const std::vector<std::string>& files, Keep keep = Keep::kOutliers, int workers = 1) const {
    UnifyOptions options;
    options.files = files;
    options.output = Output();
    options.keep = keep;
    UnifyResult result;
    RunThreads(workers, [&](Team* team) {
      UnifyResult own = UnifyJob(options, team);
      if (team->number() == 0) result = std::move(own);
    });
    return result;
  }

  std::string Output() const { return folder_ + "/job.ompprof"; }

  std::string OutputBytes() const {
    std::ostringstream bytes;
    bytes << std::ifstream(Output(), std::ios::binary).rdbuf();
    return bytes.str();
  }

  std::vector<model::ProcessProfile> ReadOutput() const {
    std::vector<model::ProcessProfile> processes;
    model::ReadProfiles(Output(), [&](model::ReadResult read) {
      EXPECT_TRUE(read.status.ok()) << read.status.sentence();
      processes.push_back(std::move(read.profile));
    });
    return processes;
  }

  std::string folder_;
  std::vector<Record> profile_;
};

// One figure, with its columns by name.
struct Row {
  uint64_t sum, min, max, members;
  double deviation;
  std::string min_member, max_member;
  std::map<uint32_t, uint64_t> histogram;
};

// "kind name metric": 1 is SPREAD_RUN, and so on.
std::map<std::string, Row> Rows(const model::ProcessProfile& process) {
  std::map<std::string, Row> rows;
  std::vector<std::string> texts = {""};
  for (const SpreadBatch& batch : process.spreads) {
    texts.insert(texts.end(), batch.text().begin(), batch.text().end());
    int at = 0;
    for (int i = 0; i < batch.of_size(); ++i) {
      Row row{batch.sum(i),
              batch.min(i),
              batch.max(i),
              batch.members(i),
              batch.deviation(i),
              texts[batch.min_member(i)],
              texts[batch.max_member(i)],
              {}};
      for (uint32_t bucket = 0; bucket < batch.buckets(i); ++bucket, ++at)
        row.histogram[batch.bucket(at)] = batch.bucket_members(at);
      rows[SpreadKind_Name(static_cast<SpreadKind>(batch.of(i))) + " " + texts[batch.name(i)] + " " +
           SpreadMetric_Name(static_cast<SpreadMetric>(batch.metric(i)))] = row;
    }
  }
  return rows;
}

// The bucket by the text of callpath_profile.proto, by search.
uint32_t BucketByText(uint64_t value) {
  uint32_t bucket = 0;
  for (uint32_t b = 1; b <= 4 * 60; ++b) {
    const double begin = std::pow(2.0, (b - 1) / 4) * (1 + (b - 1) % 4 / 4.0);
    // Below 4, not every bucket begins with a whole number.
    if (static_cast<double>(value) >= begin && begin == std::floor(begin)) bucket = b;
  }
  return bucket;
}

class TruthTest : public UnifyJobTest, public ::testing::WithParamInterface<uint32_t> {
 protected:
  // Compares a figure that is `base` in the profile of which the ranks are made.
  void ExpectSpread(const Row& row, uint64_t base) const {
    uint64_t sum = 0;
    uint64_t most = 0;
    std::string most_rank;
    std::map<uint32_t, uint64_t> histogram;
    for (uint32_t rank = 0; rank < GetParam(); ++rank) {
      const uint64_t value = base * Factor(rank) * (rank == kLateRank ? bench::kLateness : 1);
      sum += value;
      ++histogram[BucketByText(value)];
      if (value > most) most_rank = std::to_string(rank);
      most = std::max(most, value);
    }
    const double mean = static_cast<double>(sum) / GetParam();
    double squares = 0;
    for (uint32_t rank = 0; rank < GetParam(); ++rank) {
      const auto value = static_cast<double>(base * Factor(rank) * (rank == kLateRank ? bench::kLateness : 1));
      squares += (value - mean) * (value - mean);
    }
    EXPECT_EQ(row.sum, sum);
    EXPECT_EQ(row.members, GetParam());
    EXPECT_EQ(row.min, base * 100);
    EXPECT_EQ(row.min_member, "0");
    EXPECT_EQ(row.max, most);
    EXPECT_EQ(row.max_member, most_rank);
    EXPECT_NEAR(row.deviation, std::sqrt(squares / GetParam()), 1e-9 * mean);
    EXPECT_EQ(row.histogram, histogram);
  }
};

TEST_P(TruthTest, HasEachFigureOfTheRanks) {
  const UnifyResult result = Unify(WriteRanks(GetParam()));
  ASSERT_TRUE(result.status.ok()) << result.status.sentence();
  EXPECT_EQ(result.members, GetParam());
  const std::vector<model::ProcessProfile> processes = ReadOutput();
  ASSERT_EQ(processes.size(), 2u);  // the job, and the late rank
  const model::ProcessProfile& job = processes[0];
  EXPECT_EQ(job.header.unified().members(), GetParam());
  EXPECT_EQ(job.header.unified().incomplete(), 0u);
  EXPECT_EQ(job.header.rank(), "");
  // The ranks' modules lay at different addresses, and the paths are those of one rank: both threads' in one tree.
  EXPECT_EQ(job.modules.size(), 1u);
  EXPECT_EQ(job.trees.at(1).nodes.size(), 7u);
  EXPECT_EQ(job.contexts.size(), 1u);
  EXPECT_EQ(job.threads.size(), 2u);

  const std::map<std::string, Row> rows = Rows(job);
  const std::map<std::string, uint64_t> figures = {
      {"SPREAD_RUN  METRIC_SAMPLED", 13000},
      {"SPREAD_RUN  METRIC_WORK", 13000},
      {"SPREAD_RUN  METRIC_CPU", 13000},
      {"SPREAD_RUN  METRIC_WAIT", 2000},
      {"SPREAD_RUN  METRIC_ELAPSED", 1000000000},
      {"SPREAD_FUNCTION team+0xff METRIC_SAMPLED_SELF", 3000},
      {"SPREAD_FUNCTION team+0xff METRIC_SAMPLED", 13000},
      {"SPREAD_PATH team+0xff METRIC_SAMPLED", 13000},
      {"SPREAD_STATE ompt_state_work_serial METRIC_SAMPLED", 3000},
      {"SPREAD_STATE ompt_state_work_parallel METRIC_SAMPLED", 10000},
      {"SPREAD_STATE ompt_state_wait_barrier_implicit_parallel METRIC_WAIT", 2000},
      {"SPREAD_REGION team+0x14f [omp parallel] METRIC_SAMPLED", 10000},
      {"SPREAD_REGION team+0x14f [omp parallel] METRIC_WORK", 10000},
      {"SPREAD_REGION  METRIC_WORK", 3000},
      {"SPREAD_REGION team+0x14f [omp parallel] METRIC_ELAPSED", 7000000},
      {"SPREAD_REGION team+0x14f [omp parallel] METRIC_USEFUL", 10000},
      {"SPREAD_REGION team+0x14f [omp parallel] METRIC_COUNT", 2},
      {"SPREAD_REGION team+0x14f [omp parallel] METRIC_WAIT", 2000},
  };
  std::string names;
  for (const auto& [name, row] : rows) names += name + "\n";
  for (const auto& [name, base] : figures) {
    SCOPED_TRACE(name);
    const auto found = rows.find(name);
    ASSERT_NE(found, rows.end()) << names;
    ExpectSpread(found->second, base);
  }

  EXPECT_EQ(processes[1].header.rank(), std::to_string(kLateRank));
  EXPECT_TRUE(processes[1].header.kept());
  MemberBatch members;
  for (const MemberBatch& batch : job.members) members.MergeFrom(batch);
  ASSERT_EQ(members.rank_size(), static_cast<int>(GetParam()));
  for (int i = 0; i < members.rank_size(); ++i) {
    EXPECT_EQ(members.rank(i), std::to_string(i));
    EXPECT_EQ(members.useful(i), 13000 * Factor(i) * (i == kLateRank ? bench::kLateness : 1));
    EXPECT_EQ(members.useful_max(i) * 13, members.useful(i) * 9);
    EXPECT_EQ(members.kept(i), i == kLateRank);
  }
  EXPECT_NE(members.reason(kLateRank).find(" more than the mean ("), std::string::npos) << members.reason(kLateRank);
}

INSTANTIATE_TEST_SUITE_P(Ranks, TruthTest, ::testing::Values(1000, 10000),
                         [](const auto& info) { return std::to_string(info.param); });

TEST_F(UnifyJobTest, HasTheSameBytesFromAnyNumberOfWorkers) {
  std::vector<std::string> files = WriteRanks(40);
  Unify(files);
  const std::string alone = OutputBytes();
  EXPECT_GT(alone.size(), 1000u);
  for (const int workers : {2, 3, 7}) {
    std::rotate(files.begin(), files.begin() + 11, files.end());
    ASSERT_TRUE(Unify(files, Keep::kOutliers, workers).status.ok());
    EXPECT_TRUE(OutputBytes() == alone) << workers << " workers";
  }
}

TEST_F(UnifyJobTest, DoesNotGrowWithTheRanks) {
  const std::vector<std::string> files = WriteRanks(3000);
  ASSERT_TRUE(Unify({files[0]}, Keep::kNone).status.ok());
  const size_t one = OutputBytes().size();
  ASSERT_TRUE(Unify(files, Keep::kNone).status.ok());
  EXPECT_LT(OutputBytes().size(), 2 * one);
  ASSERT_EQ(ReadOutput().size(), 1u);
}

TEST_F(UnifyJobTest, KeepsAllRanksIfAsked) {
  ASSERT_TRUE(Unify(WriteRanks(5), Keep::kAll).status.ok());
  const std::vector<model::ProcessProfile> processes = ReadOutput();
  ASSERT_EQ(processes.size(), 6u);
  for (uint32_t rank = 0; rank < 5; ++rank) {
    EXPECT_TRUE(processes[rank + 1].header.kept());
    EXPECT_EQ(processes[rank + 1].header.rank(), std::to_string(rank));
    EXPECT_EQ(processes[rank + 1].samples.size(), 3u);
  }
}

TEST_F(UnifyJobTest, LeavesOutFilesWithFaults) {
  std::vector<std::string> files = WriteRanks(4);
  const std::string whole = bench::MakeRank(profile_, 4, false);
  files.push_back(Write("cut.ompprof", whole.substr(0, whole.size() - 3)));
  files.push_back(folder_ + "/missing.ompprof");
  files.push_back(Write("text.ompprof", "nothing of ours"));
  for (const int workers : {1, 3}) {
    const UnifyResult result = Unify(files, Keep::kNone, workers);
    ASSERT_TRUE(result.status.ok()) << result.status.sentence();
    EXPECT_EQ(result.members, 4u);
    EXPECT_EQ(result.files_left_out, 3u);
    ASSERT_EQ(result.complaints.size(), 3u);
    EXPECT_NE(result.complaints[0].find("cut.ompprof: is cut short"), std::string::npos) << result.complaints[0];
    EXPECT_NE(result.complaints[1].find("missing.ompprof: cannot be opened"), std::string::npos);
    for (const std::string& complaint : result.complaints)
      EXPECT_NE(complaint.find("; the file is left out"), std::string::npos) << complaint;
  }
}

// A merged file and its parts. The first file's process counts: here the later ones have other figures.
TEST_F(UnifyJobTest, CountsAProcessThatIsGivenTwiceOnce) {
  const std::vector<std::string> parts = WriteRanks(20);
  ASSERT_TRUE(Unify(parts, Keep::kAll).status.ok());
  const std::string expected = OutputBytes();
  std::string merged;
  for (const uint32_t rank : {3, 30, 5, 7, 11, 3}) {
    const std::string bytes = bench::MakeRank(profile_, rank, rank != 30);
    merged += merged.empty() ? bytes : bytes.substr(model::kMagicSize);
  }
  std::vector<std::string> files = parts;
  files.push_back(Write("merged.ompprof", merged));
  files.push_back(parts[2]);
  const std::string again = " on node0 is also in " + folder_ + "/";
  const std::vector<std::string> sentences = {
      files[20] + ": process 1003" + again + "3.ompprof; ompprof counts the process once",
      files[20] + ": process 1005" + again + "5.ompprof; ompprof counts the process once",
      files[20] + ": process 1007" + again + "7.ompprof; ompprof counts the process once",
      "3 more processes are in several files; ompprof counts each process once"};
  std::string with_30;
  for (const int workers : {1, 2, 3, 7, 22}) {
    const UnifyResult result = Unify(files, Keep::kAll, workers);
    ASSERT_TRUE(result.status.ok()) << result.status.sentence();
    EXPECT_EQ(result.members, 21u);
    EXPECT_EQ(result.files_left_out, 0u);
    EXPECT_EQ(result.complaints, sentences) << workers << " workers";
    if (workers == 1) with_30 = OutputBytes();
    EXPECT_TRUE(OutputBytes() == with_30) << workers << " workers";
  }
  // The job is that of the parts and of rank 30.
  std::vector<std::string> once = parts;
  once.push_back(WriteRank(30));
  ASSERT_TRUE(Unify(once, Keep::kAll).status.ok());
  EXPECT_TRUE(OutputBytes() == with_30);
  // Without rank 30, nothing of the merged file counts.
  files[20] = Write("merged.ompprof", bench::MakeRank(profile_, 4, true));
  for (const int workers : {1, 4}) {
    ASSERT_TRUE(Unify(files, Keep::kAll, workers).status.ok());
    EXPECT_TRUE(OutputBytes() == expected) << workers << " workers";
  }
}

// The processes' order among the arguments decides, not that of their files' sizes.
TEST_F(UnifyJobTest, CountsTheFirstOfTwo) {
  const std::string as_usual = Write("b.ompprof", bench::MakeRank(profile_, 1, false));
  const std::string late = Write("a.ompprof", bench::MakeRank(profile_, 1, true));
  for (const bool late_first : {false, true}) {
    ASSERT_TRUE(Unify({late_first ? late : as_usual}, Keep::kNone).status.ok());
    const std::string expected = OutputBytes();
    for (const int workers : {1, 2}) {
      const UnifyResult result =
          Unify({late_first ? late : as_usual, late_first ? as_usual : late}, Keep::kNone, workers);
      ASSERT_EQ(result.complaints.size(), 1u);
      EXPECT_EQ(result.members, 1u);
      EXPECT_TRUE(OutputBytes() == expected) << late_first << workers;
    }
  }
}

// A program with a timeline: `work_us` of work from its start, in samples of a millisecond, and then a wait as long.
std::string RankInTime(uint64_t pid, uint64_t start_us, uint64_t work_us) {
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_program("/bin/team");
  header->set_host("host");
  header->set_pid(pid);
  header->set_rank(std::to_string(pid));
  header->set_start_unix_ns(static_cast<int64_t>(start_us * 1000));
  header->set_start_mono_ns(1000);
  header->set_weight_unit("nanoseconds");
  test::ProfileBuilder builder(record);
  builder.AddThread(1, Thread::INITIAL, work_us * 1000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  for (uint64_t end_us = 1000; end_us <= work_us; end_us += 1000)
    builder.AddSample({1, root, 1, OmptState::kWorkSerial, 0, 0, 0, 1, 1000000, end_us});
  builder.AddSample({1, root, 1, OmptState::kWaitBarrierImplicitParallel, 0, 0, 0, 0, 0, 2 * work_us, work_us * 1000});
  record.Clear();
  record.mutable_footer()->set_end_mono_ns(1000 + 2 * work_us * 1000);
  builder.Append(record);
  return builder.Bytes();
}

TEST_F(UnifyJobTest, KeepsWhatEachRankDidWhen) {
  constexpr uint64_t kStart = uint64_t{1'700'000'000} << 20;  // a column of any width begins
  constexpr uint64_t kSecond = uint64_t{1} << 20;
  const std::vector<std::string> files = {Write("0", RankInTime(0, kStart, kSecond / 2 / 1000 * 1000)),
                                          Write("1", RankInTime(1, kStart + kSecond / 4, kSecond / 4 / 1000 * 1000))};
  ASSERT_TRUE(Unify(files).status.ok());
  const std::string bytes = OutputBytes();
  ASSERT_TRUE(Unify(files, Keep::kOutliers, 2).status.ok());
  EXPECT_EQ(OutputBytes(), bytes) << "by two workers";
  const model::ProcessProfile job = ReadOutput().front();
  const Unified& unified = job.header.unified();
  ASSERT_EQ(unified.column_ns(), 8192000u);
  ASSERT_EQ(unified.columns(), 128u);
  EXPECT_FALSE(unified.from_own_start());
  ASSERT_EQ(job.members.size(), 1u);
  const MemberBatch& members = job.members[0];
  // Rank 0 works in the columns 0 to 63 and waits in 64 to 127; rank 1 works in 32 to 63 and waits in 64 to 95.
  const auto share = [](const std::string& shares, uint32_t column) { return static_cast<uint8_t>(shares[column]); };
  for (uint32_t column = 0; column < 128; ++column) {
    if (column % 32 == 0 || column % 32 == 31) continue;  // the work is not a whole number of columns long
    EXPECT_EQ(share(members.work_time(0), column), column < 64 ? 255 : 0) << column;
    EXPECT_EQ(share(members.wait_time(0), column), column < 64 ? 0 : 255) << column;
    EXPECT_EQ(share(members.work_time(1), column), column >= 32 && column < 64 ? 255 : 0) << column;
    EXPECT_EQ(share(members.wait_time(1), column), column >= 64 && column < 96 ? 255 : 0) << column;
    EXPECT_EQ(share(members.mpi_time(1), column), 0) << column;
  }
  ASSERT_TRUE(Unify(files, Keep::kNone).status.ok());
  EXPECT_EQ(ReadOutput().front().header.unified().columns(), 0u) << "without rows of members";
}

TEST_F(UnifyJobTest, RefusesAUnifiedJob) {
  ASSERT_TRUE(Unify(WriteRanks(3)).status.ok());
  const std::string job = Write("earlier.ompprof", OutputBytes());
  const UnifyResult result = Unify({job, WriteRank(9)});
  ASSERT_EQ(result.complaints.size(), 1u);
  EXPECT_NE(result.complaints[0].find("is a unified job already"), std::string::npos);
  EXPECT_EQ(result.members, 1u);
}

TEST_F(UnifyJobTest, SaysWhyNothingIsWritten) {
  EXPECT_NE(Unify({folder_ + "/missing"}).status.sentence().find("none of the files could be read"), std::string::npos);
  UnifyOptions options;
  options.files = WriteRanks(2);
  options.output = folder_ + "/no/such/folder/job.ompprof";
  for (const int workers : {1, 2}) {
    std::string sentence;
    RunThreads(workers, [&](Team* team) {
      const UnifyResult result = UnifyJob(options, team);
      if (team->number() == 0) sentence = result.status.sentence();
    });
    EXPECT_NE(sentence.find("No such file or directory"), std::string::npos) << sentence;
  }
}

TEST(Outliers, AreThoseFarFromTheMedian) {
  std::vector<double> distances(100, 1.0);
  for (size_t i = 0; i < distances.size(); ++i) distances[i] += 0.01 * static_cast<double>(i % 10);
  EXPECT_TRUE(FindOutliers(distances).empty());
  distances[40] = 3;
  distances[7] = 5;
  EXPECT_EQ(FindOutliers(distances), (std::vector<size_t>{7, 40}));
  for (size_t i = 0; i < 40; ++i) distances[i] = 10 + static_cast<double>(i);
  EXPECT_EQ(FindOutliers(distances).size(), kMostOutliers);
}

TEST(Buckets, FollowTheText) {
  for (uint64_t value = 0; value < 5000; ++value) EXPECT_EQ(BucketOf(value), BucketByText(value)) << value;
  for (uint32_t bucket = 10; bucket < 250; ++bucket) {
    EXPECT_EQ(BucketOf(BucketBegin(bucket)), bucket);
    EXPECT_EQ(BucketOf(BucketBegin(bucket) - 1), bucket - 1);
  }
}

TEST(SpreadOfAFigure, KeepsSmallDeviationsOfLargeValues) {
  Spread spread;
  constexpr uint64_t kMean = 30'000'000'000'000;  // 8 hours of one processor
  for (uint32_t member = 0; member < 100000; ++member) spread.Add(member, kMean + (member % 2 == 0 ? 1000 : -1000));
  EXPECT_NEAR(spread.Deviation(100000), 1000, 1e-6);
}

}  // namespace
}  // namespace ompprof::unify
