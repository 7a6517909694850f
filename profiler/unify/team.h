// The workers that unify a job together: threads of one process, or processes of MPI. They know two operations. The
// exchanges that all workers take part in are made of these two, along a binomial tree, as MPI's own reductions are.
#ifndef OMPPROF_PROFILER_UNIFY_TEAM_H_
#define OMPPROF_PROFILER_UNIFY_TEAM_H_

#include <cstdint>
#include <functional>
#include <string>

namespace ompprof::unify {

class Team {
 public:
  virtual ~Team() = default;

  // The workers are numbered from 0.
  virtual int size() const = 0;
  virtual int number() const = 0;

  // Sends bytes to a worker, which receives them by a call of Receive. Messages between two workers keep their order.
  virtual void Send(int to, const std::string& bytes) = 0;
  virtual std::string Receive(int from) = 0;
};

// A team of one.
class Alone : public Team {
 public:
  int size() const override { return 1; }
  int number() const override { return 0; }
  void Send(int, const std::string&) override {}
  std::string Receive(int) override { return ""; }
};

// Reduces what the workers hold to worker 0, in ceil(log2(size)) steps. In a step, a worker either gives what it holds
// to another (`give` returns the bytes) and is finished, or takes what another worker held (`take`).
void Reduce(Team* team, const std::function<std::string()>& give, const std::function<void(const std::string&)>& take);

// Gives worker 0's bytes to all workers, by the same tree from its root.
std::string Broadcast(Team* team, std::string bytes);

// Runs `work` in `count` threads as a team, and returns when all have ended.
void RunThreads(int count, const std::function<void(Team*)>& work);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_TEAM_H_
