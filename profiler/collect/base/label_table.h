// The labels of a program's phases (ompprof_push_label). A label is a name inside an outer label. Samples keep the
// label's number. Any thread finds and adds labels, without locks. The writer reads them. No label is ever removed.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_LABEL_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_BASE_LABEL_TABLE_H_

#include <stdint.h>
#include <string.h>

#include <atomic>

namespace ompprof::collect {

struct Label {
  static constexpr uint32_t kMaxName = 104;
  uint32_t parent;  // 0: none
  uint32_t next;    // the next label in the same chain
  uint64_t hash;
  char name[kMaxName];  // the part that fits, with a zero behind it
  std::atomic<bool> complete;
};

// All zero is an empty table.
class LabelTable {
 public:
  static constexpr uint32_t kMaxLabels = 4096;  // one less: 0 is no label

  // The number of the label `name` inside `parent`. A new label is made if there is none. 0: there is no room. Not in
  // the handler.
  uint32_t Find(uint32_t parent, const char* name) {
    const auto size = static_cast<uint32_t>(strnlen(name, Label::kMaxName - 1));
    const uint64_t hash = Hash(parent, name, size);
    std::atomic<uint32_t>* head = &heads_[hash % kHeads];
    uint32_t first = head->load(std::memory_order_acquire);
    if (const uint32_t known = Search(first, 0, parent, name, size, hash)) return known;
    const uint32_t number = size_.load(std::memory_order_relaxed) < kMaxLabels - 1
                                ? size_.fetch_add(1, std::memory_order_relaxed) + 1
                                : kMaxLabels;
    if (number >= kMaxLabels) {
      refused_.fetch_add(1, std::memory_order_relaxed);
      return 0;
    }
    Label* label = &labels_[number];
    label->parent = parent;
    label->hash = hash;
    memcpy(label->name, name, size);
    label->complete.store(true, std::memory_order_release);
    for (;;) {
      label->next = first;
      if (head->compare_exchange_weak(first, number, std::memory_order_release, std::memory_order_acquire))
        return number;
      // Another thread was faster, perhaps with the same label. In that case, the number just taken stays unused.
      if (const uint32_t known = Search(first, label->next, parent, name, size, hash)) return known;
    }
  }

  // Counts a label that is deeper than threads keep, or for which there is no room.
  void Refuse() { refused_.fetch_add(1, std::memory_order_relaxed); }

  // Labels have the numbers 1 .. size(). The result is NULL for a label that is being made.
  uint32_t size() const {
    const uint32_t size = size_.load(std::memory_order_acquire);
    return size < kMaxLabels ? size : kMaxLabels - 1;
  }
  const Label* At(uint32_t number) const {
    return labels_[number].complete.load(std::memory_order_acquire) ? &labels_[number] : nullptr;
  }

  // The number of refused labels.
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kHeads = 1024;

  // FNV-1a.
  static uint64_t Hash(uint32_t parent, const char* name, uint32_t size) {
    uint64_t hash = 0xcbf29ce484222325u ^ parent;
    for (uint32_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(name[i])) * 0x100000001b3u;
    return hash ^ hash >> 32;
  }

  // Searches the chain from `first` to `end`.
  uint32_t Search(uint32_t first, uint32_t end, uint32_t parent, const char* name, uint32_t size, uint64_t hash) const {
    for (uint32_t at = first; at != end && at != 0; at = labels_[at].next) {
      const Label& label = labels_[at];
      if (label.hash == hash && label.parent == parent && memcmp(label.name, name, size) == 0 &&
          label.name[size] == '\0')
        return at;
    }
    return 0;
  }

  Label labels_[kMaxLabels];
  std::atomic<uint32_t> heads_[kHeads];
  std::atomic<uint32_t> size_;
  std::atomic<uint64_t> refused_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_LABEL_TABLE_H_
