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
// All calls go to one runtime: the program's, or the first libgomp that a library has brought (bindings.h).
#ifndef RUNTIME_SHIM_GOMP_REAL_H_
#define RUNTIME_SHIM_GOMP_REAL_H_

namespace gomp_ompt {

using AnyFunction = void (*)();

// A function of the runtime.
struct RealFunction {
  const char* name;
  const char* version;  // NULL: the default version
  AnyFunction pointer;  // REAL calls this: LookUp below, until the runtime's function is known
};

enum class Runtime : unsigned char {
  kNone,   // no runtime has been loaded, as far as the shim can see
  kGomp,   // libgomp
  kOther,  // LLVM's libomp in libgomp's place: it has its own OMPT
};

// The user's code that called the wrapper above `frame`, a frame of the shim. All frames of the shim have frame
// pointers, and nothing beyond them is read.
const void* CallerAddress(const void* frame);

// The runtime that all calls go to.
Runtime KnownRuntime();

// The runtime's function; NULL if the runtime lacks it, or if there is no runtime.
AnyFunction FindFunction(const RealFunction& function);

// Likewise, but if there is none, the process ends with the loader's sentence and status.
AnyFunction FindReal(const RealFunction& function);

template <class Tag, class Signature>
struct Real;

template <class Tag, class Result, class... Arguments>
struct Real<Tag, Result(Arguments...)> {
  using Pointer = Result (*)(Arguments...);

  static Result LookUp(Arguments... arguments) { return reinterpret_cast<Pointer>(FindReal(function))(arguments...); }

  static Pointer Get() { return reinterpret_cast<Pointer>(__atomic_load_n(&function.pointer, __ATOMIC_RELAXED)); }

  // For a function that a runtime may lack: the result is then NULL.
  static Pointer Find() {
    Pointer known = Get();
    return known != &LookUp ? known : reinterpret_cast<Pointer>(FindFunction(function));
  }

  static inline RealFunction function = {Tag::kName, Tag::kVersion, reinterpret_cast<AnyFunction>(&LookUp)};
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
