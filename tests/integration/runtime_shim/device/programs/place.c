// Where a region runs: the device says so, also in a thread's parallel region on it. A child process has a device too.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int runs_on_host(void) {
  int initial = -1;
#pragma omp target map(from : initial)
  initial = omp_is_initial_device();
  return initial;
}

int main(int count, char** arguments) {
  begin(count, arguments);
  CHECK(omp_is_initial_device() == 1);
  CHECK(runs_on_host() == !has_device);
  int sum = 0, teams = 0;
#pragma omp target map(tofrom : sum)
#pragma omp parallel for num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 1000; i++) sum += i;
  CHECK(sum == 499500);
  sum = 0;
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 1000; i++) sum += i;
  CHECK(sum == 499500);
#pragma omp target teams num_teams(2) map(from : teams)
  if (omp_get_team_num() == 0) teams = omp_get_num_teams();
  CHECK(teams >= 1);
  int on_host = 0;
#pragma omp target if (0) map(from : on_host)
  on_host = omp_is_initial_device();
  CHECK(on_host == 1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(runs_on_host() == !has_device ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  return end();
}
