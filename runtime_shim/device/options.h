// The settings of the reference device, from environment variables. README.md has the table.
#ifndef RUNTIME_SHIM_DEVICE_OPTIONS_H_
#define RUNTIME_SHIM_DEVICE_OPTIONS_H_

namespace reference_device {

inline constexpr int kMostDevices = 8;

struct Options {
  int devices = 1;
  bool traces_ompt = true;       // the lookup offers OMPT records
  bool traces_native = true;     // likewise, native records
  long failing_allocation = 0;   // the number of the allocation that fails, from 1; 0: none
  double copy_rate = 0;          // megabytes a second; 0: as fast as memcpy
  bool spins = false;            // a thread of the host waits for its kernel without sleeping
  unsigned buffer_records = 16;  // the most records that the device writes into one buffer of the tool
  const char* log = nullptr;     // a file with a line for each operation
};

// Reads the environment once. An illegal value gets a line on stderr, and the default stands.
const Options& GetOptions();

// The parser, for tests: `get` stands for getenv, `complain` hears of an illegal value.
Options ParseOptions(const char* (*get)(const char* name), void (*complain)(const char* name, const char* value));

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_OPTIONS_H_
