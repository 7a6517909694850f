// The functions of the runtime that the program would have called without the shim.
//
//   DECLARE_REAL(GOMP_barrier, void());
//   ... return REAL(GOMP_barrier)();
//
//   DECLARE_REAL_VERSION(omp_set_lock, omp_set_lock_old, "OMP_1.0", void(void*));
//   ... return REAL(omp_set_lock_old)(lock);
//
// The process's first call looks up every declared function, so no later call waits for the loader. A region in a
// library's constructor runs while dlopen holds the loader's lock: a worker that asked the loader would wait for ever.
//
// If the runtime is in the process's global scope (linked, or preloaded), each pointer is found once and for all. If a
// dlopen brought the runtime, each library has its own runtime, and each call finds the runtime of its caller's
// library.
#ifndef RUNTIME_SHIM_GOMP_REAL_H_
#define RUNTIME_SHIM_GOMP_REAL_H_

namespace gomp_ompt {

using AnyFunction = void (*)();

// A function of the runtime.
struct RealFunction {
  const char* name;
  const char* version;  // NULL: the default version
  AnyFunction pointer;  // REAL calls this: LookUp below, until one pointer serves all callers
  unsigned index;       // among all declared functions
};

enum class Runtime : unsigned char {
  kNone,   // the caller's library was linked with no OpenMP runtime, as far as the shim can see
  kGomp,   // libgomp
  kOther,  // LLVM's libomp in libgomp's place: it has its own OMPT
};

// The user's code that called the wrapper above `frame`, a frame of the shim. All frames of the shim have frame
// pointers, and nothing beyond them is read.
const void* CallerAddress(const void* frame);

// The runtime of the user's code at `caller`. Sets `*for_all` if all callers in the process have the same runtime.
Runtime RuntimeOf(const void* caller, bool* for_all);

// The function for that code; NULL if the runtime lacks it.
AnyFunction FindFunction(RealFunction& function, const void* caller);

// The function for the caller of the wrapper above `frame`. If there is none, the process ends with the loader's
// sentence and status.
AnyFunction FindReal(RealFunction& function, const void* frame);

template <class Tag, class Signature>
struct Real;

template <class Tag, class Result, class... Arguments>
struct Real<Tag, Result(Arguments...)> {
  using Pointer = Result (*)(Arguments...);

  static Result LookUp(Arguments... arguments) {
    return reinterpret_cast<Pointer>(FindReal(function, __builtin_frame_address(0)))(arguments...);
  }

  static Pointer Get() { return reinterpret_cast<Pointer>(__atomic_load_n(&function.pointer, __ATOMIC_RELAXED)); }

  // For a function that a runtime may lack: the result is then NULL. `caller` is the user's code.
  static Pointer Find(const void* caller) {
    Pointer known = Get();
    return known != &LookUp ? known : reinterpret_cast<Pointer>(FindFunction(function, caller));
  }

  static inline RealFunction function = {Tag::kName, Tag::kVersion, reinterpret_cast<AnyFunction>(&LookUp),
                                         /*index=*/0};
};

}  // namespace gomp_ompt

// A function under a name of our own, with a version.
#define DECLARE_REAL_VERSION(name, alias, version, ...)                                                     \
  struct Tag_##alias {                                                                                      \
    static constexpr char kName[] = #name;                                                                  \
    static constexpr const char* kVersion = version;                                                        \
  };                                                                                                        \
  using Real_##alias = ::gomp_ompt::Real<Tag_##alias, __VA_ARGS__>;                                         \
  static ::gomp_ompt::RealFunction* const listed_##alias __attribute__((section("real_functions"), used)) = \
      &Real_##alias::function

#define DECLARE_REAL(name, ...) DECLARE_REAL_VERSION(name, name, nullptr, __VA_ARGS__)

#define REAL(name) Real_##name::Get()

#endif  // RUNTIME_SHIM_GOMP_REAL_H_
