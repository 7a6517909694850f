// The sums of what the host asked of its devices, by construct and call path. Any thread's OMPT callbacks add to them,
// and the writer reads them at any time.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TABLE_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/quirks/libomptarget.h"
#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {

// The call path of a construct or routine.
struct DevicePath {
  uint32_t tree;
  uint32_t node;  // the youngest user frame; 0: not known
  // The region whose path continues this path, and what stands for it in keys: instances of a region on one path are
  // equal, once the path is known that begins them.
  RegionRef splice;
  uint64_t splice_key;
};

struct DeviceKey {
  static constexpr uint32_t kHost = UINT32_MAX;
  uint32_t work;    // DeviceWork of the profile's format
  uint32_t device;  // its number; kHost: the runtime executes the region itself
  uint32_t epoch;   // epoch of the modules, for the addresses
  uint64_t codeptr_ra;
  uint64_t region;  // codeptr_ra of the innermost region; 0: none
  DevicePath path;  // equal keys may differ in `splice`

  // Not 0, and different for different keys: a collision of 64 mixed bits is not expected in the life of a process.
  uint64_t Hash() const;
};

struct DeviceCounts {
  DeviceKey key;
  std::atomic<bool> has_key;  // false: the thread that made the entry has not written the key yet
  std::atomic<uint64_t> count;
  std::atomic<uint64_t> bytes;
  std::atomic<uint64_t> host_ns;     // wall time of the host's threads, from the operation's begin to its end
  std::atomic<uint64_t> longest_ns;  // of host_ns
  std::atomic<uint64_t> waited_ns;   // the part of host_ns in which the host's thread waited
  std::atomic<uint64_t> charged_ns;  // of a deferred construct: other waits that it is charged with (device_debt.h)
  std::atomic<uint64_t> traced;      // operations whose record has come
  std::atomic<uint64_t> traced_ns;   // of these, by the device's clock
  std::atomic<uint64_t> last_ns;     // of host_ns: the last operation
  // Of the operations that were shorter than kShortNs: the part with a reading of the thread's CPU clock.
  std::atomic<uint64_t> timed_ns;
  std::atomic<uint64_t> timed_waited_ns;
  uint64_t written;    // for the writer: `count` + `traced` at the last write
  uint32_t splice_id;  // for the writer: the number of key.path.splice
  bool has_splice_id;

  void Add(uint64_t new_bytes, uint64_t ns, uint64_t new_waited_ns);
  // The thread has waited once more for an operation that is counted.
  void AddWait(uint64_t ns);
  void AddTraced(uint64_t ns);
};

// A lock-free table in fixed memory. An operation looks at no more than kProbes places.
//
// A program may have more paths than there are places. Half of the places are kept for keys without a path, of which
// the program's code bounds the number.
class DeviceTable {
 public:
  static constexpr uint32_t kMostPaths = 4096;

  // The counts of `key`, made if necessary. If there is no place for the path, the counts without a path. NULL if there
  // is no place at all. Called in callbacks of any thread.
  DeviceCounts* Find(const DeviceKey& key);

  // For the writer. An entry that is free has no key.
  static constexpr uint32_t size() { return kSlots; }
  bool IsTaken(uint32_t index) const { return hashes_[index].load(std::memory_order_relaxed) != 0; }
  DeviceCounts* entry(uint32_t index) { return &counts_[index]; }
  // `counts` is an entry.
  uint32_t IndexOf(const DeviceCounts* counts) const { return static_cast<uint32_t>(counts - counts_); }

  // Empties the table. For a forked child, before all other calls.
  void Forget();

 private:
  static constexpr uint32_t kSlots = 2 * kMostPaths;
  static constexpr uint32_t kProbes = 32;

  DeviceCounts* FindExactly(const DeviceKey& key);

  std::atomic<bool> used_;
  std::atomic<bool> overflowed_;
  std::atomic<uint32_t> paths_;
  std::atomic<uint64_t> hashes_[kSlots];  // of the keys; 0: free
  DeviceCounts counts_[kSlots];
};
extern DeviceTable device_table;

// The devices that the runtime has initialized, by their numbers. Written in callbacks of any thread.
struct KnownDevice {
  static constexpr uint32_t kMost = 64;
  char type[64];
  libomptarget::Launches launches;
  std::atomic<bool> known;
  bool written;  // for the writer
};
extern KnownDevice known_devices[KnownDevice::kMost];
bool IsAnyDeviceKnown();

// For a forked child: its own file gets the devices again, and the counts begin at zero.
void ForgetDevices();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TABLE_H_
