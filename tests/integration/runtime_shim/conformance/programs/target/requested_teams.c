// The number of teams that a target region requests. Without num_teams, libgomp makes one team on the host. A number
// that only the region's code computes is not known at the submission. The last region is a call as GCC 16 makes it:
// -2 stands for a region without teams.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// VARIANTS: -O0 | -O2
// RUN: OMP_NUM_TEAMS=5
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

void GOMP_target_ext(int, void (*)(void*), size_t, void**, size_t*, unsigned short*, unsigned, void**, void**);

static int calls = 0;
static void called(void* addresses) {
  (void)addresses;
  calls++;
}

int main(int argc, char** argv) {
  const int three = argc + 2;
  int sum = 0;
  (void)argv;
#pragma omp target map(tofrom : sum)
  sum += 1;
#pragma omp target teams map(tofrom : sum)
  sum += 10 * omp_get_num_teams();
#pragma omp target teams num_teams(three) map(tofrom : sum)
  sum += 100;
#pragma omp target teams distribute num_teams(40000) map(tofrom : sum)
  for (int i = 0; i < 1; i++) sum += 1000;
#pragma omp target map(tofrom : sum)
  {
    const int two = sum / 1000 + 1;
#pragma omp teams num_teams(two)
    sum += 10000;
  }
  void* arguments[] = {(void*)((intptr_t)-2 * 65536 + 0x100), NULL};
  GOMP_target_ext(-1, called, 0, NULL, NULL, NULL, 0, NULL, arguments);
  printf("sum %d calls %d\n", sum, calls);
  return 0;
}

// OBSERVE: parallel_begin
// EXPECT(initial): target_submit_emi endpoint=begin teams=1
// EXPECT(initial): target_submit_emi endpoint=end teams=1
// EXPECT(initial): target_submit_emi endpoint=begin teams=1
// EXPECT(initial): parallel_begin requested=1 flags=invoker_runtime+league
// EXPECT(initial): target_submit_emi endpoint=end teams=1
// EXPECT(initial): target_submit_emi endpoint=begin teams=3
// EXPECT(initial): parallel_begin requested=3 flags=invoker_runtime+league
// EXPECT(initial): target_submit_emi endpoint=end teams=3
// EXPECT(initial): target_submit_emi endpoint=begin teams=40000
// EXPECT(initial): parallel_begin requested=40000 flags=invoker_runtime+league
// EXPECT(initial): target_submit_emi endpoint=end teams=40000
// EXPECT(initial): target_submit_emi endpoint=begin teams=0
// EXPECT(initial): parallel_begin requested=2 flags=invoker_runtime+league
// EXPECT(initial): target_submit_emi endpoint=end teams=0
// EXPECT(initial): target_submit_emi endpoint=begin teams=1
// EXPECT(initial): target_submit_emi endpoint=end teams=1
// STDOUT: sum 21311 calls 1
