#include "profiler/model/process_lives.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "profiler/model/profile_reader.h"
#include "profiler/model/record_log.h"

namespace ompprof::model {
namespace {

ProcessLife LifeOf(const Header& header, uint64_t duration_ns) {
  const uint64_t length_ns = header.has_unified() ? header.unified().longest_ns() : duration_ns;
  return {IdentityOf(header), header.run(), header.start_unix_ns(),
          header.start_unix_ns() + static_cast<int64_t>(length_ns)};
}

// Reads a log by its records' lengths.
class LogSkimmer {
 public:
  explicit LogSkimmer(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info;
    if (fd_ < 0 || fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) return;
    size_ = static_cast<uint64_t>(info.st_size);
    char magic[kMagicSize];
    if (!Read(0, magic, kMagicSize) || std::memcmp(magic, kMagic, kMagicSize) != 0) size_ = 0;
  }
  ~LogSkimmer() {
    if (fd_ >= 0) close(fd_);
  }
  LogSkimmer(const LogSkimmer&) = delete;
  LogSkimmer& operator=(const LogSkimmer&) = delete;

  // Goes on to the next header or footer. False at the end, or at bytes that are no record.
  bool Next(Record* record) {
    while (at_ < size_) {
      char bytes[kLongestVarint + 1] = {};
      const uint64_t got = std::min<uint64_t>(sizeof bytes, size_ - at_);
      if (!Read(at_, bytes, got)) return false;
      uint64_t length = 0;
      size_t begin = 0;
      for (bool more = true; more; ++begin) {
        if (begin == kLongestVarint || begin >= got) return false;
        const auto byte = static_cast<unsigned char>(bytes[begin]);
        length |= uint64_t{byte & 0x7fu} << (7 * begin);
        more = (byte & 0x80) != 0;
      }
      const uint64_t from = at_ + begin;
      if (length > size_ - from) return false;  // cut
      at_ = from + length;
      const bool wanted = bytes[begin] == Tag(Record::kHeader) || bytes[begin] == Tag(Record::kFooter);
      if (!wanted || length == 0 || begin >= got) continue;
      content_.resize(length);
      return Read(from, content_.data(), length) && record->ParseFromString(content_);
    }
    return false;
  }

 private:
  static constexpr size_t kLongestVarint = 10;

  // The first byte of a record with this member: the field's number, and the wire type of a message.
  static char Tag(int field) { return static_cast<char>(field << 3 | 2); }

  bool Read(uint64_t offset, char* to, uint64_t size) const {
    return pread(fd_, to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  }

  int fd_;
  uint64_t size_ = 0;  // 0: no profile
  uint64_t at_ = kMagicSize;
  std::string content_;
};

}  // namespace

ProcessLife LifeOf(const ProcessProfile& profile) { return LifeOf(profile.header, profile.DurationNs()); }

std::vector<ProcessLife> ReadLives(const std::string& path) {
  std::vector<ProcessLife> lives;
  bool all_end = true;
  std::optional<Header> open;
  const auto end = [&](uint64_t duration_ns) {
    if (open && !open->kept()) lives.push_back(LifeOf(*open, duration_ns));
    open.reset();
  };
  LogSkimmer skimmer(path);
  for (Record record; skimmer.Next(&record);) {
    if (record.has_footer() && open) {
      const uint64_t end_ns = record.footer().end_mono_ns();
      end(end_ns - std::min(end_ns, open->start_mono_ns()));
    } else if (record.has_header()) {
      all_end &= !open;
      open = record.header();
    }
  }
  if (all_end && !open) return lives;
  // A killed process: the youngest record tells how long it ran.
  lives.clear();
  ReadProfiles(
      path,
      [&lives](const ReadResult& result) {
        if (result.usable && !result.profile.header.kept()) lives.push_back(LifeOf(result.profile));
      },
      Timeline::kDrop);
  return lives;
}

std::vector<std::vector<size_t>> GroupRuns(const std::vector<ProcessLife>& lives) {
  std::vector<size_t> by_begin(lives.size());
  std::iota(by_begin.begin(), by_begin.end(), size_t{0});
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [&](size_t a, size_t b) { return lives[a].begin_ns < lives[b].begin_ns; });
  // Each process leads to an older one of its run, and the oldest to itself.
  std::vector<size_t> older(lives.size());
  std::iota(older.begin(), older.end(), size_t{0});
  const auto oldest = [&](size_t one) {
    while (older[one] != one) one = older[one] = older[older[one]];
    return one;
  };
  std::map<std::string, size_t> named;
  std::optional<size_t> last;  // the process that ends last, of those that have begun
  for (const size_t one : by_begin) {
    const auto join = [&](size_t other) {
      const size_t a = oldest(one);
      const size_t b = oldest(other);
      const bool a_is_older = std::make_pair(lives[a].begin_ns, a) < std::make_pair(lives[b].begin_ns, b);
      (a_is_older ? older[b] : older[a]) = a_is_older ? a : b;
    };
    if (!lives[one].run.empty()) join(named.emplace(lives[one].run, one).first->second);
    if (last && lives[one].begin_ns <= lives[*last].end_ns) join(*last);
    if (!last || lives[one].end_ns > lives[*last].end_ns) last = one;
  }
  std::map<size_t, size_t> numbers;
  std::vector<std::vector<size_t>> runs;
  for (const size_t one : by_begin) {
    const auto [run, added] = numbers.emplace(oldest(one), runs.size());
    if (added) runs.emplace_back();
    runs[run->second].push_back(one);
  }
  return runs;
}

}  // namespace ompprof::model
