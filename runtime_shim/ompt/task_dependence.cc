#include "runtime_shim/ompt/task_dependence.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#include <atomic>

#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace {

// Task::dependence_roles.
constexpr uint8_t kDepends = 1;  // it has dependences, and has not ended
constexpr uint8_t kCreates = 2;  // it has created such tasks

std::atomic<bool> locked{false};

class Locked {
 public:
  Locked() {
    constexpr int kSpins = 100;
    for (int i = 0; locked.exchange(true, std::memory_order_acquire); i++) {
      if (i < kSpins)
        __builtin_ia32_pause();
      else
        sched_yield();
    }
  }
  ~Locked() { locked.store(false, std::memory_order_release); }
  Locked(const Locked&) = delete;
};

void* Allocate(size_t size) {
  void* memory = calloc(1, size);
  if (memory == nullptr) OutOfMemory();
  return memory;
}

// A hash table of entries that have `next`, IsAt(key) and Hash().
template <class Entry>
class Table {
 public:
  template <class Key>
  Entry* Find(const Key& key) const {
    if (buckets_ == nullptr) return nullptr;
    for (Entry* entry = buckets_[key.Hash() % size_]; entry != nullptr; entry = entry->next)
      if (entry->key == key) return entry;
    return nullptr;
  }

  void Insert(Entry* entry) {
    if (count_ >= size_) Grow();
    Entry*& bucket = buckets_[entry->key.Hash() % size_];
    entry->next = bucket;
    bucket = entry;
    count_++;
  }

  void Remove(Entry* removed) {
    for (Entry** link = &buckets_[removed->key.Hash() % size_]; *link != nullptr; link = &(*link)->next) {
      if (*link != removed) continue;
      *link = removed->next;
      count_--;
      return;
    }
  }

  void Forget() {
    buckets_ = nullptr;
    size_ = count_ = 0;
  }

 private:
  void Grow() {
    Table larger;
    larger.size_ = size_ == 0 ? 64 : 2 * size_;
    larger.buckets_ = static_cast<Entry**>(Allocate(larger.size_ * sizeof(Entry*)));
    for (size_t i = 0; i < size_; i++) {
      for (Entry* entry = buckets_[i]; entry != nullptr;) {
        Entry* next = entry->next;
        larger.Insert(entry);
        entry = next;
      }
    }
    free(buckets_);
    *this = larger;
  }

  Entry** buckets_ = nullptr;
  size_t size_ = 0;
  size_t count_ = 0;
};

struct TaskKey {
  const Task* task;
  bool operator==(const TaskKey& other) const { return task == other.task; }
  size_t Hash() const { return reinterpret_cast<uintptr_t>(task) / sizeof(Task); }
};

struct PlaceKey {
  const Task* parent;
  const void* variable;
  bool operator==(const PlaceKey& other) const { return parent == other.parent && variable == other.variable; }
  size_t Hash() const {
    const auto address = reinterpret_cast<uintptr_t>(variable);
    return (reinterpret_cast<uintptr_t>(parent) / sizeof(Task) * 31 + address) * 0x9e3779b97f4a7c15ull >> 20;
  }
};

// A task with dependences. It stays as long as a group has it.
struct Dependent {
  TaskKey key;
  Task* task;  // NULL: it has ended
  unsigned groups;
  Dependent* next;
};

// Tasks that do not depend on each other here: one task with inout, or neighbours with another type in common.
struct Group {
  ompt_dependence_type_t type;
  unsigned count;
  unsigned capacity;
  Dependent** members;
};

// What the children of one task have said of one address.
struct Place {
  PlaceKey key;
  Group last;
  Group before;  // the tasks on which the members of `last` depend
  Place* next;
  Place* next_of_parent;
};

struct Parent {
  TaskKey key;
  Place* places;
  Parent* next;
};

Table<Dependent> dependents;  // that have not ended
Table<Parent> parents;
Table<Place> places;

void Release(Dependent* dependent) {
  if (--dependent->groups == 0 && dependent->task == nullptr) free(dependent);
}

void Clear(Group& group) {
  for (unsigned i = 0; i < group.count; i++) Release(group.members[i]);
  free(group.members);
  group = {};
}

