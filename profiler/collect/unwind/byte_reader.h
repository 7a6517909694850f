// Reads DWARF's integers from a range of bytes, never past its end.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_BYTE_READER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_BYTE_READER_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace ompprof::collect {

// Pointer encodings of .eh_frame (Linux Standard Base, "DWARF Exception Header Encoding").
constexpr uint8_t kEncodingOmit = 0xff;
constexpr uint8_t kEncodingPcRelative = 0x10;
constexpr uint8_t kEncodingDataRelative = 0x30;

// After a read past the end, ok() is false for good and all reads give 0. So a parser checks once, at its end. The
// bytes may be a copy; `shift` is then added to a place in the copy to get its original address. Async-signal-safe.
class ByteReader {
 public:
  ByteReader(const uint8_t* begin, const uint8_t* end, uintptr_t shift = 0)
      : at_(begin), end_(end), shift_(shift), ok_(begin <= end) {}

  bool ok() const { return ok_; }
  bool at_end() const { return !ok_ || at_ >= end_; }
  const uint8_t* at() const { return at_; }
  const uint8_t* end() const { return end_; }
  uintptr_t shift() const { return shift_; }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(at_) + shift_; }
  size_t remaining() const { return ok_ ? static_cast<size_t>(end_ - at_) : 0; }

  void Skip(uint64_t bytes) {
    if (bytes > remaining()) {
      ok_ = false;
    } else {
      at_ += bytes;
    }
  }

  // A fixed-size little-endian integer, at any alignment.
  template <typename T>
  T Fixed() {
    if (remaining() < sizeof(T)) {
      ok_ = false;
      return 0;
    }
    T value;
    memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  uint8_t U8() { return Fixed<uint8_t>(); }

  // Numbers of more than 10 bytes are padded: linkers that relax leave such numbers. No linker writes numbers longer
  // than this.
  static constexpr unsigned kMostBytes = 32;

  uint64_t Uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * kMostBytes; shift += 7) {
      const uint8_t byte = U8();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0 || !ok_) return ok_ ? value : 0;
    }
    ok_ = false;
    return 0;
  }

  int64_t Sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * kMostBytes;) {
      const uint8_t byte = U8();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) == 0 || !ok_) {
        if ((byte & 0x40) != 0 && shift < 64) value |= ~uint64_t{0} << shift;
        return ok_ ? static_cast<int64_t>(value) : 0;
      }
    }
    ok_ = false;
    return 0;
  }

  // A pointer in one of the encodings above. Data-relative pointers count from `data_base`. An indirect, aligned or
  // function-relative pointer is not ok: such encodings do not occur for code addresses.
  uintptr_t Encoded(uint8_t encoding, uintptr_t data_base) {
    const uintptr_t here = address();
    uint64_t value = 0;
    switch (encoding & 0x0f) {
      case 0x00:
        value = Fixed<uint64_t>();
        break;
      case 0x01:
        value = Uleb();
        break;
      case 0x02:
        value = Fixed<uint16_t>();
        break;
      case 0x03:
        value = Fixed<uint32_t>();
        break;
      case 0x04:
        value = Fixed<uint64_t>();
        break;
      case 0x09:
        value = static_cast<uint64_t>(Sleb());
        break;
      case 0x0a:
        value = static_cast<uint64_t>(int64_t{Fixed<int16_t>()});
        break;
      case 0x0b:
        value = static_cast<uint64_t>(int64_t{Fixed<int32_t>()});
        break;
      case 0x0c:
        value = Fixed<uint64_t>();
        break;
      default:
        ok_ = false;
    }
    switch (encoding & 0xf0) {
      case 0:
        return value;
      case kEncodingPcRelative:
        return value + here;
      case kEncodingDataRelative:
        return value + data_base;
      default:
        ok_ = false;
        return 0;
    }
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  uintptr_t shift_;
  bool ok_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_BYTE_READER_H_
