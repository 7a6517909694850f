// Waits and charges of locks: names, places, functions to blame.
#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/builder/build_view.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof::analyze {
namespace {

// outer() has middle() inlined, and middle() has inner() inlined. Each has a label of one byte.
constexpr char kCode[] = "tests/unit/model/inlining.so";
constexpr char kData[] = "tests/unit/model/variables_gcc.so";
constexpr uint64_t kCodeBias = 0x7f0000000000;
constexpr uint64_t kDataBias = 0x7f1000000000;
constexpr uint64_t kHeap = 0x55aa00001000;

class LocksTest : public ::testing::Test {
 protected:
  struct Row {
    uint32_t thread = 1;
    OmptState state = OmptState::kWaitLock;
    uint64_t wait_id = kHeap;
    std::string at = "at_inner";
    uint64_t ns = 100;
    std::string acquired_at = "";
    uint32_t lock = 0;
    std::vector<std::pair<uint32_t, uint64_t>> lengths = {};  // bucket, and number of waits
  };

  uint64_t Code(const std::string& label) { return label.empty() ? 0 : kCodeBias + code_[label] + 1; }
  uint64_t Data(const std::string& symbol, uint64_t offset) { return kDataBias + data_[symbol] + offset; }

  static void Begin(test::ProfileBuilder* builder, uint64_t bias = kDataBias) {
    builder->AddModule(1, kCode, kCodeBias, 0x100000);
    builder->AddModule(2, kData, bias, 0x100000);
    builder->AddThread(1, Thread::INITIAL, 1000);
    builder->AddThread(2, Thread::WORKER, 1000);
  }

  void Add(test::ProfileBuilder* builder, const Row& row) {
    Record record;
    WaitStats* stats = record.mutable_wait_stats();
    stats->set_thread(row.thread);
    stats->set_state(StateToWire(row.state));
    stats->set_codeptr_ra(Code(row.at));
    stats->set_wait_id(row.wait_id);
    stats->set_acquired_at(Code(row.acquired_at));
    stats->set_count(2);
    stats->set_total_ns(row.ns);
    stats->set_max_ns(row.ns - 10);
    stats->set_lock(row.lock);
    uint32_t before = 0;
    for (const auto& [bucket, count] : row.lengths) {
      stats->add_length_bucket(bucket + 1 - before);
      stats->add_length_count(count);
      before = bucket + 1;
    }
    builder->Append(record);
  }

  void Make(test::ProfileBuilder* builder, uint32_t id, uint64_t wait_id, const std::string& at, uint32_t kind = 1) {
    Record record;
    LockInit* lock = record.mutable_lock_init();
    lock->set_id(id);
    lock->set_wait_id(wait_id);
    lock->set_kind(kind);
    lock->set_codeptr_ra(Code(at));
    builder->Append(record);
  }

  std::vector<Lock> Build(const std::vector<const test::ProfileBuilder*>& builders) {
    profiles_.clear();
    for (const test::ProfileBuilder* builder : builders) profiles_.push_back(test::Read(*builder).profile);
    std::vector<const model::ProcessProfile*> processes;
    for (const model::ProcessProfile& profile : profiles_) processes.push_back(&profile);
    view_ = BuildView(processes, ViewKind::kUser, &symbolizer_);
    return BuildLocks(&view_, &symbolizer_).locks;
  }

  std::string Function(const LockPlace& place) { return view_.frames.function(place.function).name; }

