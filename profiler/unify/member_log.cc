#include "profiler/unify/member_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ompprof::unify {
namespace {

// Sorts by row, and adds entries of one row together.
template <class Entry, class Add>
void Compact(std::vector<Entry>* entries, Add add) {
  std::sort(entries->begin(), entries->end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
  size_t kept = 0;
  for (const Entry& entry : *entries) {
    if (kept > 0 && (*entries)[kept - 1].row == entry.row)
      add(&(*entries)[kept - 1], entry);
    else
      (*entries)[kept++] = entry;
  }
  entries->resize(kept);
}

}  // namespace

void Pack(const Member& member, Packer* to) {
  to->Put(member.file);
  to->Put(member.rank);
  to->Put(member.host);
  for (const uint64_t number : {uint64_t{member.program}, member.pid, static_cast<uint64_t>(member.start_unix_ns),
                                uint64_t{member.threads}, member.duration_ns, member.cpu_ns, uint64_t{member.log2_us}})
    to->Put(number);
}

Member UnpackMember(Unpacker* from) {
  Member member;
  member.file = from->Text();
  member.rank = from->Text();
  member.host = from->Text();
  member.program = static_cast<uint32_t>(from->Number());
  member.pid = from->Number();
  member.start_unix_ns = static_cast<int64_t>(from->Number());
  member.threads = static_cast<uint32_t>(from->Number());
  member.duration_ns = from->Number();
  member.cpu_ns = from->Number();
  member.log2_us = static_cast<uint32_t>(from->Number());
  return member;
}

MemberLog::~MemberLog() {
  if (file_ != nullptr) std::fclose(file_);
}

model::Status MemberLog::Open(const std::string& folder) {
  std::string name = folder + "/.ompprof.XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return model::Status(folder + ": cannot make a file for intermediate figures: " + std::strerror(errno));
  unlink(name.c_str());
  file_ = fdopen(fd, "w+");
  return model::Status();
}

// Seven bits a byte, the lowest first.
void MemberLog::Put(uint64_t number) {
  for (; number >= 0x80; number >>= 7) putc_unlocked(static_cast<int>(number & 0x7f) | 0x80, file_);
  putc_unlocked(static_cast<int>(number), file_);
}

uint64_t MemberLog::Get() {
  uint64_t number = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const int byte = getc_unlocked(file_);
    if (byte == EOF) return 0;
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) break;
  }
  return number;
}

model::Status MemberLog::Append(AddedRows rows) {
  Compact(&rows.samples, [](AddedRows::Sample* sum, const AddedRows::Sample& more) {
    sum->weight += more.weight;
    sum->wait += more.wait;
  });
  Compact(&rows.waits, [](AddedRows::Wait* sum, const AddedRows::Wait& more) {
    sum->total_ns += more.total_ns;
    sum->count += more.count;
  });
  Compact(&rows.regions, [](AddedRows::Region* sum, const AddedRows::Region& more) {
    sum->ended += more.ended;
    sum->elapsed_ns += more.elapsed_ns;
    sum->useful_ns += more.useful_ns;
  });
  for (const size_t size : {rows.samples.size(), rows.waits.size(), rows.regions.size(), rows.times.size()}) Put(size);
  uint32_t before = 0;
  for (const auto& sample : rows.samples) {
    for (const uint64_t number : {uint64_t{sample.row - before}, sample.weight, sample.wait}) Put(number);
    before = sample.row;
  }
  before = 0;
  for (const auto& wait : rows.waits) {
    for (const uint64_t number : {uint64_t{wait.row - before}, wait.total_ns, wait.count}) Put(number);
    before = wait.row;
  }
  before = 0;
  for (const auto& region : rows.regions) {
    for (const uint64_t number : {uint64_t{region.row - before}, region.ended, region.elapsed_ns, region.useful_ns})
      Put(number);
    before = region.row;
  }
  uint64_t number = 0;
  for (const auto& time : rows.times) {
    for (const uint64_t field : {time.number - number, uint64_t{time.row}, time.ns}) Put(field);
    number = time.number;
  }
  if (std::ferror(file_) != 0)
    return model::Status(std::string("the file for intermediate figures: ") + std::strerror(errno));
  return model::Status();
}

void MemberLog::Rewind() { std::rewind(file_); }

model::Status MemberLog::Read(AddedRows* rows) {
  rows->samples.resize(Get());
  rows->waits.resize(Get());
  rows->regions.resize(Get());
  rows->times.resize(Get());
  uint32_t row = 0;
  for (auto& sample : rows->samples) {
    sample.row = row += static_cast<uint32_t>(Get());
    sample.weight = Get();
    sample.wait = Get();
  }
  row = 0;
  for (auto& wait : rows->waits) {
    wait.row = row += static_cast<uint32_t>(Get());
    wait.total_ns = Get();
    wait.count = Get();
  }
  row = 0;
  for (auto& region : rows->regions) {
    region.row = row += static_cast<uint32_t>(Get());
    region.ended = Get();
    region.elapsed_ns = Get();
    region.useful_ns = Get();
  }
  uint64_t number = 0;
  for (auto& time : rows->times) {
    time.number = number += Get();
    time.row = static_cast<uint32_t>(Get());
    time.ns = Get();
  }
  if (std::ferror(file_) != 0 || std::feof(file_) != 0)
    return model::Status(std::string("the file for intermediate figures cannot be read back: ") + std::strerror(errno));
  return model::Status();
}

}  // namespace ompprof::unify
