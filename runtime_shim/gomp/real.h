// The functions of the runtime that the program would have called without the shim.
//
//   DECLARE_REAL(GOMP_barrier, void());
//   ... return REAL(GOMP_barrier)();
//
// Nothing is looked up before the first call: a process without OpenMP pays nothing. When the runtime is in the
// process's global scope (linked, or preloaded) the pointer is found once. When it came in by a dlopen of its own, each
// library has its own runtime, and the one that the caller's library was linked with is asked for at each call (and
// remembered for that library).
#ifndef RUNTIME_SHIM_GOMP_REAL_H_
#define RUNTIME_SHIM_GOMP_REAL_H_

namespace gomp_ompt {

// The function that `name` (of `version`, or of the default one when NULL) is in the scope of the code at `caller`.
// `*for_all` is set if that holds for every caller. Ends the process with the loader's sentence and status when there
// is none.
void* FindReal(const char* name, const char* version, const void* caller, bool* for_all);

template <class Tag, class Signature>
struct Real;

template <class Tag, class Result, class... Arguments>
struct Real<Tag, Result(Arguments...)> {
  using Function = Result (*)(Arguments...);

  static Result Resolve(Arguments... arguments) {
    bool for_all = false;
    auto found = reinterpret_cast<Function>(FindReal(Tag::kName, Tag::kVersion, __builtin_return_address(0), &for_all));
    if (for_all) __atomic_store_n(&pointer, found, __ATOMIC_RELAXED);
    return found(arguments...);
  }

  static inline Function pointer = Resolve;
};

}  // namespace gomp_ompt

#define DECLARE_REAL(name, ...)                      \
  struct Tag_##name {                                \
    static constexpr char kName[] = #name;           \
    static constexpr const char* kVersion = nullptr; \
  };                                                 \
  using Real_##name = ::gomp_ompt::Real<Tag_##name, __VA_ARGS__>

#define REAL(name) __atomic_load_n(&Real_##name::pointer, __ATOMIC_RELAXED)

#endif  // RUNTIME_SHIM_GOMP_REAL_H_
