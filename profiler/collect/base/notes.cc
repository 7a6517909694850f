#include "profiler/collect/base/notes.h"

#include <stdarg.h>
#include <stdio.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

constexpr uint32_t kMaxNotes = 32;
Note notes[kMaxNotes];
std::atomic<uint32_t> count{0};

}  // namespace

void AddNote(const char* format, ...) {
  const uint32_t index = count.fetch_add(1, std::memory_order_relaxed);
  if (index >= kMaxNotes) {
    count.store(kMaxNotes, std::memory_order_relaxed);
    return;
  }
  Note* note = &notes[index];
  note->mono_ns = MonotonicNs();
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note->text, sizeof(note->text), format, arguments);
  va_end(arguments);
  note->complete.store(true, std::memory_order_release);
}

const Note* NoteAt(uint32_t index) {
  return index < kMaxNotes && notes[index].complete.load(std::memory_order_acquire) ? &notes[index] : nullptr;
}

void ForgetNotes() {
  // The others' pages are never touched.
  const uint32_t made = count.exchange(0, std::memory_order_relaxed);
  for (uint32_t i = 0; i < made && i < kMaxNotes; ++i) notes[i].complete.store(false, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
