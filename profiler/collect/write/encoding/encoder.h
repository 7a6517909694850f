// Protobuf encoding into a fixed buffer, without allocation. Tests parse its output with libprotobuf.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_ENCODER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_ENCODER_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace ompprof::collect {

// Appends fields. The caller makes sure that there is room (room()). A field that does not fit sets overflowed().
class Encoder {
 public:
  Encoder(uint8_t* buffer, size_t size) : buffer_(buffer), capacity_(size) {}

  size_t size() const { return size_; }
  size_t room() const { return capacity_ - size_; }
  const uint8_t* data() const { return buffer_; }
  bool overflowed() const { return overflowed_; }
  void Clear() {
    size_ = 0;
    overflowed_ = false;
  }
  void Truncate(size_t size) {
    size_ = size;
    overflowed_ = false;
  }

  void Varint(uint64_t value) {
    while (value >= 0x80) {
      Byte(static_cast<uint8_t>(value | 0x80));
      value >>= 7;
    }
    Byte(static_cast<uint8_t>(value));
  }
  static uint64_t ZigZag(int64_t value) {
    return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  }

  // Fields. A field with value 0 is left out, as in proto3.
  void UInt(uint32_t field, uint64_t value) {
    if (value == 0) return;
    Varint(field << 3);
    Varint(value);
  }
  void Bytes(uint32_t field, const void* data, size_t length) {
    if (length == 0) return;
    Varint(field << 3 | 2);
    Varint(length);
    Raw(data, length);
  }
  void String(uint32_t field, const char* text) { Bytes(field, text, strlen(text)); }
  // An entry of a repeated string, which may be empty.
  void StringEntry(uint32_t field, const char* text) {
    Varint(field << 3 | 2);
    Varint(strlen(text));
    Raw(text, strlen(text));
  }

  // A nested message or packed column: everything appended between Begin and End. The length always takes three bytes
  // (a varint may be padded), so nothing has to be moved. At most 2 MiB - 1.
  size_t Begin(uint32_t field) {
    Varint(field << 3 | 2);
    return BeginLength();
  }
  // Begin for a length-delimited record at the top of the log.
  size_t BeginLength() {
    size_ += 3;
    if (size_ > capacity_) {
      size_ = capacity_;
      overflowed_ = true;
    }
    return size_;
  }
  void End(size_t begin) {
    if (overflowed_) return;
    const size_t length = size_ - begin;
    buffer_[begin - 3] = static_cast<uint8_t>(length | 0x80);
    buffer_[begin - 2] = static_cast<uint8_t>(length >> 7 | 0x80);
    buffer_[begin - 1] = static_cast<uint8_t>(length >> 14 & 0x7f);
  }

  void Raw(const void* data, size_t length) {
    if (length > room()) {
      overflowed_ = true;
      return;
    }
    memcpy(buffer_ + size_, data, length);
    size_ += length;
  }

 private:
  void Byte(uint8_t byte) {
    if (size_ == capacity_) {
      overflowed_ = true;
      return;
    }
    buffer_[size_++] = byte;
  }

  uint8_t* buffer_;
  size_t capacity_;
  size_t size_ = 0;
  bool overflowed_ = false;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_ENCODER_H_
