// The events that are counted beside the samples (--count): one group of perf events for each thread, read at each of
// its samples. What was counted since the thread's sample before goes with the sample.
//
// A read needs a descriptor. So each thread keeps one, with a high number, where a program seldom looks; the group's
// other events are kept by mappings alone, as in perf_event.cc. A program that closes all descriptors closes this one
// too, and may then open a file under its number. So the number is used only while the kernel says that it is the
// thread's event.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_EVENT_COUNTS_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_EVENT_COUNTS_H_

#include <stddef.h>

#include "profiler/collect/cct/sample_counts.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Finds out whether the events of session.config.count can be counted, and sets session.counted_events. False: they
// cannot; nothing is counted, and `error` holds a sentence. Called once, before there are threads.
bool ChooseCounts(char* error, size_t size);

// Begins to count in a thread of this process. Where this is not possible, the thread has no counts, and a note says so
// once. Not in the handler.
void BeginCounts(ThreadState* thread);

// Any thread. `thread` may be in its handler.
void EndCounts(ThreadState* thread);

// What the thread has counted since the last call. False: nothing is known. Async-signal-safe; in the thread itself,
// with `busy` held or with no more samples to come.
bool ReadCounts(ThreadState* thread, SampleCounts* counts);

// Adds what the calling thread, of which no more samples come, has counted since its last sample to its tail.
void KeepCountsOfTail(ThreadState* thread);

// Stops the thread's events while sampling is paused, or starts them again. Any thread.
void SetCounting(ThreadState* thread, bool on);

// Closes the parent's descriptors. Called in a forked child, before it forgets the parent's threads.
void ForgetCounts();

// Says once in the profile that some threads have no counts.
void NoteUncounted(const char* why);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_EVENT_COUNTS_H_
