// Device code of the program, as a constructor of the compiler's registers it: load and unload. The code is an empty image
// of the reference device's type.
//
// DEVICES: 1
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

void GOMP_offload_register_ver(unsigned, const void*, int, const void*);
void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*);

enum { kVersion = 1 << 16, kReferenceDevice = 6 };

static const void* none[1];
static const void* table[4] = {none, none, none, none};  // of no function and no variable
static const struct { size_t count; } image = {0};

int main(void) {
  conf_note("image", (uint64_t)(uintptr_t)&image);
  printf("devices %d\n", omp_get_num_devices());
  GOMP_offload_register_ver(kVersion, table, kReferenceDevice, &image);
#pragma omp target
  {}
  conf_note("image", (uint64_t)(uintptr_t)&image);
  GOMP_offload_unregister_ver(kVersion, table, kReferenceDevice, &image);
  return 0;
}

// IGNORE: task_create task_schedule implicit_task target_submit_emi
// EXPECT(tool): set_callback callback=device_load result=always
// EXPECT(tool): set_callback callback=device_unload result=always
// EXPECT(initial): device_initialize device=0 type=reference
// EXPECT(initial): device_load device=0 has_offset=1 host=$I module=$M
// EXPECT(initial): target_emi endpoint=begin device=0
// EXPECT(initial): target_emi endpoint=end device=0
// EXPECT(initial): note name=image value=$I
// EXPECT(initial): device_unload device=0 module=$M
// EXPECT(initial): device_finalize device=0
// STDOUT: devices 1
