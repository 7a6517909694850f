// Seeded changes to an input, much like libFuzzer's. A seed gives the same bytes on every machine. The bounded driver
// calls it.
#ifndef OMPPROF_TESTS_FUZZ_MUTATE_H_
#define OMPPROF_TESTS_FUZZ_MUTATE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ompprof::fuzz {

using Bytes = std::string;

class Mutator {
 public:
  Mutator(uint64_t seed, const std::vector<Bytes>* corpus, size_t longest)
      : random_(seed), corpus_(*corpus), longest_(longest) {}

  // An input of the corpus with one to eight changes.
  Bytes Next() {
    Bytes input = corpus_[Below(corpus_.size())];
    for (size_t changes = 1 + Below(8); changes > 0; --changes) Change(&input);
    if (input.size() > longest_) input.resize(longest_);
    return input;
  }

 private:
  // std::uniform_int_distribution differs between standard libraries.
  size_t Below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(random_() % limit); }

  char Byte() {
    constexpr unsigned char kTelling[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '"', '<', '\n',
                                          0x1b, '\\', '/',  ';',  ',',  '=', '-', '9'};
    return static_cast<char>(Below(2) == 0 ? kTelling[Below(sizeof kTelling)] : static_cast<unsigned char>(random_()));
  }

  void Change(Bytes* input) {
    if (input->empty()) {
      input->push_back(Byte());
      return;
    }
    const size_t at = Below(input->size());
    const size_t size = 1 + Below(std::min<size_t>(input->size() - at, 64));
    switch (Below(9)) {
      case 0:
        (*input)[at] = Byte();
        break;
      case 1:
        (*input)[at] = static_cast<char>((*input)[at] ^ 1 << Below(8));
        break;
      case 2:
        (*input)[at] = static_cast<char>((*input)[at] + (Below(2) == 0 ? 1 : -1));
        break;
      case 3:
        input->erase(at, size);
        break;
      case 4:
        input->insert(Below(input->size()), input->substr(at, size));
        break;
      case 5:
        for (size_t i = 0; i < size; ++i) (*input)[at + i] = Byte();
        break;
      case 6: {  // a piece of another input
        const Bytes& other = corpus_[Below(corpus_.size())];
        const size_t from = Below(other.size());
        input->insert(at, other.substr(from, 1 + Below(200)));
        break;
      }
      case 7:
        input->insert(at, 1 + Below(12), Byte());
        break;
      default:
        if (Below(4) == 0)
          input->resize(at);
        else
          std::reverse(input->begin() + static_cast<std::ptrdiff_t>(at),
                       input->begin() + static_cast<std::ptrdiff_t>(at + size));
        break;
    }
  }

  std::mt19937_64 random_;
  const std::vector<Bytes>& corpus_;
  const size_t longest_;
};

}  // namespace ompprof::fuzz

#endif  // OMPPROF_TESTS_FUZZ_MUTATE_H_
