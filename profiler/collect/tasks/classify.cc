#include "profiler/collect/tasks/classify.h"

#include <gnu/libc-version.h>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/tasks/offload_code.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {
namespace {

// ompt_frame_flag_t. Positions are multiples of 0x10. A runtime that gives no position (0) means an address inside the
// frame.
constexpr int kApplication = 0x01;
constexpr int kPositionMask = 0xf0;
constexpr int kPositionCfa = 0x10;

enum class Where { kOlder, kInside, kYounger };

// The place of a marker as seen from the frame that occupies [low, high).
Where Locate(uintptr_t marker, int flags, uintptr_t low, uintptr_t high) {
  if ((flags & kPositionMask) == kPositionCfa) {
    // A canonical frame address is the end of a frame, and names the frame that ends there.
    if (marker > high) return Where::kOlder;
    return marker > low ? Where::kInside : Where::kYounger;
  }
  if (marker >= high) return Where::kOlder;
  return marker >= low ? Where::kInside : Where::kYounger;
}

// The markers in the order of the stack: for each level, outermost first, its exit frame, then its enter frame. The
// present marker is kept ready, since most frames have no marker.
class MarkerCursor {
 public:
  MarkerCursor(const TaskLevel* levels, uint32_t count, uintptr_t sp)
      : levels_(levels), count_(count), next_(count * 2), sp_(sp) {
    Find();
  }

  // The present marker; 0 at the end.
  uintptr_t address = 0;
  int flags = 0;
  bool is_exit = false;
  NodeKey key = 0;
  // The marker of an implicit task around the present task, if the implicit task has no exit frame (any more). Its
  // thread waits at the region's end, and executes the present task meanwhile. 0: there is no such task. (Where a
  // worker's region is missing, the splice tells it.)
  NodeKey finished = 0;

  void Pop() {
    if (is_exit) finished = 0;
    --next_;
    Find();
  }

 private:
  void Find() {
    for (; next_ > 0; --next_) {
      const TaskLevel& level = levels_[(next_ - 1) / 2];
      is_exit = next_ % 2 == 0;
      address = is_exit ? level.exit_frame : level.enter_frame;
      flags = is_exit ? level.exit_flags : level.enter_flags;
      key = is_exit ? level.marker : 0;
      // An enter frame below the top of the stack is on another stack, and would hide the markers of tasks within.
      if (address != 0 && (is_exit || address >= sp_)) return;
      if (level.exit_frame == 0 && (next_ - 1) / 2 + 1 < count_ && IsImplicit(level)) finished = level.marker;
    }
    address = 0;
  }

  const TaskLevel* levels_;
  uint32_t count_;
  uint32_t next_;
  uintptr_t sp_;
};

// Code in no object, which the program generated. It has no unwinding tables, so the walk may have gone on at an older
// frame than its caller.
bool IsGenerated(uintptr_t pc) {
  LoadedObject object;
  return !FindLoadedObject(pc, &object);
}

// The object of the user's youngest frame, unless that object is the C library. Functions of the C library that a
// runtime calls when its destructor runs belong to the runtime. The object is searched for at the first question.
class UsersObject {
 public:
  void Met(uintptr_t pc) { pc_ = pc; }
  bool Has(uintptr_t pc) {
    if (pc_ == 0) return false;
    if (pc_ - low_ >= high_ - low_) {
      LoadedObject object;
      if (!FindLoadedObject(pc_, &object)) return false;
      low_ = object.start;
      high_ = object.end;
    }
    const auto libc = reinterpret_cast<uintptr_t>(&gnu_get_libc_version);
    return pc - low_ < high_ - low_ && !(libc - low_ < high_ - low_);
  }

 private:
  uintptr_t pc_ = 0;
  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
};

// Writes a path, frame by frame, beginning at the root.
class PathWriter {
 public:
  PathWriter(const TaskLevel* levels, uint32_t count, uintptr_t sp, const RuntimeCode& runtime, bool in_runtime,
             NodeKey* keys, uint32_t limit)
      : runtime_(runtime), markers_(levels, count, sp), in_runtime_(in_runtime), keys_(keys), limit_(limit) {}

  void Emit(NodeKey key) {
    if (size_ < limit_) keys_[size_++] = key;
  }

  // Adds the frame that occupies [low, frame.cfa).
  __attribute__((always_inline)) void Add(const Frame& frame, uintptr_t low) {
    const RuntimeCode::Object* object = runtime_.Find(frame.pc);
    frame_in_runtime_ = in_runtime_;
    while (__builtin_expect(markers_.address != 0, 0)) {
      const Where where = Locate(markers_.address, markers_.flags, low, frame.cfa);
      if (where == Where::kYounger) break;
      // The marker names a runtime's frame, and this is none.
      const bool elsewhere = where == Where::kInside && (markers_.flags & kApplication) == 0 && object == nullptr;
      if (elsewhere && IsGenerated(frame.pc)) {
        PassMarker(Where::kOlder);  // the walk left the runtime's frame out
      } else if (elsewhere && !markers_.is_exit && runtime_.IsKnown()) {
        markers_.Pop();  // from another stack: the task has an enter frame since its creation
      } else {
        PassMarker(where);
      }
    }
    if (object != nullptr) {
      frame_in_runtime_ = true;
      // Code that the runtime calls belongs to the runtime, unless the runtime is about to call a task.
      if (!calling_task_ && object->calls != RuntimeCode::Calls::kTasks) in_runtime_ = true;
    } else if ((frame_in_runtime_ && offloading_ && IsOffloadedCode(frame.pc)) ||
               (called_by_runtime_ && (frame_in_runtime_ || markers_.finished != 0) && users_.Has(frame.pc))) {
      frame_in_runtime_ = in_runtime_ = false;
      // An implicit task without an exit frame, or code that such a task calls. Where the marker of a task within is
      // pending, that has the region already.
      if (pending_ == 0) pending_region_ = markers_.finished;
      markers_.finished = 0;
    }
    called_by_runtime_ = object != nullptr;
    met_runtime_ |= called_by_runtime_;
    if (object != nullptr) offloading_ = object->calls == RuntimeCode::Calls::kOffloaded;
    if (!frame_in_runtime_) BeginUsers(frame.pc);
    Emit(MakeKey(frame.pc, static_cast<uint8_t>(fields::kNodeFrame | (frame_in_runtime_ ? fields::kNodeRuntime : 0) |
                                                (frame.return_address ? fields::kNodeReturnAddress : 0))));
  }

