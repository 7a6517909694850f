// The error directive with at(execution). libgomp prints the message. GOMP_error then ends the process, as severity
// fatal requires.
#include <stddef.h>
#include <string.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_error, void(const char*, size_t));
DECLARE_REAL(GOMP_warning, void(const char*, size_t));

// C and C++ pass a terminated message without a length. Fortran passes a length without a terminator. Both pass NULL
// for no message.
void ReportError(ompt_severity_t severity, const char* message, size_t length, const Caller& caller) {
  if (message == nullptr)
    length = 0;
  else if (length == static_cast<size_t>(-1))
    length = strlen(message);
  if (auto* callback = OMPT_CALLBACK(error)) callback(severity, message, length, caller.codeptr_ra);
}

}  // namespace

EXPORTED void GOMP_error(const char* message, size_t length) {
  if (!Tracing()) return REAL(GOMP_error)(message, length);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  ReportError(ompt_fatal, message, length, caller);
  REAL(GOMP_error)(message, length);
}

EXPORTED void GOMP_warning(const char* message, size_t length) {
  if (!Tracing()) return REAL(GOMP_warning)(message, length);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  ReportError(ompt_warning, message, length, caller);
  REAL(GOMP_warning)(message, length);
}

}  // namespace gomp_ompt
