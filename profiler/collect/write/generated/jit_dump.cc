#include "profiler/collect/write/generated/jit_dump.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "profiler/collect/base/os.h"
#include "proto/jit_dump.h"

namespace ompprof::collect {
namespace {

// Longer names are cut, with a zero at their end.
constexpr size_t kLongestName = 2048;

// A jitdump's text, compacted in place: what is kept never grows past what was read.
class Compactor {
 public:
  Compactor(uint8_t* text, size_t size, size_t room, bool swapped)
      : text_(text), size_(size), room_(room), swapped_(swapped) {}

  // False: the file is no jitdump, or its header is not there yet.
  bool Header(bool* swapped) {
    if (size_ < jit_dump::kHeaderBytes) return false;
    const uint32_t magic = jit_dump::Read32(text_, false);
    damaged_ = magic != jit_dump::kMagic && magic != jit_dump::kSwappedMagic;
    *swapped = swapped_ = magic == jit_dump::kSwappedMagic;
    const uint32_t length = jit_dump::Read32(text_ + jit_dump::kHeaderLengthAt, swapped_);
    damaged_ |= length < jit_dump::kHeaderBytes;
    if (damaged_) return false;
    jit_dump::Write32(jit_dump::kHeaderBytes, swapped_, text_ + jit_dump::kHeaderLengthAt);
    at_ = length;
    kept_ = jit_dump::kHeaderBytes;
    return true;
  }

  // Handles the record at at_. False: it is not whole, or its length is impossible.
  bool Record() {
    if (at_ + jit_dump::kPrefixBytes > size_) return false;
    const uint32_t length = Length(at_);
    if (length < jit_dump::kPrefixBytes) {
      // Zeros may be the room for records that the process has not written yet.
      damaged_ = length != 0;
      if (damaged_) Keep(at_, jit_dump::kPrefixBytes);
      return false;
    }
    size_t keep = 0;
    const uint32_t kind = jit_dump::Read32(text_ + at_, swapped_);
    if (kind == jit_dump::kCodeLoad) {
      keep = LoadBytes(length);
      if (keep == 0) return false;
    } else if (kind == jit_dump::kCodeMove || kind == jit_dump::kDebugInfo) {
      const size_t most = kind == jit_dump::kCodeMove ? jit_dump::kMoveBytes : room_;
      keep = length < most ? length : most;
      if (at_ + keep > size_) return false;
    }
    const uint64_t from = at_;
    at_ += length;
    if (keep != 0) Keep(from, keep);
    return true;
  }

  Compaction result() const { return {at_, kept_, damaged_}; }

 private:
  uint32_t Length(uint64_t record) const { return jit_dump::Read32(text_ + record + jit_dump::kLengthAt, swapped_); }

  // The bytes of a load record before its code. 0: they are not there yet. A record without a name is kept, and the
  // reader counts it as malformed.
  size_t LoadBytes(uint32_t length) {
    if (length <= jit_dump::kLoadBytes) return at_ + length <= size_ ? length : 0;
    if (at_ + jit_dump::kLoadBytes >= size_) return 0;
    uint8_t* const name = text_ + at_ + jit_dump::kLoadBytes;
    const size_t of_record = length - jit_dump::kLoadBytes;
    const size_t there = size_ - (at_ + jit_dump::kLoadBytes);
    const size_t wanted = of_record < kLongestName ? of_record : kLongestName;
    const size_t most = wanted < there ? wanted : there;
    const auto* end = static_cast<const uint8_t*>(memchr(name, '\0', most));
    if (end != nullptr) return static_cast<size_t>(end + 1 - (text_ + at_));
    if (most < wanted) return 0;
    if (wanted < of_record) name[wanted - 1] = '\0';
    return jit_dump::kLoadBytes + wanted;
  }

