// The log's framing: whole records, and every way in which the bytes can end or go wrong.
#include "profiler/model/record_log.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

using Next = RecordLog::Next;

TEST(RecordLog, RecordsThenTheEnd) {
  test::ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 5);
  RecordLog log(test::FromMemory(builder.Bytes()));
  ASSERT_TRUE(log.Open().ok());
  Record record;
  ASSERT_EQ(log.Read(&record), Next::kRecord);
  EXPECT_EQ(record.header().pid(), 42u);
  ASSERT_EQ(log.Read(&record), Next::kRecord);
  EXPECT_EQ(record.thread().cpu_ns(), 5u);
  EXPECT_EQ(log.Read(&record), Next::kEnd);
  EXPECT_TRUE(log.status().ok());
}

TEST(RecordLog, OneByteAtATime) {
  test::ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 5);
  RecordLog log([bytes = builder.Bytes(), at = size_t{0}](char* buffer, size_t) mutable -> long {
    if (at == bytes.size()) return 0;
    *buffer = bytes[at++];
    return 1;
  });
  ASSERT_TRUE(log.Open().ok());
  Record record;
  EXPECT_EQ(log.Read(&record), Next::kRecord);
  EXPECT_EQ(log.Read(&record), Next::kRecord);
  EXPECT_EQ(log.Read(&record), Next::kEnd);
}

TEST(RecordLog, EveryCutIsFoundOut) {
  test::ProfileBuilder builder;
  const std::string header = builder.Bytes();
  builder.AddThread(1, Thread::INITIAL, 5);
  const std::string whole = builder.Bytes();
  for (size_t size = header.size() + 1; size < whole.size(); ++size) {
    RecordLog log(test::FromMemory(whole.substr(0, size)));
    ASSERT_TRUE(log.Open().ok());
    Record record;
    EXPECT_EQ(log.Read(&record), Next::kRecord);
    EXPECT_EQ(log.Read(&record), Next::kCut) << size;
    EXPECT_EQ(log.offset(), header.size());
  }
}

TEST(RecordLog, NotAProfile) {
  for (const std::string bytes : {"", "OMPPROF",
                                  "\x7f"
                                  "ELF....",
                                  "OMPPROF\r"}) {
    RecordLog log(test::FromMemory(bytes));
    EXPECT_FALSE(log.Open().ok());
  }
}

TEST(RecordLog, AClaimedLengthAllocatesNothing) {
  // 2 GiB - 1 announced, one byte there.
  RecordLog log(test::FromMemory(std::string(kMagic) + "\xff\xff\xff\xff\x07"
                                                       "x"));
  ASSERT_TRUE(log.Open().ok());
  Record record;
  EXPECT_EQ(log.Read(&record), Next::kCut);
  RecordLog larger(test::FromMemory(std::string(kMagic) + "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"));
  ASSERT_TRUE(larger.Open().ok());
  EXPECT_EQ(larger.Read(&record), Next::kDamaged);
  RecordLog endless(test::FromMemory(std::string(kMagic) + std::string(20, '\xff')));
  ASSERT_TRUE(endless.Open().ok());
  EXPECT_EQ(endless.Read(&record), Next::kDamaged);
}

TEST(RecordLog, OtherFilesAreNamed) {
  const auto sentence = [](const std::string& bytes) {
    return RecordLog(test::FromMemory(bytes)).Open("./a.out").sentence();
  };
  EXPECT_EQ(sentence("\177ELF\002\001\001 and so on"),
            "is a program, not a profile; this writes a profile of it: ompprof record ./a.out");
  EXPECT_EQ(sentence("#!/bin/sh"), "is a script, not a profile; this writes a profile of it: ompprof record ./a.out");
  EXPECT_EQ(sentence("PERFILE2 and so on"), "is a profile of perf, not of ompprof; `perf report` reads it");
  EXPECT_EQ(sentence("\037\213\010 and so on"),
            "is compressed, as profiles for pprof are; ompprof reads its own profiles only");
  EXPECT_EQ(sentence("<!DOCTYPE html>"), "is a web page, not a profile; open it in a browser");
  EXPECT_EQ(sentence("text"), "is not an ompprof profile (it does not begin with \"OMPPROF\")");
}

TEST(RecordLog, UnreadableSource) {
  RecordLog log([](char*, size_t) -> long {
    errno = EIO;
    return -1;
  });
  const Status opened = log.Open();
  EXPECT_EQ(opened.sentence(), "cannot be read: Input/output error");
}

}  // namespace
}  // namespace ompprof::model
