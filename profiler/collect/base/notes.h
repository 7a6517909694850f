// Sentences for the reader of the report, written into the profile.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_NOTES_H_
#define OMPPROF_PROFILER_COLLECT_BASE_NOTES_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

struct Note {
  std::atomic<bool> complete;
  uint64_t mono_ns;
  char text[496];
};

// Keeps a sentence until the writer takes it. Only the first 32 sentences of a run are kept. Not in the handler.
void AddNote(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The note with this index; NULL if there is none yet. Writer thread only.
const Note* NoteAt(uint32_t index);

// Called in a forked child.
void ForgetNotes();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_NOTES_H_
