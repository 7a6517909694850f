// The sums of what the host asked of its devices, by construct. Any thread's OMPT callbacks add to them, and the writer
// reads them at any time.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TABLE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

struct DeviceKey {
  static constexpr uint32_t kHost = UINT32_MAX;
  uint32_t work;    // DeviceWork of the profile's format
  uint32_t device;  // its number; kHost: the runtime executes the region itself
  uint32_t epoch;   // epoch of the modules, for the addresses
  uint64_t codeptr_ra;
  uint64_t region;  // codeptr_ra of the innermost region; 0: none

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
  std::atomic<uint64_t> waited_ns;   // the part of host_ns in which the host's thread did not run
  std::atomic<uint64_t> traced;      // launches whose record has come
  std::atomic<uint64_t> traced_ns;   // of these, by the device's clock
  uint64_t written;                  // for the writer: `count` + `traced` at the last write

  void Add(uint64_t new_bytes, uint64_t ns, uint64_t new_waited_ns);
  void AddTraced(uint64_t ns);
};

// A lock-free table in fixed memory. An operation looks at no more than kProbes places.
class DeviceTable {
 public:
  // The counts of `key`, made if necessary. NULL if its places are taken. Called in callbacks of any thread.
  DeviceCounts* Find(const DeviceKey& key);

  // For the writer. An entry that is free has no key.
  static constexpr uint32_t size() { return kSlots; }
  DeviceCounts* entry(uint32_t index) { return &slots_[index].counts; }
  // `counts` is an entry.
  uint32_t IndexOf(const DeviceCounts* counts) const {
    return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(counts) - reinterpret_cast<uintptr_t>(slots_)) /
                                 sizeof(Slot));
  }

  // Empties the table. For a forked child, before all other calls.
  void Forget();

 private:
  static constexpr uint32_t kSlots = 2048;
  static constexpr uint32_t kProbes = 16;

  struct Slot {
    std::atomic<uint64_t> hash;  // of the key; 0: free
    DeviceCounts counts;
  };
  Slot slots_[kSlots];
};
extern DeviceTable device_table;

// The devices that the runtime has initialized, by their numbers. Written in callbacks of any thread.
struct KnownDevice {
  static constexpr uint32_t kMost = 64;
  char type[64];
  std::atomic<bool> known;
  bool written;  // for the writer
};
extern KnownDevice known_devices[KnownDevice::kMost];

// For a forked child: its own file gets the devices again, and the counts begin at zero.
void ForgetDevices();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TABLE_H_
