#include "runtime_shim/device/options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace reference_device {
namespace {

bool ReadNumber(const char* text, double least, double most, double* number) {
  char* end = nullptr;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= least && value <= most)) return false;
  *number = value;
  return true;
}

bool ReadTraceKinds(const char* text, Options* options) {
  const bool both = strcmp(text, "both") == 0;
  const bool ompt = both || strcmp(text, "ompt") == 0;
  const bool native = both || strcmp(text, "native") == 0;
  if (!ompt && !native && strcmp(text, "none") != 0) return false;
  options->traces_ompt = ompt;
  options->traces_native = native;
  return true;
}

const char* FromEnvironment(const char* name) { return getenv(name); }

void SayIllegal(const char* name, const char* value) {
  dprintf(STDERR_FILENO, "libgomp_reference_device: the value \"%s\" of %s is illegal, and is ignored\n", value, name);
}

}  // namespace

Options ParseOptions(const char* (*get)(const char* name), void (*complain)(const char* name, const char* value)) {
  Options options;
  auto number = [&](const char* name, double least, double most, double otherwise) {
    const char* text = get(name);
    double value = otherwise;
    if (text != nullptr && !ReadNumber(text, least, most, &value)) complain(name, text);
    return value;
  };
  constexpr double kMany = 1e9;
  options.devices = static_cast<int>(number("GOMP_REFERENCE_DEVICES", 0, kMostDevices, options.devices));
  options.failing_allocation = static_cast<long>(number("GOMP_REFERENCE_FAILING_ALLOCATION", 0, kMany, 0));
  options.copy_rate = number("GOMP_REFERENCE_COPY_RATE", 0, kMany, 0);
  options.buffer_records =
      static_cast<unsigned>(number("GOMP_REFERENCE_BUFFER_RECORDS", 1, kMany, options.buffer_records));
  constexpr char kTrace[] = "GOMP_REFERENCE_TRACE";
  const char* kinds = get(kTrace);
  if (kinds != nullptr && !ReadTraceKinds(kinds, &options)) complain(kTrace, kinds);
  constexpr char kWait[] = "GOMP_REFERENCE_WAIT";
  const char* wait = get(kWait);
  options.spins = wait != nullptr && strcmp(wait, "spin") == 0;
  if (wait != nullptr && !options.spins && strcmp(wait, "sleep") != 0) complain(kWait, wait);
  options.log = get("GOMP_REFERENCE_LOG");
  return options;
}

const Options& GetOptions() {
  static Options options;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { options = ParseOptions(FromEnvironment, SayIllegal); });
  return options;
}

}  // namespace reference_device
