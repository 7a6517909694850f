#include "runtime_shim/ompt/places.h"

#include <sched.h>

#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {

bool IsBoundToFirstPlace() {
  constexpr int kMaxProcs = CPU_SETSIZE;
  if (GetNumPlaces() <= 0) return false;
  int ids[kMaxProcs];
  const int count = GetPlaceProcIds(0, kMaxProcs, ids);
  cpu_set_t allowed;
  if (count > kMaxProcs || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return false;
  if (CPU_COUNT(&allowed) != count) return false;
  for (int i = 0; i < count; i++)
    if (!CPU_ISSET(static_cast<unsigned>(ids[i]), &allowed)) return false;
  return true;
}

int GetNumPlaces() { return runtime_queries.num_places != nullptr ? runtime_queries.num_places() : 0; }

int GetPlaceProcIds(int place, int size, int* ids) {
  if (runtime_queries.place_num_procs == nullptr || runtime_queries.place_proc_ids == nullptr) return 0;
  if (place < 0 || place >= GetNumPlaces()) return 0;
  const int count = runtime_queries.place_num_procs(place);
  if (ids != nullptr && size >= count) runtime_queries.place_proc_ids(place, ids);
  return count;
}

int GetPlaceNum() { return runtime_queries.place_num != nullptr ? runtime_queries.place_num() : -1; }

int GetPartitionPlaceNums(int size, int* places) {
  if (runtime_queries.partition_num_places == nullptr || runtime_queries.partition_place_nums == nullptr) return 0;
  const int count = runtime_queries.partition_num_places();
  if (places != nullptr && size >= count) runtime_queries.partition_place_nums(places);
  return count;
}

int GetProcId() { return sched_getcpu(); }

int GetNumProcs() { return runtime_queries.num_procs; }

}  // namespace gomp_ompt