// A group of readers may be as large as the program. Those that have ended make room.
void MakeRoom(Group& group) {
  unsigned kept = 0;
  for (unsigned i = 0; i < group.count; i++) {
    if (group.members[i]->task != nullptr)
      group.members[kept++] = group.members[i];
    else
      Release(group.members[i]);
  }
  group.count = kept;
  if (kept < group.capacity / 2) return;
  group.capacity = group.capacity == 0 ? 2 : 2 * group.capacity;
  void* members = realloc(group.members, group.capacity * sizeof(Dependent*));
  if (members == nullptr) OutOfMemory();
  group.members = static_cast<Dependent**>(members);
}

void Add(Group& group, Dependent* dependent) {
  if (group.count == group.capacity) MakeRoom(group);
  group.members[group.count++] = dependent;
  dependent->groups++;
}

bool Has(const Group& group, const Dependent* dependent) {
  return group.count != 0 && group.members[group.count - 1] == dependent;
}

// `out` and `inout` are one type.
ompt_dependence_type_t TypeOf(const ompt_dependence_t& dependence) {
  return dependence.dependence_type == ompt_dependence_type_out ? ompt_dependence_type_inout
                                                                : dependence.dependence_type;
}

Place* PlaceOf(Task* parent, const void* variable) {
  const PlaceKey key = {parent, variable};
  if (Place* place = places.Find(key)) return place;
  auto* place = static_cast<Place*>(Allocate(sizeof(Place)));
  place->key = key;
  places.Insert(place);
  Parent* record = parents.Find(TaskKey{parent});
  if (record == nullptr) {
    record = static_cast<Parent*>(Allocate(sizeof(Parent)));
    record->key = {parent};
    parents.Insert(record);
    parent->dependence_roles |= kCreates;
  }
  place->next_of_parent = record->places;
  record->places = place;
  return place;
}

// Puts the task into the place's groups. The group on which it depends; NULL if the place has the task already.
const Group* Enter(Place* place, Dependent* dependent, ompt_dependence_type_t type) {
  // The same address twice in one construct: the task does not depend on itself.
  if (Has(place->last, dependent)) {
    if (type == ompt_dependence_type_inout) place->last.type = type;
    return nullptr;
  }
  if (place->last.count == 0 || place->last.type != type || type == ompt_dependence_type_inout) {
    Clear(place->before);
    place->before = place->last;
    place->last = {};
    place->last.type = type;
  }
  Add(place->last, dependent);
  return &place->before;
}

// With the lock held.
void End(Task* task) {
  task->dependence_roles &= static_cast<uint8_t>(~kDepends);
  Dependent* dependent = dependents.Find(TaskKey{task});
  if (dependent == nullptr) return;
  dependents.Remove(dependent);
  dependent->task = nullptr;
  if (dependent->groups == 0) free(dependent);
}

}  // namespace

void MatchDependences(Task* parent, Task* task, const ompt_dependence_t* dependences, unsigned count,
                      ompt_callback_task_dependence_t report) {
  const Locked lock;
  auto* dependent = static_cast<Dependent*>(Allocate(sizeof(Dependent)));
  dependent->key = {task};
  dependent->task = task;
  dependents.Insert(dependent);
  task->dependence_roles |= kDepends;
  for (unsigned i = 0; i < count; i++) {
    const Group* predecessors = Enter(PlaceOf(parent, dependences[i].variable.ptr), dependent, TypeOf(dependences[i]));
    for (unsigned j = 0; predecessors != nullptr && j < predecessors->count; j++)
      if (Task* earlier = predecessors->members[j]->task) report(&earlier->data, &task->data);
  }
}

void EndAsPredecessor(Task* task) {
  if ((task->dependence_roles & kDepends) == 0) return;
  const Locked lock;
  End(task);
}

void ForgetDependences(Task* task) {
  const Locked lock;
  if ((task->dependence_roles & kDepends) != 0) End(task);
  task->dependence_roles = 0;
  Parent* parent = parents.Find(TaskKey{task});
  if (parent == nullptr) return;
  parents.Remove(parent);
  for (Place* place = parent->places; place != nullptr;) {
    Place* next = place->next_of_parent;
    Clear(place->last);
    Clear(place->before);
    places.Remove(place);
    free(place);
    place = next;
  }
  free(parent);
}

void ForgetDependencesAfterFork() {
  dependents.Forget();
  parents.Forget();
  places.Forget();
  locked.store(false, std::memory_order_relaxed);
}

}  // namespace gomp_ompt
