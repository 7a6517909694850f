// Assembles a small .eh_frame_hdr and .eh_frame in memory, byte by byte, for tests of their readers.
#ifndef OMPPROF_TESTS_UNIT_COLLECT_UNWIND_CFI_IMAGE_H_
#define OMPPROF_TESTS_UNIT_COLLECT_UNWIND_CFI_IMAGE_H_

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "profiler/collect/unwind/object_finder.h"

namespace ompprof::collect {

using Bytes = std::vector<uint8_t>;

// One CIE and any number of functions. Code addresses are counted from `text()`, where there is no code.
class CfiImage {
 public:
  explicit CfiImage(Bytes initial_program = {0x0c, 7, 8, 0x90, 1}, std::string augmentation = "zR")  // rsp+8, ra c-8
      : memory_(1 << 16), augmentation_(std::move(augmentation)) {
    cie_ = at_;
    Entry([&] {
      Put<uint32_t>(0);
      memory_[at_++] = 1;
      for (char c : augmentation_) memory_[at_++] = static_cast<uint8_t>(c);
      memory_[at_++] = 0;
      memory_[at_++] = 1;     // code alignment
      memory_[at_++] = 0x78;  // data alignment -8
      memory_[at_++] = 16;    // return address column
      memory_[at_++] = 1;     // augmentation data: the pointer encoding, pc-relative sdata4
      memory_[at_++] = 0x1b;
      Put(initial_program);
    });
  }

  void AddFunction(uint32_t begin, uint32_t size, const Bytes& program) {
    const size_t start = at_;
    Entry([&] {
      Put<uint32_t>(static_cast<uint32_t>(at_ - cie_));
      Put<int32_t>(static_cast<int32_t>(text() + begin - Address(at_)));
      Put<uint32_t>(size);
      memory_[at_++] = 0;
      Put(program);
    });
    functions_.push_back({begin, start});
  }

  // Writes the sorted table. The image must outlive the object.
  Object Finish() {
    std::sort(functions_.begin(), functions_.end());
    const size_t after = at_;
    at_ = 0;
    for (uint8_t byte : {1, 0x1b, 0x03, 0x3b}) memory_[at_++] = byte;
    Put<int32_t>(static_cast<int32_t>(kEntries - at_));
    Put<uint32_t>(static_cast<uint32_t>(functions_.size()));
    for (const auto& [begin, entry] : functions_) {
      Put<int32_t>(static_cast<int32_t>(text() + begin - Address(0)));
      Put<int32_t>(static_cast<int32_t>(entry));
    }
    at_ = after;
    return {Address(0), Address(after), memory_.data()};
  }

  uintptr_t text() const { return Address(memory_.size()) + 0x1000; }

 private:
  static constexpr size_t kEntries = 4096;  // where .eh_frame begins; the table has the room before it

  uintptr_t Address(size_t offset) const { return reinterpret_cast<uintptr_t>(memory_.data()) + offset; }

  template <typename T>
  void Put(T value) {
    memcpy(&memory_[at_], &value, sizeof(value));
    at_ += sizeof(value);
  }
  void Put(const Bytes& bytes) {
    for (uint8_t byte : bytes) memory_[at_++] = byte;
  }
  template <typename Body>
  void Entry(Body body) {
    const size_t length = at_;
    at_ += sizeof(uint32_t);
    body();
    while (at_ % 4 != 0) memory_[at_++] = 0;  // DW_CFA_nop
    const auto size = static_cast<uint32_t>(at_ - length - sizeof(uint32_t));
    memcpy(&memory_[length], &size, sizeof(size));
  }

  Bytes memory_;
  std::string augmentation_;
  size_t at_ = kEntries;
  size_t cie_;
  std::vector<std::pair<uint32_t, size_t>> functions_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_TESTS_UNIT_COLLECT_UNWIND_CFI_IMAGE_H_
