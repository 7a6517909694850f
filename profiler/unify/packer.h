// Numbers and texts as bytes, for messages between the workers of a team. Both ends run the same program, so nothing is
// checked.
#ifndef OMPPROF_PROFILER_UNIFY_PACKER_H_
#define OMPPROF_PROFILER_UNIFY_PACKER_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace ompprof::unify {

class Packer {
 public:
  void Put(uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>((number & 0x7f) | 0x80);
    bytes_ += static_cast<char>(number);
  }
  void Put(double number) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    Put(bits);
  }
  void Put(std::string_view text) {
    Put(uint64_t{text.size()});
    bytes_ += text;
  }
  template <class Number>
  void Put(const std::vector<Number>& numbers) {
    Put(uint64_t{numbers.size()});
    for (const Number number : numbers) Put(static_cast<uint64_t>(number));
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  // `bytes` must outlive the object.
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  uint64_t Number() {
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      number |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return number;
    }
  }
  double Double() {
    const uint64_t bits = Number();
    double number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }
  std::string_view Text() {
    const uint64_t size = Number();
    const std::string_view text = left_.substr(0, size);
    left_.remove_prefix(size);
    return text;
  }
  std::vector<uint32_t> Numbers() {
    std::vector<uint32_t> numbers(Number());
    for (uint32_t& number : numbers) number = static_cast<uint32_t>(Number());
    return numbers;
  }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_PACKER_H_
