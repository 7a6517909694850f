#include "runtime_shim/device/trace.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <map>
#include <thread>
#include <vector>

namespace reference_device {
namespace {

struct Received {
  std::vector<ompt_id_t> ompt, native;  // host_op_ids in order
  std::vector<unsigned> counts;         // of the records of each buffer
  std::vector<void*> buffers;
  unsigned requests = 0;
  size_t buffer_bytes = 4096;
  bool other_thread = false;
  Trace* trace = nullptr;
  int refusals = 0;
} received;
pthread_t test_thread;

void Request(int, ompt_buffer_t** buffer, size_t* bytes) {
  received.requests++;
  *bytes = received.buffer_bytes;
  *buffer = received.buffer_bytes != 0 ? malloc(received.buffer_bytes) : nullptr;
}

void Complete(int, ompt_buffer_t* buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned) {
  EXPECT_EQ(owned, 1);
  if (!pthread_equal(pthread_self(), test_thread)) received.other_thread = true;
  if (received.trace->Flush() == 0 && received.trace->Stop() == 0) received.refusals++;
  unsigned count = 0;
  ompt_buffer_cursor_t at = begin;
  do {
    count++;
    if (auto* record = static_cast<ompt_record_ompt_t*>(RecordAt(buffer, at, ompt_record_ompt))) {
      EXPECT_EQ(RecordType(buffer, at), ompt_record_ompt);
      EXPECT_EQ(RecordAt(buffer, at, ompt_record_native), nullptr);
      received.ompt.push_back(record->type == ompt_callback_target_submit ? record->record.target_kernel.host_op_id
                                                                          : record->record.target_data_op.host_op_id);
    } else {
      ASSERT_EQ(RecordType(buffer, at), ompt_record_native);
      received.native.push_back(static_cast<NativeRecord*>(RecordAt(buffer, at, ompt_record_native))->host_op_id);
    }
  } while (Advance(buffer, bytes, at, &at) != 0);
  received.counts.push_back(count);
  free(buffer);
}

class TraceTest : public ::testing::Test {
 protected:
  TraceTest() {
    received = {};
    received.trace = &trace;
    test_thread = pthread_self();
  }

  void Operate(ompt_id_t id, NativeKind kind = NativeKind::kKernel) {
    Operation operation = {};
    operation.kind = kind;
    operation.host.host_op_id = id;
    operation.host.target_id = 1;
    operation.records = trace.Begin(kind, true);
    trace.Add(operation);
  }

