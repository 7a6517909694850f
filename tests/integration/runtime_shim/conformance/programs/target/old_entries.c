// The entry points that gcc before 5 called, and GOMP_teams. GOMP_teams only says that a team begins; the team ends
// with the region.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
#include <stddef.h>
#include <stdio.h>

#include "conformance.h"

void GOMP_target(int, void (*)(void*), const void*, size_t, void**, size_t*, unsigned char*);
void GOMP_target_data(int, const void*, size_t, void**, size_t*, unsigned char*);
void GOMP_target_end_data(void);
void GOMP_target_update(int, const void*, size_t, void**, size_t*, unsigned char*);
void GOMP_teams(unsigned, unsigned);

static void Region(void* argument) {
  int** variables = argument;
  GOMP_teams(4, 0);
  *variables[0] += 41;
}

int main(void) {
  int value = 1;
  void* addresses[1] = {&value};
  size_t sizes[1] = {sizeof(value)};
  unsigned char kinds[1] = {3};
  GOMP_target_data(-1, NULL, 1, addresses, sizes, kinds);
  GOMP_target(-1, Region, NULL, 1, addresses, sizes, kinds);  // AT(target)
  GOMP_target_update(-1, NULL, 1, addresses, sizes, kinds);
  GOMP_target_end_data();
  printf("value %d\n", value);
#pragma omp parallel num_threads(1)
  conf_mark("last");
  return 0;
}

// IGNORE: task_info
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T
// EXPECT(initial): target_emi kind=enter_data endpoint=begin
// EXPECT(initial): target_emi kind=enter_data endpoint=end
// EXPECT(initial): target_emi kind=target endpoint=begin target=$R codeptr=@target
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$I team_size=1 index=1
// EXPECT(initial): parallel_begin task=$I parallel=$L requested=4 flags=invoker_runtime+league
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$A parallel=$L team_size=1 index=0
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$A index=0
// EXPECT(initial): parallel_end parallel=$L task=$I flags=invoker_runtime+league
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$I index=1
// EXPECT(initial): target_emi kind=target endpoint=end target=$R
// EXPECT(initial): target_emi kind=update endpoint=begin
// EXPECT(initial): target_emi kind=update endpoint=end
// EXPECT(initial): target_emi kind=exit_data endpoint=begin
// EXPECT(initial): target_emi kind=exit_data endpoint=end
// EXPECT(initial): parallel_begin flags=invoker_runtime+team
// EXPECT(initial): implicit_task endpoint=begin flags=implicit
// EXPECT(initial): mark name=last
// EXPECT(initial): implicit_task endpoint=end flags=implicit
// EXPECT(initial): parallel_end flags=invoker_runtime+team
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T
// STDOUT: value 42
