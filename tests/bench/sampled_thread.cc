#include "tests/bench/sampled_thread.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <map>
#include <vector>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/process/startup_objects.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/take_sample.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "tests/bench/deep_stack.h"

namespace ompprof::bench {
namespace {

using collect::session;
using collect::ThreadState;

// Each unwinder has its own states to use again: their size depends on the unwinder.
std::map<const collect::Unwinder*, std::vector<ThreadState*>>& FreeStates() {
  static auto& states = *new std::map<const collect::Unwinder*, std::vector<ThreadState*>>;
  return states;
}

ThreadState* NewState(const collect::Unwinder* unwinder) {
  auto& states = FreeStates()[unwinder];
  if (!states.empty()) {
    ThreadState* state = states.back();
    states.pop_back();
    return state;
  }
  ThreadState* state = collect::AllocateThread();
  if (state == nullptr) abort();
  return state;
}

}  // namespace

SampledThread::SampledThread(const collect::Unwinder* unwinder, const collect::Source* source) : unwinder_(unwinder) {
  static const bool noted = (collect::NotePermanentObjects(), true);
  static_cast<void>(noted);
  session.unwinder = unwinder;
  session.source = source;
  session.period = 1000000;
  session.pid = getpid();
  session.config.signal = SIGPROF;
  collect::SetMemoryBudget(~0ull);
  session.active.store(true);
  session.collecting.store(true);
  state_ = NewState(unwinder);
  state_->identity.tid = collect::Tid();
  if (state_->sampler.source->create(state_) != nullptr) abort();
  state_->sampler.last_clock = collect::ThreadCpuNs();
  state_->sampler.instants.random = 1;
  state_->sampler.instants.seen_ns = collect::MonotonicNs();
  state_->sampler.instants.seen_cpu_ns = collect::ThreadCpuNs();
  state_->tasks.announced_by = state_->tasks.worker_of = 0;
  state_->paths.buffer.known_root_size = 0;  // of another stack
  unwinder->init_thread(state_->paths.unwind_state, BoundsOfThisThread());
  collect::this_thread = state_;
  Drain();
}

SampledThread::~SampledThread() {
  state_->sampler.source->destroy(state_);
  collect::this_thread = nullptr;
  FreeStates()[unwinder_].push_back(state_);
}

void SampledThread::AnnounceToOmpt(bool worker) {
  state_->identity.kind.store(worker ? fields::thread::kKindWorker : fields::thread::kKindInitial);
  state_->tasks.announced_by = 1;
  state_->tasks.worker_of = worker ? 1 : 0;
}

void SampledThread::BeDue() const {
  state_->sampler.instants.on = true;
  state_->sampler.instants.mean_ns = session.period;
  state_->sampler.instants.due_ns = state_->sampler.instants.seen_ns;
}

siginfo_t SampledThread::Signal() const {
  siginfo_t info;
  memset(&info, 0, sizeof(info));
  info.si_signo = SIGPROF;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = state_;
  return info;
}

void (*SampledThread::Handler())(int, siginfo_t*, void*) {
  collect::FindRealFunctions();
  collect::FindLibcFunctions();
  session.config.signal = SIGPROF;
  struct sigaction action;
  if (!collect::InstallSignalHandler() || sigaction(SIGPROF, nullptr, &action) != 0) abort();
  return action.sa_sigaction;
}

void SampledThread::Take(const ucontext_t* context) const { collect::TakeSample(state_, context, 1000000, 1); }

}  // namespace ompprof::bench

// Stands in for libompprof.so's function.
OMPPROF_EXPORT ompt_start_tool_result_t* ompt_start_tool(unsigned int omp_version, const char* runtime_version) {
  return ompprof::collect::StartTool(omp_version, runtime_version);
}
