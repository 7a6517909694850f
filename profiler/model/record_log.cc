#include "profiler/model/record_log.h"

#include <google/protobuf/stubs/common.h>

#include <cerrno>
#include <cstring>

#if GOOGLE_PROTOBUF_VERSION >= 4022000
#include <absl/log/globals.h>
#endif

namespace ompprof::model {
namespace {

// While a record is read. libprotobuf would print a line for each bad record, and the caller reports the error.
#if GOOGLE_PROTOBUF_VERSION >= 4022000
// Since version 22, libprotobuf prints by way of Abseil, as nothing else here does.
struct Silence {
  Silence() { absl::SetMinLogLevel(absl::LogSeverityAtLeast::kInfinity); }
};
#else
using Silence = google::protobuf::LogSilencer;
#endif

// The source is asked for so much at a time.
constexpr size_t kChunk = size_t{1} << 18;

// libprotobuf's own limit on one message.
constexpr uint64_t kLargestRecord = (uint64_t{1} << 31) - 1;

constexpr size_t kLongestVarint = 10;

// Files that users take for profiles, by their first bytes.
struct OtherFile {
  std::string_view begin;
  const char* sentence;
  bool runs = false;  // `record` can run it
};
constexpr OtherFile kOtherFiles[] = {
    {"\177ELF", "is a program, not a profile", true},
    {"#!", "is a script, not a profile", true},
    {"PERFILE2", "is a profile of perf, not of ompprof; `perf report` reads it"},
    {"\037\213", "is compressed, as profiles for pprof are; ompprof reads its own profiles only"},
    {"<!DOCTYPE", "is a web page, not a profile; open it in a browser"},
};

std::string NotAProfile(std::string_view bytes, const std::string& name) {
  for (const OtherFile& other : kOtherFiles) {
    if (bytes.substr(0, other.begin.size()) != other.begin) continue;
    return std::string(other.sentence) +
           (other.runs ? "; this writes a profile of it: ompprof record " + name : std::string());
  }
  return "is not an ompprof profile (it does not begin with \"OMPPROF\")";
}

}  // namespace

bool RecordLog::Fill(size_t size) {
  if (buffer_.size() - begin_ >= size) return true;
  buffer_offset_ += begin_;
  buffer_.erase(0, begin_);
  begin_ = 0;
  // A string's own growth would write zeros into a whole chunk first, which small files would notice.
  if (chunk_ == nullptr) chunk_.reset(new char[kChunk]);
  while (buffer_.size() < size) {
    const long got = source_(chunk_.get(), kChunk);
    if (got <= 0) {
      failed_ = got < 0;
      if (failed_) status_ = Status(std::string("cannot be read: ") + std::strerror(errno));
      return false;
    }
    buffer_.append(chunk_.get(), static_cast<size_t>(got));
  }
  return true;
}

RecordLog::Next RecordLog::Fail(Next next, const std::string& what) {
  if (failed_) return Next::kUnreadable;  // status_ has the system's words
  status_ = Status(what + " at byte " + std::to_string(record_offset_));
  return next;
}

std::string_view RecordLog::bytes() const {
  const auto begin = static_cast<size_t>(record_offset_ - buffer_offset_);
  return std::string_view(buffer_).substr(begin, begin_ - begin);
}

Status RecordLog::Open(const std::string& name) {
  if (!Fill(kMagicSize) || std::memcmp(buffer_.data(), kMagic, kMagicSize) != 0) {
    if (!failed_ && buffer_.empty())
      status_ = Status("is empty: its process was killed as it created it");
    else if (!failed_)
      status_ = Status(NotAProfile(buffer_, name));
    return status_;
  }
  begin_ = kMagicSize;
  return Status();
}

RecordLog::Next RecordLog::Read(Record* record) {
  record_offset_ = buffer_offset_ + begin_;
  Fill(kLongestVarint);  // near the end, fewer bytes are fine
  if (failed_) return Next::kUnreadable;
  if (begin_ == buffer_.size()) return Next::kEnd;

  uint64_t length = 0;
  size_t varint_size = 0;
  for (bool more = true; more; ++varint_size) {
    if (varint_size == kLongestVarint) return Fail(Next::kDamaged, "is damaged: no record length");
    if (begin_ + varint_size == buffer_.size()) return Fail(Next::kCut, "is cut short: the last record is incomplete");
    const auto byte = static_cast<uint8_t>(buffer_[begin_ + varint_size]);
    length |= uint64_t{byte & 0x7fu} << (7 * varint_size);
    more = (byte & 0x80) != 0;
  }
  if (length > kLargestRecord) return Fail(Next::kDamaged, "is damaged: impossible record length");
  if (!Fill(varint_size + length)) return Fail(Next::kCut, "is cut short: the last record is incomplete");
  const Silence silence;
  if (!record->ParseFromArray(buffer_.data() + begin_ + varint_size, static_cast<int>(length))) {
    return Fail(Next::kDamaged, "is damaged: unreadable record");
  }
  begin_ += varint_size + length;
  return Next::kRecord;
}

}  // namespace ompprof::model