  // Frames are missing from here on, up to the leaf part. They are in the task that the runtime is about to call. If
  // the user has called the runtime, they are in the implicit task that has no exit frame.
  void BeginGap() {
    EmitPending();
    if (!met_runtime_ || markers_.finished == 0) return;
    Emit(markers_.finished);
    markers_.finished = 0;
  }

  // Passes the markers of frames that are missing, older than the frame that ends at `end`. The code from there on is
  // the innermost task's.
  void PassGap(uintptr_t end) {
    while (markers_.address != 0 && Locate(markers_.address, markers_.flags, end, end) == Where::kOlder)
      PassMarker(Where::kOlder);
    if (!in_runtime_) BeginUsers(0);
  }

  uint32_t size() const { return size_; }

 private:
  // The present marker lies at the frame, or between it and the previous frame.
  void PassMarker(Where where) {
    const bool is_exit = markers_.is_exit;
    const bool application = (markers_.flags & kApplication) != 0;
    if (where == Where::kOlder) {
      // Between frames (or in a part that was cut): the marker holds from here on.
      frame_in_runtime_ = in_runtime_ = !is_exit;
    } else if (is_exit) {
      // The runtime's frame that calls the task; with the application flag, the task's own first frame.
      frame_in_runtime_ = !application;
      in_runtime_ = false;
    } else {
      // The user's frame that called the runtime; with the runtime flag, the runtime's first frame.
      frame_in_runtime_ = frame_in_runtime_ || !application;
      in_runtime_ = true;
    }
    calling_task_ = is_exit;
    if (is_exit) {
      // The region's body has ended with a jump into the runtime, which executes another task meanwhile.
      if (IsImplicit(pending_)) EmitPending();
      pending_ = markers_.key;
      pending_region_ = markers_.finished;
    }
    markers_.Pop();
  }

  // Emits the markers that stand before a user's frame.
  void BeginUsers(uintptr_t pc) {
    EmitPending();
    calling_task_ = false;
    users_.Met(pc);
  }

  void EmitPending() {
    if (pending_region_ != 0) Emit(pending_region_);
    if (pending_ != 0) Emit(pending_);
    pending_ = pending_region_ = 0;
  }

  const RuntimeCode& runtime_;
  MarkerCursor markers_;
  UsersObject users_;
  bool in_runtime_;                 // from here on, until a marker changes it
  bool frame_in_runtime_ = false;   // the present frame is the runtime's
  bool called_by_runtime_ = false;  // the previous frame was in a runtime's code
  bool met_runtime_ = false;        // some frame was in a runtime's code
  bool offloading_ = false;         // the youngest frame in a runtime's code was an offloading runtime's
  bool calling_task_ = false;       // an exit frame was passed; the task's first frame still follows
  NodeKey pending_ = 0;             // marker of that task; 0: none
  NodeKey pending_region_ = 0;      // marker of the finished implicit task around it, emitted before pending_
  NodeKey* keys_;
  uint32_t limit_;
  uint32_t size_ = 0;
};

}  // namespace

uint32_t Classify(const StackParts& stack, const TaskLevel* levels, uint32_t count, bool runtime_base,
                  const RuntimeCode& runtime, uint32_t epoch, NodeKey* keys, uint32_t limit) {
  PathWriter path(levels, count, stack.sp, runtime, runtime_base && !stack.broken, keys, limit);
  path.Emit(MakeKey(epoch, fields::kNodeRoot));
  if (stack.broken) path.Emit(MakeKey(0, stack.starved ? fields::kNodeCut : fields::kNodeBroken));
  for (uint32_t i = stack.root_size; i > 0; --i) {
    const uintptr_t low =
        i > 1 ? stack.root[i - 2].cfa : (stack.leaf_size > 0 ? stack.leaf[stack.leaf_size - 1].cfa : stack.sp);
    // Behind a cut, the oldest frame does not extend over the whole gap: markers inside the gap belong to the cut
    // frames.
    path.Add(stack.root[i - 1], i > 1 || !stack.cut ? low : stack.root[0].cfa - 1);
  }
  if (stack.resumed && stack.leaf_size > 0) path.PassGap(stack.leaf[stack.leaf_size - 1].cfa);
  if (stack.cut) {
    path.BeginGap();
    path.Emit(MakeKey(0, fields::kNodeCut));
  }
  for (uint32_t i = stack.leaf_size; i > 0; --i) {
    path.Add(stack.leaf[i - 1], i > 1 ? stack.leaf[i - 2].cfa : stack.sp);
  }
  return path.size();
}

}  // namespace ompprof::collect