  Clock clock{0};
  Trace trace{clock};
};

std::vector<ompt_id_t> Numbers(ompt_id_t first, ompt_id_t last) {
  std::vector<ompt_id_t> numbers;
  for (ompt_id_t i = first; i <= last; i++) numbers.push_back(i);
  return numbers;
}

TEST_F(TraceTest, RecordsNothingBeforeTheToolHasChosen) {
  Operate(1);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  Operate(2);
  EXPECT_EQ(trace.Stop(), 1);
  EXPECT_EQ(received.requests, 0u);
}

TEST_F(TraceTest, BuffersComeBackFullAndAtTheStopPartFull) {
  EXPECT_EQ(trace.SetOmpt(true, ompt_callback_target_submit), ompt_set_always);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  EXPECT_EQ(trace.Start(Request, Complete), 0);
  for (ompt_id_t i = 1; i <= 40; i++) Operate(i);
  Operate(99, NativeKind::kAlloc);  // not chosen
  EXPECT_EQ(trace.Stop(), 1);
  EXPECT_EQ(trace.Stop(), 0);
  EXPECT_EQ(received.ompt, Numbers(1, 40));
  EXPECT_EQ(received.counts, (std::vector<unsigned>{16, 16, 8}));
  EXPECT_EQ(received.requests, 3u);
  EXPECT_TRUE(received.other_thread);
  EXPECT_EQ(received.refusals, 3);
}

TEST_F(TraceTest, FlushGivesWhatHasEnded) {
  trace.SetOmpt(true, 0);
  EXPECT_EQ(trace.Flush(), 0);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  for (ompt_id_t i = 1; i <= 5; i++) {
    Operate(i, i % 2 == 0 ? NativeKind::kKernel : NativeKind::kCopyToDevice);
    EXPECT_EQ(trace.Flush(), 1);
    EXPECT_EQ(received.ompt, Numbers(1, i));
  }
  EXPECT_EQ(trace.Flush(), 1);  // nothing new: no empty buffer comes
  EXPECT_EQ(received.counts, (std::vector<unsigned>{1, 1, 1, 1, 1}));
  trace.Stop();
}

TEST_F(TraceTest, PauseLosesNothingThatHadBegun) {
  trace.SetOmpt(true, 0);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  Operation early = {};
  early.kind = NativeKind::kKernel;
  early.host.host_op_id = 2;
  Operate(1);
  early.records = trace.Begin(NativeKind::kKernel, true);
  EXPECT_EQ(trace.Pause(true), 1);
  Operate(90);
  trace.Add(early);
  EXPECT_EQ(trace.Pause(false), 1);
  Operate(3);
  trace.Stop();
  EXPECT_EQ(received.ompt, Numbers(1, 3));
  EXPECT_EQ(trace.Pause(true), 0);
}

TEST_F(TraceTest, StopWaitsForWhatHasBegun) {
  trace.SetOmpt(true, 0);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  Operation late = {};
  late.kind = NativeKind::kKernel;
  late.host.host_op_id = 1;
  late.records = trace.Begin(NativeKind::kKernel, true);
  std::atomic<bool> is_added{false};
  std::thread device([&] {
    usleep(20000);
    is_added = true;
    trace.Add(late);
  });
  EXPECT_EQ(trace.Stop(), 1);
  EXPECT_TRUE(is_added);
  EXPECT_EQ(received.ompt, Numbers(1, 1));
  device.join();
}

TEST_F(TraceTest, BothFormats) {
  trace.SetOmpt(true, 0);
  EXPECT_EQ(trace.SetNative(true, ompt_native_kernel_execution), ompt_set_always);
  EXPECT_EQ(trace.SetNative(true, ompt_native_data_motion_implicit | ompt_native_driver), ompt_set_sometimes);
  EXPECT_EQ(trace.SetNative(true, ompt_native_idleness), ompt_set_impossible);
  EXPECT_EQ(trace.SetOmpt(true, ompt_callback_work), ompt_set_impossible);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  for (ompt_id_t i = 1; i <= 20; i++) Operate(i, i % 3 == 0 ? NativeKind::kKernel : NativeKind::kCopyFromDevice);
  trace.Stop();
  EXPECT_EQ(received.ompt, Numbers(1, 20));
  EXPECT_EQ(received.native, Numbers(1, 20));
}

TEST_F(TraceTest, SmallBuffersTakeWhatFits) {
  received.buffer_bytes = 300;
  trace.SetOmpt(true, 0);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  for (ompt_id_t i = 1; i <= 10; i++) Operate(i);
  trace.Stop();
  EXPECT_EQ(received.ompt, Numbers(1, 10));
  EXPECT_EQ(trace.lost(), 0u);
}

TEST_F(TraceTest, CountsWhatTheToolGivesNoBufferFor) {
  received.buffer_bytes = 0;
  trace.SetOmpt(true, 0);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  for (ompt_id_t i = 1; i <= 10; i++) Operate(i);
  trace.Stop();
  EXPECT_EQ(trace.lost(), 10u);
  EXPECT_TRUE(received.counts.empty());
}

TEST_F(TraceTest, ThreadsAtOnceLoseNothing) {
  trace.SetOmpt(true, 0);
  ASSERT_EQ(trace.Start(Request, Complete), 1);
  std::vector<std::thread> threads;
  for (ompt_id_t thread = 0; thread < 4; thread++)
    threads.emplace_back([this, thread] {
      for (ompt_id_t i = 0; i < 500; i++) {
        Operate(thread * 1000 + i);
        if (i % 100 == 0) trace.Flush();
      }
    });
  for (std::thread& thread : threads) thread.join();
  trace.Stop();
  std::map<ompt_id_t, std::vector<ompt_id_t>> of_thread;
  for (const ompt_id_t id : received.ompt) of_thread[id / 1000].push_back(id);
  ASSERT_EQ(of_thread.size(), 4u);
  for (const auto& [thread, ids] : of_thread) EXPECT_EQ(ids, Numbers(thread * 1000, thread * 1000 + 499));
}

TEST(Clock, RunsAtAnotherRateAndTranslatesBack) {
  for (int device = 0; device < 3; device++) {
    const Clock clock(device);
    const uint64_t begin = HostNs(), end = begin + 1000000000;
    const ompt_device_time_t first = clock.FromHost(begin), second = clock.FromHost(end);
    EXPECT_GT(static_cast<double>(second - first), 1.2e9);
    EXPECT_NEAR(clock.ToHostSeconds(second) - clock.ToHostSeconds(first), 1, 1e-6);
    EXPECT_NEAR(clock.ToHostSeconds(first), static_cast<double>(begin) * 1e-9, 1e-6);
  }
}

}  // namespace
}  // namespace reference_device
