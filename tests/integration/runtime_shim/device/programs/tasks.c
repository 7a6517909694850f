// nowait and depend: regions and data constructs in an order that only their dependences give. The second argument says
// where: in a team, or outside. Not both: libgomp 12 gives nowait outside of all regions a team of its own, and then
// frees each later team while its threads still use it.
#include <string.h>

#include "check.h"

enum { kSteps = 50 };

static void chain(void) {
  int value = 1;
  for (int i = 0; i < kSteps; i++) {
#pragma omp target nowait map(tofrom : value) depend(inout : value)
    value = value * 3 % 1009;
#pragma omp task depend(inout : value) shared(value)
    value = value + 1;
  }
#pragma omp taskwait
  int expected = 1;
  for (int i = 0; i < kSteps; i++) expected = expected * 3 % 1009 + 1;
  CHECK(value == expected);
}

static void data_in_tasks(void) {
  int data[100];
  for (int i = 0; i < 100; i++) data[i] = i;
#pragma omp target enter data nowait map(to : data) depend(out : data)
#pragma omp target nowait map(tofrom : data) depend(inout : data)
  for (int i = 0; i < 100; i++) data[i] += 1;
#pragma omp target update nowait from(data) depend(inout : data)
#pragma omp task depend(inout : data) shared(data)
  data[0] = data[99];
#pragma omp target update nowait to(data) depend(inout : data)
#pragma omp target exit data nowait map(from : data) depend(inout : data)
#pragma omp taskwait
  CHECK(data[0] == 100 && data[99] == 100 && data[50] == 51);
}

static void without_variables(void) {
#pragma omp taskgroup
  for (int i = 0; i < 10; i++)
#pragma omp target nowait
  {
  }
}

static void sync_with_dependence(void) {
  int value = 0;
#pragma omp task depend(out : value) shared(value)
  value = 20;
#pragma omp target map(tofrom : value) depend(inout : value)
  value++;
  CHECK(value == 21);
}

static void outside(void) {
  chain();
  data_in_tasks();
  without_variables();
  sync_with_dependence();
}

static void in_team(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    {
      chain();
      data_in_tasks();
    }
#pragma omp single
    sync_with_dependence();
    without_variables();
  }
}

int main(int count, char** arguments) {
  begin(count, arguments);
  if (count > 2 && strcmp(arguments[2], "team") == 0)
    in_team();
  else
    outside();
  return end();
}
