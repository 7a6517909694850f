#include "runtime_shim/gomp/queries.h"

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_num_places, int());
DECLARE_REAL(omp_get_place_num_procs, int(int));
DECLARE_REAL(omp_get_place_proc_ids, void(int, int*));
DECLARE_REAL(omp_get_place_num, int());
DECLARE_REAL(omp_get_partition_num_places, int());
DECLARE_REAL(omp_get_partition_place_nums, void(int*));
DECLARE_REAL(omp_get_num_procs, int());
DECLARE_REAL(omp_get_num_threads, int());

template <class Pointer>
void Find(RealFunction& function, const void* caller, Pointer& pointer) {
  pointer = reinterpret_cast<Pointer>(FindFunction(function, caller));
}

}  // namespace

void FindQueries(const void* caller) {
  RuntimeQueries& queries = runtime_queries;
  Find(Real_omp_get_num_places::function, caller, queries.num_places);
  Find(Real_omp_get_place_num_procs::function, caller, queries.place_num_procs);
  Find(Real_omp_get_place_proc_ids::function, caller, queries.place_proc_ids);
  Find(Real_omp_get_place_num::function, caller, queries.place_num);
  Find(Real_omp_get_partition_num_places::function, caller, queries.partition_num_places);
  Find(Real_omp_get_partition_place_nums::function, caller, queries.partition_place_nums);
  Find(Real_omp_get_num_threads::function, caller, queries.num_threads);
  // Asked once, because libgomp counts in a buffer that its threads share.
  int (*num_procs)() = nullptr;
  Find(Real_omp_get_num_procs::function, caller, num_procs);
  queries.num_procs = num_procs != nullptr ? num_procs() : 0;
}

}  // namespace gomp_ompt
