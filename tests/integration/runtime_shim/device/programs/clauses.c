// One map clause, named by the second argument, of an array that is too large for libgomp to merge its copy with
// others. The test compares the copies in the device's log.
#include <string.h>

#include "check.h"

enum { kCount = 10000 };
static double x[kCount];

// libgomp's call, for a kind that gcc 12 has no clause for.
void GOMP_target_ext(int, void (*)(void*), size_t, void**, size_t*, unsigned short*, unsigned, void**, void**);
enum { kForcePresent = 6 };

static void fill(double value) {
  for (int i = 0; i < kCount; i++) x[i] = value;
}

static void add_one(void* variables) {
  double* data = *(double**)variables;
  for (int i = 0; i < kCount; i++) data[i] += 1;
}

// Of a target region. Returns whether there is such a clause.
static int run_region(const char* clause) {
  double first = -1;
  if (strcmp(clause, "to") == 0) {
#pragma omp target map(to : x) map(from : first)
    first = x[kCount - 1], x[0] = 9;
    CHECK(first == 1 && x[0] == (has_device ? 1 : 9));
  } else if (strcmp(clause, "from") == 0) {
#pragma omp target map(from : x)
    for (int i = 0; i < kCount; i++) x[i] = i;
    CHECK(x[kCount - 1] == kCount - 1);
  } else if (strcmp(clause, "tofrom") == 0) {
#pragma omp target map(tofrom : x)
    for (int i = 0; i < kCount; i++) x[i] += i;
    CHECK(x[kCount - 1] == kCount);
  } else if (strcmp(clause, "alloc") == 0) {
#pragma omp target map(alloc : x)
    for (int i = 0; i < kCount; i++) x[i] = 5;
    CHECK(x[7] == (has_device ? 1 : 5));
  } else {
    return 0;
  }
  return 1;
}

// Of enter and exit data, update, and data regions.
static int run_data(const char* clause) {
  double first = -1;
  if (strcmp(clause, "release") == 0) {
#pragma omp target enter data map(to : x)
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(release : x)
    CHECK(omp_target_is_present(x, 0));
#pragma omp target exit data map(release : x)
    CHECK(omp_target_is_present(x, 0) == !has_device);
  } else if (strcmp(clause, "delete") == 0) {
#pragma omp target enter data map(alloc : x)
#pragma omp target enter data map(alloc : x)
#pragma omp target exit data map(delete : x)
    CHECK(omp_target_is_present(x, 0) == !has_device);
  } else if (strcmp(clause, "always") == 0) {
#pragma omp target enter data map(to : x)
    fill(2);
#pragma omp target map(always, tofrom : x) map(from : first)
    first = x[0], x[1] = 3;
    CHECK(first == 2 && x[1] == 3);
#pragma omp target exit data map(release : x)
  } else if (strcmp(clause, "present") == 0) {
#pragma omp target enter data map(to : x)
    void* addresses[1] = {x};
    size_t sizes[1] = {sizeof(x)};
    unsigned short kinds[1] = {kForcePresent};
    void* arguments[1] = {NULL};
    GOMP_target_ext(-1, add_one, 1, addresses, sizes, kinds, 0, NULL, arguments);
#pragma omp target exit data map(from : x)
    CHECK(x[kCount - 1] == 2);
  } else if (strcmp(clause, "update") == 0) {
#pragma omp target data map(to : x)
    {
      fill(4);
#pragma omp target update to(x)
#pragma omp target map(from : first)
      first = x[5], x[6] = 8;
#pragma omp target update from(x)
    }
    CHECK(first == 4 && x[6] == 8);
  } else if (strcmp(clause, "data") == 0) {
#pragma omp target data map(tofrom : x)
    {
#pragma omp target map(tofrom : x)
      x[1] = 7;
#pragma omp target data map(tofrom : x)
#pragma omp target map(tofrom : x)
      x[2] = x[1] + 1;
      CHECK(x[1] == (has_device ? 1 : 7));
    }
    CHECK(x[1] == 7 && x[2] == 8);
  } else {
    return 0;
  }
  return 1;
}

int main(int count, char** arguments) {
  begin(count, arguments);
  fill(1);
  if (count > 2) CHECK(run_region(arguments[2]) || run_data(arguments[2]));
  return end();
}
