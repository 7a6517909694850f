// Jitdumps made up for tests, in either byte order (tools/perf/Documentation/jitdump-specification.txt of Linux).
#ifndef OMPPROF_TESTS_UNIT_MODEL_JIT_DUMP_BUILDER_H_
#define OMPPROF_TESTS_UNIT_MODEL_JIT_DUMP_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ompprof::test {

class JitDumpBuilder {
 public:
  struct Line {
    uint64_t address;
    uint32_t line;
    std::string file;
  };

  // `header`: the header's size, at least 40.
  explicit JitDumpBuilder(bool swapped = false, uint32_t header = 40) : swapped_(swapped) {
    bytes_ = Number(0x4a695444, 4) + Number(1, 4) + Number(header, 4) + Number(62, 4) + Number(0, 4) + Number(42, 4) +
             Number(1, 8) + Number(0, 8) + std::string(header - 40, 'h');
  }

  void Load(uint64_t address, uint64_t size, uint64_t index, const std::string& name, const std::string& code = "") {
    Record(0, Number(42, 4) + Number(43, 4) + Number(address, 8) + Number(address, 8) + Number(size, 8) +
                  Number(index, 8) + name + '\0' + code);
  }
  void Move(uint64_t from, uint64_t to, uint64_t size, uint64_t index) {
    Record(1, Number(42, 4) + Number(43, 4) + Number(to, 8) + Number(from, 8) + Number(to, 8) + Number(size, 8) +
                  Number(index, 8));
  }
  void Lines(uint64_t address, const std::vector<Line>& lines) {
    std::string content = Number(address, 8) + Number(lines.size(), 8);
    for (const Line& line : lines)
      content += Number(line.address, 8) + Number(line.line, 4) + Number(0, 4) + line.file + '\0';
    Record(2, content);
  }
  void Record(uint32_t kind, const std::string& content) { Record(kind, content, 16 + content.size()); }
  void Record(uint32_t kind, const std::string& content, uint64_t length) {
    bytes_ += Number(kind, 4) + Number(length, 4) + Number(7, 8) + content;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string Number(uint64_t value, size_t size) const {
    std::string text;
    for (size_t i = 0; i < size; ++i) {
      const size_t byte = swapped_ ? size - 1 - i : i;
      text += static_cast<char>(value >> (8 * byte));
    }
    return text;
  }

  bool swapped_;
  std::string bytes_;
};

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_MODEL_JIT_DUMP_BUILDER_H_
