// Hostile unwind tables: an object's .eh_frame_hdr and .eh_frame as one piece of bytes, or one DWARF expression. The
// readers may give any answer, but must not read outside the object, overflow or fail to end.
//
// The first byte chooses. Bit 0: an expression. Bit 1: a table that must be read by copies, as of a library that may be
// unloaded. For a table, the second byte chooses a function of the sorted table, the third a place in it. The rest is
// the table or the expression.
#include <string.h>

#include <algorithm>

#include "tests/fuzz/cfi_reading.h"

namespace ompprof::collect {
namespace {

class Reader {
 public:
  void Expression(const uint8_t* begin, const uint8_t* end, bool with_cfa) {
    const uintptr_t cfa = bounds_.low;
    uintptr_t result = 0;
    EvaluateExpression({begin, end}, registers_, with_cfa ? &cfa : nullptr, &stack_, &result);
  }

  void Table(const uint8_t* begin, size_t size, bool permanent, uint8_t function, uint8_t offset) {
    constexpr size_t kTable = 12, kPair = 8;
    const auto start = reinterpret_cast<uintptr_t>(begin);
    uintptr_t pc = start + offset;
    const size_t pairs = size < kTable + kPair ? 0 : (size - kTable) / kPair;
    if (pairs > 0) {
      int32_t distance = 0;
      memcpy(&distance, begin + kTable + kPair * (function % std::min<size_t>(pairs, 64)), sizeof distance);
      pc += static_cast<uintptr_t>(static_cast<intptr_t>(distance));
    }
    const Object object{start, start + size, begin, permanent};
    // The program runs up to the address: for the last address, all of it.
    for (const uintptr_t at : {pc, pc + 1, pc + 64, pc - 1, UINTPTR_MAX}) ReadAll(object, at, registers_, &stack_);
  }

 private:
  std::vector<uintptr_t> words_ = std::vector<uintptr_t>(512);
  StackBounds bounds_ = {reinterpret_cast<uintptr_t>(words_.data()),
                         reinterpret_cast<uintptr_t>(words_.data() + words_.size())};
  StackReader stack_{bounds_, bounds_.low};
  std::mt19937_64 random_{20240229};
  Registers registers_ = RandomRegisters(&random_, words_);
};

}  // namespace
}  // namespace ompprof::collect

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  // Exactly as long as the table, so that the sanitizers see any read past it.
  const std::vector<uint8_t> bytes(data + 3, data + size);
  ompprof::collect::Reader reader;
  if ((data[0] & 1) != 0)
    reader.Expression(bytes.data(), bytes.data() + bytes.size(), data[1] % 2 == 0);
  else
    reader.Table(bytes.data(), bytes.size(), (data[0] & 2) == 0, data[1], data[2]);
  return 0;
}
