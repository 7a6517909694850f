// Hostile logs, through the reader and all stages behind it.
#include "tests/fuzz/nonsense_log.h"
#include "tests/fuzz/show_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ompprof;
  const std::string bytes = fuzz::LogOf(data, size);
  fuzz::ShowEverything(fuzz::ReadLog(bytes));
  fuzz::Merge(bytes);
  fuzz::Follow(bytes, size / 2);
  return 0;
}
