// The entry points' answers about places.
#ifndef RUNTIME_SHIM_OMPT_PLACES_H_
#define RUNTIME_SHIM_OMPT_PLACES_H_

namespace gomp_ompt {

// The calling thread may run on the processors of the first place only, as libgomp binds a thread that comes from the
// program. False when there are no places.
bool IsBoundToFirstPlace();

// ompt_get_num_places, ompt_get_place_proc_ids, ompt_get_proc_id, ompt_get_num_procs. Async-signal-safe.
int GetNumPlaces();
int GetPlaceProcIds(int place, int size, int* ids);
int GetProcId();
int GetNumProcs();

// ompt_get_place_num and ompt_get_partition_place_nums for a thread that has a place (Thread::has_place): libgomp binds
// one that has none when it is asked. Async-signal-safe.
int GetPlaceNum();
int GetPartitionPlaceNums(int size, int* places);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_PLACES_H_
