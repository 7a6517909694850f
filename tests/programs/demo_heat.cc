// The demonstration program: heat in a plate with a hole, solved twice, and tracer particles carried over it.
//
//   1. explicit steps        a five-point stencil over a grid, memory-bound and balanced
//   2. conjugate gradients   the implicit step of the same equation: matrix-free operator, dot products, updates
//   3. tracers               particles moved along the temperature's gradient and counted into bins
//   4. influence             a triangular matrix of distances between probes
//
// Two mistakes are planted for a profiler to find. The triangular loop of 4 runs with a static schedule, so the
// thread with the long rows works while the others wait (look for the implicit barrier in `influence`). And 3 counts
// every particle inside one critical section (look for the waiting in `count_tracers`).
//
// The answer does not depend on the number of threads: sums that decide something are made in integers or in a
// fixed order. It is printed and checked against what the same sizes gave before; the exit status is 1 if it differs.
//   demo_heat [REPEAT]       REPEAT: how much work, default 10, some 8 s of CPU time
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kSide = 768;
constexpr int kHoleFrom = 300, kHoleTo = 420;
constexpr int kTracers = 120000;
constexpr int kProbes = 3000;
constexpr int kBins = 256;

using Grid = std::vector<double>;

int At(int row, int column) { return row * kSide + column; }

bool InHole(int row, int column) {
  return row >= kHoleFrom && row < kHoleTo && column >= kHoleFrom && column < kHoleTo;
}

// Hot left edge, cold elsewhere.
Grid InitialPlate() {
  Grid plate(static_cast<size_t>(kSide) * kSide, 0.0);
  for (int row = 0; row < kSide; row++) plate[At(row, 0)] = 100.0;
  return plate;
}

// One explicit Euler step of the heat equation, from `from` into `to`.
__attribute__((noinline)) void explicit_step(const Grid& from, Grid& to) {
#pragma omp parallel for schedule(static)
  for (int row = 1; row < kSide - 1; row++) {
    for (int column = 1; column < kSide - 1; column++) {
      const double here = from[At(row, column)];
      const double flow = from[At(row - 1, column)] + from[At(row + 1, column)] + from[At(row, column - 1)] +
                          from[At(row, column + 1)] - 4 * here;
      to[At(row, column)] = InHole(row, column) ? 0.0 : here + 0.2 * flow;
    }
  }
}

__attribute__((noinline)) void explicit_solve(Grid& plate, int steps) {
  Grid next = plate;
  for (int step = 0; step < steps; step++) {
    explicit_step(plate, next);
    plate.swap(next);
  }
}

// result = (1 + 4k) x - k (neighbours of x): the operator of one implicit step. The edge stays as it is.
__attribute__((noinline)) void apply_operator(const Grid& x, Grid& result) {
  constexpr double k = 2.0;
#pragma omp parallel for schedule(static)
  for (int row = 0; row < kSide; row++) {
    for (int column = 0; column < kSide; column++) {
      if (row == 0 || column == 0 || row == kSide - 1 || column == kSide - 1) {
        result[At(row, column)] = x[At(row, column)];
        continue;
      }
      const double neighbours =
          x[At(row - 1, column)] + x[At(row + 1, column)] + x[At(row, column - 1)] + x[At(row, column + 1)];
      result[At(row, column)] = (1 + 4 * k) * x[At(row, column)] - k * neighbours;
    }
  }
}

// Row sums in parallel, their sum in order: the same to the last bit for any number of threads.
__attribute__((noinline)) double dot_product(const Grid& a, const Grid& b) {
  std::vector<double> row_sums(kSide);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < kSide; row++) {
    double sum = 0;
    for (int column = 0; column < kSide; column++) sum += a[At(row, column)] * b[At(row, column)];
    row_sums[row] = sum;
  }
  double sum = 0;
  for (const double row_sum : row_sums) sum += row_sum;
  return sum;
}

// a += factor * b
__attribute__((noinline)) void add_scaled(Grid& a, double factor, const Grid& b) {
  const int size = static_cast<int>(a.size());
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < size; i++) a[i] += factor * b[i];
}

// a = b + factor * a
__attribute__((noinline)) void scale_and_add(Grid& a, double factor, const Grid& b) {
  const int size = static_cast<int>(a.size());
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < size; i++) a[i] = b[i] + factor * a[i];
}

// One implicit step: conjugate gradients, `iterations` of them. Returns the square of the last residual.
__attribute__((noinline)) double implicit_solve(Grid& plate, int iterations) {
  Grid x(plate.size(), 0.0), residual = plate, direction = plate, product(plate.size());
  double square = dot_product(residual, residual);
  for (int i = 0; i < iterations && square > 1e-20; i++) {
    apply_operator(direction, product);
    const double step = square / dot_product(direction, product);
    add_scaled(x, step, direction);
    add_scaled(residual, -step, product);
    const double next = dot_product(residual, residual);
    scale_and_add(direction, next / square, residual);
    square = next;
  }
  plate.swap(x);
  return square;
}

