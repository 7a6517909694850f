#include "profiler/unify/team.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ompprof::unify {
namespace {

// The messages between threads.
class Mailbox {
 public:
  void Put(int from, int to, std::string bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    messages_[{from, to}].push_back(std::move(bytes));
    arrived_.notify_all();
  }

  std::string Take(int from, int to) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::deque<std::string>& queue = messages_[{from, to}];
    arrived_.wait(lock, [&] { return !queue.empty(); });
    std::string bytes = std::move(queue.front());
    queue.pop_front();
    return bytes;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<int, int>, std::deque<std::string>> messages_;
};

class ThreadTeam : public Team {
 public:
  ThreadTeam(int size, int number, Mailbox* mailbox) : size_(size), number_(number), mailbox_(*mailbox) {}
  int size() const override { return size_; }
  int number() const override { return number_; }
  void Send(int to, const std::string& bytes) override { mailbox_.Put(number_, to, bytes); }
  std::string Receive(int from) override { return mailbox_.Take(from, number_); }

 private:
  int size_;
  int number_;
  Mailbox& mailbox_;
};

}  // namespace

void Reduce(Team* team, const std::function<std::string()>& give, const std::function<void(const std::string&)>& take) {
  for (int distance = 1; distance < team->size(); distance *= 2) {
    if (team->number() % (2 * distance) != 0) return team->Send(team->number() - distance, give());
    if (team->number() + distance < team->size()) take(team->Receive(team->number() + distance));
  }
}

std::string Broadcast(Team* team, std::string bytes) {
  int top = 1;
  while (top < team->size()) top *= 2;
  for (int distance = top / 2; distance >= 1; distance /= 2) {
    if (team->number() % (2 * distance) == distance) bytes = team->Receive(team->number() - distance);
    if (team->number() % (2 * distance) == 0 && team->number() + distance < team->size())
      team->Send(team->number() + distance, bytes);
  }
  return bytes;
}

void RunThreads(int count, const std::function<void(Team*)>& work) {
  if (count == 1) {
    Alone team;
    return work(&team);
  }
  Mailbox mailbox;
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number) {
    threads.emplace_back([&, number] {
      ThreadTeam team(count, number, &mailbox);
      work(&team);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace ompprof::unify
