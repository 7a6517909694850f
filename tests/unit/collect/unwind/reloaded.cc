// A library to load and unload.
extern "C" __attribute__((visibility("default"))) int Reloaded(int (*call)(int), int value) {
  volatile int kept = call != nullptr ? call(value) : value;
  return kept + 1;
}
