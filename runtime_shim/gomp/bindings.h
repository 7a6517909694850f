// The runtimes that libraries bring by a dlopen, where the program itself has none: Python's extension modules do so,
// often each with a copy of libgomp under a name of its own.
//
// Without the shim, the loader binds the references of such a library to the library's own runtime. With the shim, it
// binds them to the shim, which serves one libgomp: the first that a library brings. So the shim binds the references
// of each library with another runtime to that runtime, before the library's code runs. This must not be decided at a
// call: compilers end a function with a jump to the runtime, and then the return address belongs to another library.
// References that would be bound to nothing (weak ones) become NULL again, and dlsym finds what it would find.
#ifndef RUNTIME_SHIM_GOMP_BINDINGS_H_
#define RUNTIME_SHIM_GOMP_BINDINGS_H_

namespace gomp_ompt {

// A name that every libgomp has had since the first version.
inline constexpr char kOldestFunction[] = "GOMP_barrier";

// A handle of the libgomp that the shim serves; NULL as long as no library has brought one. Also binds the references
// of the libraries that have come since the last call. Not if the program has a runtime. Waits for the loader's lock.
void* FirstRuntime();

// Whether an object of the process was linked with the shim itself. If libgomp has nothing that the shim lacks, and the
// linker takes only what is needed, such an object was not linked with libgomp.
bool IsLinked();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_BINDINGS_H_
