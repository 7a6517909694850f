// The entry points' answers about places.
#ifndef RUNTIME_SHIM_OMPT_PLACES_H_
#define RUNTIME_SHIM_OMPT_PLACES_H_

namespace gomp_ompt {

// Whether the calling thread may run only on the processors of the first place: libgomp binds a thread that comes from
// the program in this way. False if there are no places.
bool IsBoundToFirstPlace();

// ompt_get_num_places, ompt_get_place_proc_ids, ompt_get_proc_id, ompt_get_num_procs. Async-signal-safe.
int GetNumPlaces();
int GetPlaceProcIds(int place, int size, int* ids);
int GetProcId();
int GetNumProcs();

// ompt_get_place_num and ompt_get_partition_place_nums, for a thread that has a place (Thread::has_place). If a thread
// without a place asked, libgomp would bind it. Async-signal-safe.
int GetPlaceNum();
int GetPartitionPlaceNums(int size, int* places);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_PLACES_H_
