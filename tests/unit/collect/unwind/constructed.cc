// A library with a constructor, which the loader runs before the program's own code.
extern "C" __attribute__((weak)) void CallFromConstructor();

__attribute__((constructor)) static void Begin() {
  if (CallFromConstructor != nullptr) CallFromConstructor();
}

extern "C" __attribute__((visibility("default"))) int HasConstructor() { return 1; }