  // Moves bytes to the end of what is kept, as a record of that length.
  void Keep(uint64_t from, size_t length) {
    memmove(text_ + kept_, text_ + from, length);
    if (!damaged_) jit_dump::Write32(static_cast<uint32_t>(length), swapped_, text_ + kept_ + jit_dump::kLengthAt);
    kept_ += length;
  }

  uint8_t* const text_;
  const size_t size_;
  const size_t room_;
  bool swapped_;
  bool damaged_ = false;
  uint64_t at_ = 0;  // in the file, from the text's beginning
  size_t kept_ = 0;
};

// Reads /proc/self/maps line by line. `line` gets the line without its end.
class MappingLines {
 public:
  MappingLines(char* buffer, size_t size)
      : buffer_(buffer),
        capacity_(size),
        fd_(RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC, 0)) {}
  ~MappingLines() {
    if (fd_ >= 0) RawSyscall(SYS_close, fd_);
  }
  MappingLines(const MappingLines&) = delete;
  MappingLines& operator=(const MappingLines&) = delete;

  const char* Next() {
    for (;;) {
      auto* end = static_cast<char*>(memchr(buffer_ + at_, '\n', size_ - at_));
      if (end != nullptr) {
        const char* line = buffer_ + at_;
        *end = '\0';
        at_ = static_cast<size_t>(end + 1 - buffer_);
        return line;
      }
      memmove(buffer_, buffer_ + at_, size_ - at_);
      size_ -= at_;
      at_ = 0;
      const long got = fd_ < 0 ? 0
                               : RawSyscall(SYS_read, fd_, reinterpret_cast<long>(buffer_ + size_),
                                            static_cast<long>(capacity_ - size_));
      if (got <= 0) return nullptr;
      size_ += static_cast<size_t>(got);
    }
  }

 private:
  char* const buffer_;
  const size_t capacity_;
  const long fd_;
  size_t at_ = 0;
  size_t size_ = 0;
};

}  // namespace

Compaction CompactJitDump(uint8_t* text, size_t size, size_t room, bool begins, bool* swapped) {
  Compactor compactor(text, size, room, *swapped);
  if (!begins || compactor.Header(swapped)) {
    while (compactor.Record()) {
    }
  }
  return compactor.result();
}

size_t JitDump::ReadMore(int64_t start_unix_ns, uint8_t* out, size_t size) {
  if (done_ || !file.Open(path, start_unix_ns)) return 0;
  for (;;) {
    const size_t got = file.Read(offset_, out, size);
    const Compaction done = CompactJitDump(out, got, size, offset_ == 0, &swapped_);
    offset_ += done.taken;
    kept_ += done.kept;
    done_ = done.damaged || kept_ >= kMostKept;
    // A piece of code alone, longer than the room, keeps nothing.
    if (done.kept != 0 || done.taken == 0) return done.kept;
  }
}

const char* JitDumpOfMapping(const char* line, pid_t pid) {
  // 7f1200000000-7f1200001000 r-xp 00000000 08:01 1234    /tmp/jit-42.dump
  const char* rights = strchr(line, ' ');
  if (rights == nullptr || strlen(rights) < 5 || rights[3] != 'x') return nullptr;
  const char* path = strchr(rights, '/');
  if (path == nullptr) return nullptr;
  char name[32];
  snprintf(name, sizeof(name), "/jit-%d.dump", pid);
  return strcmp(strrchr(path, '/'), name) == 0 ? path : nullptr;
}

void JitDumps::Find(pid_t pid, char* buffer, size_t size) {
  MappingLines lines(buffer, size);
  while (const char* line = lines.Next()) {
    if (const char* path = JitDumpOfMapping(line, pid)) Add(path);
  }
}

void JitDumps::Add(const char* path) {
  for (uint32_t i = 0; i < count_; ++i) {
    if (strcmp(dumps_[i].path, path) == 0) return;
  }
  if (count_ == kMostDumps || strlen(path) >= sizeof(dumps_[0].path)) return;
  strcpy(dumps_[count_++].path, path);
}

}  // namespace ompprof::collect
