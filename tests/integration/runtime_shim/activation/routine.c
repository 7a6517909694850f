// A program whose only call into OpenMP is the routine that its argument names. Checks that the call reached libgomp.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void omp_set_num_threads_(const int32_t* count);
int32_t omp_get_ancestor_thread_num_8_(const int64_t* level);

static int is(const char* name, const char* wanted) { return strcmp(name, wanted) == 0; }

static int call(const char* name) {
  const int32_t three = 3;
  const int64_t zero = 0;
  int ids[1024];
  if (is(name, "omp_get_num_threads")) return omp_get_num_threads() == 1;
  if (is(name, "omp_get_num_devices")) return omp_get_num_devices() >= 0;
  if (is(name, "omp_get_thread_num")) return omp_get_thread_num() == 0;
  if (is(name, "omp_get_wtime")) return omp_get_wtime() > 0;
  if (is(name, "omp_get_ancestor_thread_num_8_")) return omp_get_ancestor_thread_num_8_(&zero) == 0;
  if (is(name, "omp_get_place_proc_ids")) return omp_get_place_proc_ids(0, ids), 1;
  if (is(name, "omp_alloc")) {
    void* memory = omp_alloc(100, omp_default_mem_alloc);
    omp_free(memory, omp_default_mem_alloc);
    return memory != NULL;
  }
  // A later routine tells whether the first one did its work.
  if (is(name, "omp_set_num_threads_")) return omp_set_num_threads_(&three), omp_get_max_threads() == 3;
  if (is(name, "omp_set_nested")) return omp_set_nested(1), omp_get_max_active_levels() > 1;
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && call(argv[1])) puts("done");
  return 0;
}
