// A fuzzer's bytes as decisions: numbers and pieces of text, taken one after the other. When the bytes are spent, all
// numbers are 0 and all text is empty.
#ifndef OMPPROF_TESTS_FUZZ_DECISIONS_H_
#define OMPPROF_TESTS_FUZZ_DECISIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ompprof::fuzz {

class Decisions {
 public:
  Decisions(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}

  uint8_t Byte() { return at_ == end_ ? uint8_t{0} : *at_++; }

  // 0 to `limit`.
  uint32_t UpTo(uint32_t limit) {
    uint32_t value = Byte();
    if (limit > 0xff) value |= uint32_t{Byte()} << 8;
    return limit == UINT32_MAX ? value : value % (limit + 1);
  }

  // Up to the next newline, or `longest` bytes.
  std::string Line(size_t longest) {
    std::string text;
    while (at_ != end_ && text.size() < longest) {
      const char c = static_cast<char>(*at_++);
      if (c == '\n') break;
      text += c;
    }
    return text;
  }

  // A length in one byte, and that many bytes: newlines and zeros too.
  std::string Text() {
    const size_t wanted = Byte();  // before the rest is measured
    const size_t size = std::min(wanted, static_cast<size_t>(end_ - at_));
    std::string text(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return text;
  }

  bool spent() const { return at_ == end_; }

 private:
  const uint8_t* at_;
  const uint8_t* const end_;
};

}  // namespace ompprof::fuzz

#endif  // OMPPROF_TESTS_FUZZ_DECISIONS_H_
