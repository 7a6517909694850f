// The device memory routines, with the host as the device.
//
// RUNTIMES: gomp because libomp 14 has no target events
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  const int host = omp_get_initial_device();
  char* from = omp_target_alloc(100, host);  // AT(alloc)
  conf_note("from", (uint64_t)(uintptr_t)from);
  char* to = omp_target_alloc(100, host);
  conf_note("to", (uint64_t)(uintptr_t)to);
  for (int i = 0; i < 100; i++) from[i] = (char)i;
  int failed = omp_target_memcpy(to, from, 50, 10, 20, host, host);  // AT(copy)
  const size_t volume[2] = {2, 3}, offsets[2] = {0, 0}, dimensions[2] = {4, 4};
  failed += omp_target_memcpy_rect(to, from, 1, 2, volume, offsets, offsets, dimensions, dimensions, host, host);
  const int refused = omp_target_associate_ptr(from, to, 10, 0, host) != 0;
  omp_target_free(to, host);
  omp_target_free(NULL, host);
  printf("failed %d refused %d\n", failed, refused);
  omp_target_free(from, host);
  return 0;
}

// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc target=none target_task=none operation=$O source=0 destination=0 bytes=100 codeptr=@alloc
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc operation=$O destination=$F bytes=100 codeptr=@alloc
// EXPECT(initial): note name=from value=$F
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc destination=$G
// EXPECT(initial): note name=to value=$G
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device operation=$C source=$S destination=$D bytes=50 codeptr=@copy {S == F + 20 and D == G + 10}
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device operation=$C bytes=50
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device source=$F destination=$G bytes=6
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device bytes=6
// EXPECT(initial): target_data_op_emi endpoint=begin type=associate source=$F destination=$G bytes=10
// EXPECT(initial): target_data_op_emi endpoint=end type=associate
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete source=$G
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source=$G
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete source=$F
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source=$F
// STDOUT: failed 0 refused 1
