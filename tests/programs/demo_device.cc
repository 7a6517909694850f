// A small heat equation on a device, for the quick start. The grid travels to the device and back in each step, because
// each target region maps it for itself.
//   demo_device [STEPS [kept]]    kept: the grid stays on the device, by `target data`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

constexpr int kSize = 512;
static double grid[kSize * kSize];
static double next_grid[kSize * kSize];

static void relax() {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : grid, next_grid)
  for (int y = 1; y < kSize - 1; y++) {
    for (int x = 1; x < kSize - 1; x++) {
      const int at = y * kSize + x;
      next_grid[at] = 0.25 * (grid[at - 1] + grid[at + 1] + grid[at - kSize] + grid[at + kSize]);
    }
  }
}

static void copy_back() {
#pragma omp target teams distribute parallel for map(tofrom : grid, next_grid)
  for (int at = 0; at < kSize * kSize; at++) grid[at] = next_grid[at];
}

static void simulate(int steps) {
  for (int step = 0; step < steps; step++) {
    relax();
    copy_back();
  }
}

static void simulate_kept(int steps) {
#pragma omp target data map(tofrom : grid, next_grid)
  simulate(steps);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 1500;
  for (int x = 0; x < kSize; x++) grid[x] = next_grid[x] = 100;
  if (argc > 2 && strcmp(argv[2], "kept") == 0)
    simulate_kept(steps);
  else
    simulate(steps);
  double sum = 0;
  for (const double value : grid) sum += value;
  printf("heat after %d steps: %.3f\n", steps, sum);
  return 0;
}