struct Tracer {
  double row, column;
};

std::vector<Tracer> InitialTracers() {
  std::vector<Tracer> tracers(kTracers);
  uint32_t state = 12345;
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return 1.0 + (state >> 8) * (1.0 / 16777216.0) * (kSide - 3);
  };
  for (Tracer& tracer : tracers) {
    tracer.row = next();
    tracer.column = next();
  }
  return tracers;
}

double Clamp(double value) { return value < 1 ? 1 : value > kSide - 2 ? kSide - 2 : value; }

// Moves every tracer a little downhill in temperature, with a swirl that keeps it moving where it is flat.
__attribute__((noinline)) void move_tracers(const Grid& plate, std::vector<Tracer>& tracers) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kTracers; i++) {
    Tracer& tracer = tracers[i];
    const int row = static_cast<int>(tracer.row), column = static_cast<int>(tracer.column);
    const double along_rows = plate[At(row + 1, column)] - plate[At(row - 1, column)];
    const double along_columns = plate[At(row, column + 1)] - plate[At(row, column - 1)];
    tracer.row = Clamp(tracer.row - 0.1 * along_rows + 0.5 * std::sin(tracer.column * 0.05));
    tracer.column = Clamp(tracer.column - 0.1 * along_columns + 0.5 * std::cos(tracer.row * 0.05));
  }
}

// Planted: one critical section for every particle. A histogram for each thread would need none.
__attribute__((noinline)) void count_tracers(const std::vector<Tracer>& tracers, std::vector<int64_t>& bins) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kTracers; i++) {
    const int bin =
        (static_cast<int>(tracers[i].row) * 16 / kSide) * 16 + static_cast<int>(tracers[i].column) * 16 / kSide;
#pragma omp critical(bins)
    bins[bin]++;
  }
}

// Planted: row i has i entries, and a static schedule gives the last thread the longest rows.
__attribute__((noinline)) double influence(const std::vector<Tracer>& tracers, const Grid& plate) {
  std::vector<double> rows(kProbes);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kProbes; i++) {
    const Tracer& probe = tracers[static_cast<size_t>(i)];
    double sum = 0;
    for (int j = 0; j < i; j++) {
      const Tracer& other = tracers[static_cast<size_t>(j)];
      const double rows_apart = probe.row - other.row, columns_apart = probe.column - other.column;
      const double heat = plate[At(static_cast<int>(other.row), static_cast<int>(other.column))];
      sum += (1 + heat) / std::sqrt(1 + rows_apart * rows_apart + columns_apart * columns_apart);
    }
    rows[i] = sum;
  }
  double sum = 0;
  for (const double row : rows) sum += row;
  return sum;
}

struct Answer {
  double heat = 0;       // total heat in the plate
  double influence = 0;  // sum over all pairs
  int64_t counted = 0;   // particles counted, all rounds
  int64_t fullest = 0;   // bin
};

Answer Run(int repeat) {
  Grid plate = InitialPlate();
  std::vector<Tracer> tracers = InitialTracers();
  std::vector<int64_t> bins(kBins, 0);
  Answer answer;
  for (int round = 0; round < repeat; round++) {
    explicit_solve(plate, 300);
    implicit_solve(plate, 70);
    for (int step = 0; step < 10; step++) {
      move_tracers(plate, tracers);
      count_tracers(tracers, bins);
    }
    for (int repeat_influence = 0; repeat_influence < 18; repeat_influence++) {
      answer.influence += influence(tracers, plate);
    }
  }
  for (const double heat : plate) answer.heat += heat;
  for (int bin = 0; bin < kBins; bin++) {
    answer.counted += bins[bin];
    if (bins[bin] > bins[answer.fullest]) answer.fullest = bin;
  }
  return answer;
}

bool Near(double value, double expected) { return std::fabs(value - expected) <= 1e-6 * std::fabs(expected); }

}  // namespace

int main(int argc, char** argv) {
  const int repeat = argc > 1 ? std::atoi(argv[1]) : 10;
  const Answer answer = Run(repeat);
  std::printf("heat in the plate     %.6f\n", answer.heat);
  std::printf("influence             %.6e\n", answer.influence);
  std::printf("tracers counted       %lld, most in bin %lld\n", static_cast<long long>(answer.counted),
              static_cast<long long>(answer.fullest));
  bool right = answer.counted == static_cast<int64_t>(kTracers) * 10 * repeat;
  if (repeat == 10)
    right = right && Near(answer.heat, 2114786.635491) && Near(answer.influence, 7.156333e6) && answer.fullest == 7;
  std::printf("the answer is %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
