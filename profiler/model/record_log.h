// A profile's bytes as a sequence of records: the magic, then length-delimited messages. The profile reader calls it.
// It does not know the meaning of the records.
//
// The bytes are not trusted: memory grows with the arrived bytes, never with a claimed length.
#ifndef OMPPROF_PROFILER_MODEL_RECORD_LOG_H_
#define OMPPROF_PROFILER_MODEL_RECORD_LOG_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "profiler/model/status.h"
#include "proto/callpath_profile.pb.h"
#include "proto/callpath_profile_magic.h"

namespace ompprof::model {

using fields::kMagic;
using fields::kMagicSize;

// Puts up to `size` bytes into `buffer`. Returns their number, 0 at the end, or -1 with errno set on an error.
using ByteSource = std::function<long(char* buffer, size_t size)>;

class RecordLog {
 public:
  enum class Next {
    kRecord,      // `record` holds the next record
    kEnd,         // the bytes end after a whole record
    kCut,         // the bytes end inside a record
    kDamaged,     // these bytes are no record: nothing after them is readable
    kUnreadable,  // the source failed
  };

  explicit RecordLog(ByteSource source) : source_(std::move(source)) {}

  // Reads the magic, before Read. If the bytes were too few, Open may be called again. `name` is the log's file, for
  // the sentence about a file that is a program.
  Status Open(const std::string& name = "PROGRAM");

  // Reads one record. After anything but kRecord, status() has the reason (kEnd: none). After kEnd and kCut, Read may
  // be called again: more bytes may have arrived.
  Next Read(Record* record);

  // The record that Read returned last, with its length, as in the file. Valid until the next call.
  std::string_view bytes() const;

  // The number of bytes that were taken from the source and do not yet belong to a record or to the magic.
  size_t unread() const { return buffer_.size() - begin_; }

  const Status& status() const { return status_; }

  // The position in the file of the record that Read returned last, or could not return.
  uint64_t offset() const { return record_offset_; }

 private:
  // Makes at least `size` unread bytes available; false at the end of the source or on an error.
  bool Fill(size_t size);
  Next Fail(Next next, const std::string& what);

  ByteSource source_;
  Status status_;
  std::unique_ptr<char[]> chunk_;  // what the source gave last
  std::string buffer_;
  size_t begin_ = 0;            // of the unread bytes in buffer_
  uint64_t buffer_offset_ = 0;  // of buffer_[0] in the file
  uint64_t record_offset_ = 0;
  bool failed_ = false;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_RECORD_LOG_H_
