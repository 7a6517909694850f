// Places: the entry points that tell of them, and which threads may be asked for theirs.
#ifndef RUNTIME_SHIM_OMPT_PLACES_H_
#define RUNTIME_SHIM_OMPT_PLACES_H_

namespace gomp_ompt {

// The calling thread may run on the processors of the first place only, as libgomp binds a thread that comes from the
// program. False when there are no places.
bool IsBoundToFirstPlace();

// ompt_get_num_places, ompt_get_place_proc_ids, ompt_get_place_num, ompt_get_partition_place_nums, ompt_get_proc_id,
// ompt_get_num_procs. Async-signal-safe.
int GetNumPlaces();
int GetPlaceProcIds(int place, int size, int* ids);
int GetPlaceNum();
int GetPartitionPlaceNums(int size, int* places);
int GetProcId();
int GetNumProcs();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_PLACES_H_
