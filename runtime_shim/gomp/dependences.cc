#include "runtime_shim/gomp/dependences.h"

#include <stdlib.h>

#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/task_dependence.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace {

// The types in a depend object, by GCC's numbers.
ompt_dependence_type_t ObjectType(uintptr_t type) {
  switch (type) {
    case 1:
      return ompt_dependence_type_in;
    case 2:
      return ompt_dependence_type_out;
    case 4:
      return ompt_dependence_type_mutexinoutset;
    case 5:
      return ompt_dependence_type_inoutset;
    default:
      return ompt_dependence_type_inout;
  }
}

void Decode(void* const* depend, uintptr_t count, ompt_dependence_t* dependences) {
  const bool is_short = depend[0] != nullptr;
  void* const* addresses = depend + (is_short ? 2 : 5);
  const auto number = [&](int word) { return reinterpret_cast<uintptr_t>(depend[word]); };
  const uintptr_t out_end = number(is_short ? 1 : 2);
  const uintptr_t mutex_end = is_short ? out_end : out_end + number(3);
  const uintptr_t in_end = is_short ? count : mutex_end + number(4);
  for (uintptr_t i = 0; i < count; i++) {
    ompt_dependence_t& dependence = dependences[i];
    dependence.variable.ptr = addresses[i];
    if (i < out_end) {
      dependence.dependence_type =
          ompt_dependence_type_inout;  // GCC does not tell them apart, because their effect is equal
    } else if (i < mutex_end) {
      dependence.dependence_type = ompt_dependence_type_mutexinoutset;
    } else if (i < in_end) {
      dependence.dependence_type = ompt_dependence_type_in;
    } else {
      void* const* object = static_cast<void* const*>(addresses[i]);
      dependence.variable.ptr = object[0];
      dependence.dependence_type = ObjectType(reinterpret_cast<uintptr_t>(object[1]));
    }
  }
}

}  // namespace

void ReportDependences(Task* task, void* const* depend) {
  auto* callback = OMPT_CALLBACK(dependences);
  auto* pair_callback = OMPT_CALLBACK(task_dependence);
  if (callback == nullptr && pair_callback == nullptr) return;
  constexpr uintptr_t kUsual = 16;
  ompt_dependence_t usual[kUsual] = {};
  const uintptr_t count = DependenceCount(depend);
  auto* dependences = usual;
  if (count > kUsual) dependences = static_cast<ompt_dependence_t*>(malloc(count * sizeof(ompt_dependence_t)));
  if (dependences == nullptr) abort();
  Decode(depend, count, dependences);
  if (callback != nullptr) callback(&task->data, dependences, static_cast<int>(count));
  if (pair_callback != nullptr)
    MatchDependences(this_thread.current, task, dependences, static_cast<unsigned>(count), pair_callback);
  if (dependences != usual) free(dependences);
}

}  // namespace gomp_ompt
