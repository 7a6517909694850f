// The programs whose tasks share an array: a matrix, numbers to sort, the stages of a pipeline.
#include <algorithm>
#include <vector>

#include "tests/bench/task_programs.h"

namespace ompprof::bench {
namespace {

constexpr uint64_t kPrime = 2147483647;  // 2^31 - 1: products of two remainders fit in 64 bits

// a^(kPrime - 2), which is 1/a.
uint64_t Inverse(uint64_t a) {
  uint64_t result = 1;
  for (uint64_t power = kPrime - 2; power > 0; power /= 2, a = a * a % kPrime) {
    if (power % 2 == 1) result = result * a % kPrime;
  }
  return result;
}

using Matrix = std::vector<uint64_t>;  // n by n, row by row

// The product of L, whose diagonal is all ones, and U, both in `lu`.
uint64_t ProductAt(const Matrix& lu, int n, int row, int column) {
  uint64_t sum = row <= column ? lu[static_cast<size_t>(row * n + column)] : 0;
  for (int k = 0; k < std::min(row, column + 1); k++)
    sum += lu[static_cast<size_t>(row * n + k)] * lu[static_cast<size_t>(k * n + column)] % kPrime;
  return sum % kPrime;
}

constexpr int kCutOff = 16;  // that many numbers are sorted without tasks

void InsertionSort(uint32_t* numbers, int n) {
  for (int i = 1; i < n; i++) {
    for (int j = i; j > 0 && numbers[j] < numbers[j - 1]; j--) std::swap(numbers[j], numbers[j - 1]);
  }
}

// `room` holds as many numbers as `numbers`.
Found SortPart(uint32_t* numbers, uint32_t* room, int n, int64_t body) {
  const uint64_t value = Spin(static_cast<uint64_t>(n), body);
  if (n <= kCutOff) {
    InsertionSort(numbers, n);
    return {value, 0, 0};
  }
  const int half = n / 2;
  Found left, right;
#pragma omp task shared(left) firstprivate(numbers, room, half, body)
  left = SortPart(numbers, room, half, body);
#pragma omp task shared(right) firstprivate(numbers, room, half, n, body)
  right = SortPart(numbers + half, room + half, n - half, body);
#pragma omp taskwait
  std::merge(numbers, numbers + half, numbers + half, numbers + n, room);
  std::copy(room, room + n, numbers);
  Found all{value, 0, 2};
  all += left;
  all += right;
  return all;
}

}  // namespace

Found BlockedLu(int n, int64_t body) {
  Matrix matrix(static_cast<size_t>(n) * static_cast<size_t>(n));
  for (size_t i = 0; i < matrix.size(); i++) matrix[i] = Spin(i + 1, 3) % kPrime;
  const Matrix before = matrix;
  Matrix sums(matrix.size());  // results of the bodies, by block: each block has one task at a time
  uint64_t* const at = matrix.data();
  uint64_t* const sum = sums.data();
  uint64_t tasks = 0;
  for (int k = 0; k < n; k++) {
    const uint64_t inverse = Inverse(at[k * n + k]);
    for (int j = k + 1; j < n; j++) {
      tasks++;
#pragma omp task untied firstprivate(j, k, n, at, sum, inverse, body)
      {
        at[j * n + k] = at[j * n + k] * inverse % kPrime;
        sum[j * n + k] += Spin(at[j * n + k], body);
      }
    }
#pragma omp taskwait
    for (int i = k + 1; i < n; i++) {
      for (int j = k + 1; j < n; j++) {
        tasks++;
#pragma omp task untied firstprivate(i, j, k, n, at, sum, body)
        {
          const uint64_t product = at[i * n + k] * at[k * n + j] % kPrime;
          at[i * n + j] = (at[i * n + j] + kPrime - product) % kPrime;
          sum[i * n + j] += Spin(at[i * n + j], body);
        }
      }
    }
#pragma omp taskwait
  }
  Found found{0, 0, tasks};
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      found.sum += sum[i * n + j] + at[i * n + j];
      found.answer += ProductAt(matrix, n, i, j) == before[static_cast<size_t>(i * n + j)];
    }
  }
  return found;
}

Found Sort(int n, int64_t body) {
  std::vector<uint32_t> numbers(static_cast<size_t>(n)), room(static_cast<size_t>(n));
  uint64_t random = 1, total = 0;
  for (uint32_t& number : numbers) total += number = static_cast<uint32_t>((random = Spin(random, 1)) >> 32);
  Found found = SortPart(numbers.data(), room.data(), n, body);
  for (size_t i = 0; i < numbers.size(); i++) {
    total -= numbers[i];
    found.answer += i == 0 || numbers[i - 1] <= numbers[i];
  }
  if (total != 0) found.answer = 0;  // not the numbers that were there
  return found;
}

Found Pipeline(int items, int64_t body) {
  constexpr int kStages = 8;
  struct Item {
    int stages;  // that the item passed
    uint64_t value;
  };
  struct Stage {
    int items;  // that passed the stage
    uint64_t sum;
    uint64_t in_order;
  };
  std::vector<Item> storage(static_cast<size_t>(items));
  Item* const item = storage.data();
  Stage stage[kStages] = {};
  for (int i = 0; i < items; i++) {
    item[i].value = static_cast<uint64_t>(i);
    for (int s = 0; s < kStages; s++) {
#pragma omp task depend(inout : item[i], stage[s]) shared(stage) firstprivate(i, s, item, body)
      {
        stage[s].in_order += item[i].stages == s && stage[s].items == i;
        item[i].stages++;
        stage[s].items++;
        item[i].value = Spin(item[i].value + static_cast<uint64_t>(s), body);
        stage[s].sum += item[i].value;
      }
    }
  }
#pragma omp taskwait
  Found found{0, 0, static_cast<uint64_t>(items) * kStages};
  for (const Stage& each : stage) {
    found.sum += each.sum;
    found.answer += each.in_order;
  }
  return found;
}

}  // namespace ompprof::bench