  std::map<std::string, uint64_t> code_ = test::SymbolAddresses(kCode);
  std::map<std::string, uint64_t> data_ = test::SymbolAddresses(kData);
  std::deque<model::ProcessProfile> profiles_;
  model::Symbolizer symbolizer_;
  View view_;
};

TEST_F(LocksTest, NamesFromWhatIsKnown) {
  test::ProfileBuilder builder;
  Begin(&builder);
  Make(&builder, 1, kHeap, "at_outer", 3);
  Add(&builder, {.wait_id = Data("table", 0x10), .ns = 500});
  Add(&builder, {.wait_id = kHeap, .ns = 400, .lock = 1});
  Add(&builder, {.wait_id = kHeap, .ns = 300, .lock = 7});
  Add(&builder, {.state = OmptState::kWaitCritical, .wait_id = kHeap + 64, .ns = 200});
  Add(&builder, {.state = OmptState::kWaitOrdered, .wait_id = kHeap + 128, .at = "at_middle", .ns = 100});
  Add(&builder, {.state = OmptState::kWaitBarrierExplicit, .wait_id = 0, .ns = 9000});
  const std::vector<Lock> locks = Build({&builder});
  ASSERT_EQ(locks.size(), 5u);
  EXPECT_EQ(locks[0].name, "table.locks[3]");
  EXPECT_EQ(locks[0].module, kData);
  EXPECT_EQ(locks[0].kind, LockKind::kLock);
  EXPECT_EQ(locks[1].name, "lock made at shapes::outer(int) shapes.cc:32");
  EXPECT_EQ(locks[1].kind, LockKind::kNestLock);
  EXPECT_EQ(locks[1].module, "");
  EXPECT_EQ(locks[2].name, "0x55aa00001000") << "another lock at that address, and nobody saw it made";
  EXPECT_EQ(locks[3].name, "critical at shapes.cc:12");
  EXPECT_EQ(locks[4].name, "ordered at shapes.cc:22");
}

TEST_F(LocksTest, WaitsOfAllThreadsAndPlaces) {
  test::ProfileBuilder builder;
  Begin(&builder);
  Add(&builder, {.thread = 1, .at = "at_inner", .ns = 100});
  Add(&builder, {.thread = 2, .at = "at_inner", .ns = 150});
  Add(&builder, {.thread = 2, .at = "at_outer", .ns = 400});
  const std::vector<Lock> locks = Build({&builder});
  ASSERT_EQ(locks.size(), 1u);
  EXPECT_EQ(locks[0].wait_ns, 650u);
  EXPECT_EQ(locks[0].count, 6u);
  EXPECT_EQ(locks[0].max_ns, 390u);
  EXPECT_EQ(locks[0].threads, 2u);
  ASSERT_EQ(locks[0].waiting.size(), 2u);
  EXPECT_EQ(locks[0].waiting[0].line, 32u);
  EXPECT_EQ(locks[0].waiting[1].line, 12u);
  EXPECT_EQ(locks[0].waiting[1].ns, 250u);
  EXPECT_EQ(Function(locks[0].waiting[1]), "shapes::inner");
}

TEST_F(LocksTest, TheFunctionThatBothTookAndReleasedIsToBlame) {
  test::ProfileBuilder builder;
  Begin(&builder);
  Add(&builder, {.thread = 2, .ns = 300});
  Add(&builder, {.thread = 1, .at = "at_middle", .ns = 200, .acquired_at = "at_inner"});
  Add(&builder, {.thread = 1, .at = "at_inner", .ns = 90, .acquired_at = "at_outer"});
  const std::vector<Lock> locks = Build({&builder});
  ASSERT_EQ(locks.size(), 1u);
  EXPECT_EQ(locks[0].wait_ns, 300u) << "charges are no waits";
  ASSERT_EQ(locks[0].blamed.size(), 2u);
  EXPECT_EQ(Function(locks[0].blamed[0]), "shapes::middle");
  EXPECT_EQ(locks[0].blamed[0].ns, 200u);
  EXPECT_EQ(Function(locks[0].blamed[1]), "shapes::outer(int)");
}

// gcc ends a function with a jump if its last act is the release. The release is then seen in the caller.
TEST_F(LocksTest, WithNoSuchFunctionTheOneThatTookIt) {
  test::ProfileBuilder builder;
  Begin(&builder);
  Add(&builder, {.thread = 2, .ns = 300});
  Add(&builder, {.thread = 1, .at = "at_hot", .ns = 200, .acquired_at = "at_inner"});
  const std::vector<Lock> locks = Build({&builder});
  ASSERT_EQ(locks.size(), 1u);
  ASSERT_EQ(locks[0].blamed.size(), 1u);
  EXPECT_EQ(Function(locks[0].blamed[0]), "shapes::outer(int)");
  ASSERT_EQ(locks[0].waiting.size(), 1u);
  EXPECT_EQ(Function(locks[0].waiting[0]), "shapes::outer(int)") << "the same, not what is inlined there";
  EXPECT_EQ(locks[0].waiting[0].line, 31u);
}

// In a worker, libomp gives 0 or another thread's place for the end of a critical.
TEST_F(LocksTest, ACriticalsHolderIsWhereItBegan) {
  test::ProfileBuilder builder;
  Begin(&builder);
  Add(&builder, {.thread = 2, .state = OmptState::kWaitCritical, .ns = 300});
  Add(&builder, {.thread = 1, .state = OmptState::kWaitCritical, .at = "", .ns = 200, .acquired_at = "at_outer"});
  Add(&builder,
      {.thread = 1, .state = OmptState::kWaitCritical, .at = "at_inner", .ns = 90, .acquired_at = "at_outer"});
  const std::vector<Lock> locks = Build({&builder});
  ASSERT_EQ(locks.size(), 1u);
  ASSERT_EQ(locks[0].blamed.size(), 1u);
  EXPECT_EQ(Function(locks[0].blamed[0]), "shapes::outer(int)");
  EXPECT_EQ(locks[0].blamed[0].ns, 290u);
}

TEST_F(LocksTest, OneNameInSeveralProcesses) {
  test::ProfileBuilder first;
  test::ProfileBuilder second;
  constexpr uint64_t kElsewhere = 0x1000000;
  Begin(&first);
  Begin(&second, kDataBias + kElsewhere);
  Add(&first, {.wait_id = Data("global_lock", 0), .ns = 100});
  Add(&second, {.wait_id = Data("global_lock", 0) + kElsewhere, .ns = 200});
  for (test::ProfileBuilder* builder : {&first, &second}) {
    Make(builder, 1, kHeap, "at_outer");
    Add(builder, {.wait_id = kHeap, .ns = 50, .lock = 1});
  }
  std::vector<Lock> locks = Build({&first, &second});
  ASSERT_EQ(locks.size(), 3u);
  EXPECT_EQ(locks[0].name, "global_lock");
  EXPECT_EQ(locks[0].wait_ns, 300u);
  EXPECT_EQ(locks[0].threads, 2u) << "thread 1 of each process";
  FoldByPlace(&locks);
  ASSERT_EQ(locks.size(), 2u);
  EXPECT_EQ(locks[1].wait_ns, 100u);
  EXPECT_EQ(locks[1].locks, 2u);
}

// Bucket 1: 64 to 80 ns; 41: 65,536 to 81,920 ns. The quantile lies between the limits: 2 * 64 * 80 / 144 in the first.
TEST_F(LocksTest, LengthsOfWaitsAddUp) {
  test::ProfileBuilder first;
  test::ProfileBuilder second;
  Begin(&first);
  Begin(&second);
  const uint64_t lock = Data("global_lock", 0), other = Data("table", 0);
  Add(&first, {.thread = 1, .wait_id = lock, .ns = 90000, .lengths = {{1, 50}, {41, 3}}});
  Add(&first, {.thread = 2, .wait_id = lock, .ns = 90000, .lengths = {{1, 42}}});
  Add(&second, {.wait_id = lock, .ns = 90000, .lengths = {{41, 5}}});
  Add(&second, {.wait_id = other, .ns = 70010, .lengths = {{41, 5}}});
  const std::vector<Lock> locks = Build({&first, &second});
  ASSERT_EQ(locks.size(), 2u);
  EXPECT_EQ(WaitQuantile(locks[0], 0.92), 71u);
  EXPECT_EQ(WaitQuantile(locks[0], 0.95), 72818u);
  EXPECT_EQ(WaitQuantile(locks[1], 0.95), 70000u) << "no more than the longest";
}

// A file from before lengths were kept.
TEST_F(LocksTest, NoPercentileOfAPart) {
  test::ProfileBuilder builder;
  Begin(&builder);
  Add(&builder, {.thread = 1, .lengths = {{1, 2}}});
  Add(&builder, {.thread = 2});
  const std::vector<Lock> locks = Build({&builder});
  ASSERT_EQ(locks.size(), 1u);
  EXPECT_FALSE(locks[0].lengths.known());
  EXPECT_EQ(WaitQuantile(locks[0], 0.95), 0u);
}

}  // namespace
}  // namespace ompprof::analyze
