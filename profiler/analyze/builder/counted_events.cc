#include "profiler/analyze/builder/counted_events.h"

#include <algorithm>

namespace ompprof::analyze {

CountedEvents::Places CountedEvents::Add(const Header& header) {
  const int size = std::min(header.counted_events_size(), static_cast<int>(kMostCountedEvents));
  Places places;
  if (size == 0) {
    ++others_;
    return places;
  }
  const bool is_first = counting_++ == 0;
  for (int i = 0; i < size; ++i) {
    const std::string& name = header.counted_events(i);
    auto known = std::find_if(events_.begin(), events_.end(), [&](const Event& event) { return event.name == name; });
    if (known == events_.end() && is_first) known = events_.insert(events_.end(), {name, 0});
    places.emplace_back();
    if (known == events_.end()) {
      differ_ = true;
      continue;
    }
    ++known->processes;
    places.back() = static_cast<size_t>(known - events_.begin());
  }
  return places;
}

std::vector<CountedEvent> CountedEvents::InAll() const {
  std::vector<CountedEvent> events;
  for (size_t place = 0; place < events_.size(); ++place) {
    if (events_[place].processes == counting_) events.push_back({events_[place].name, place});
  }
  return events;
}

std::string CountedEvents::Warning() const {
  if (counting_ == 0) return "";
  if (differ_ || InAll().size() < events_.size())
    return "the processes counted different events (--count); the report has the events that all of them counted";
  if (others_ == 0) return "";
  return std::to_string(others_) + " of " + std::to_string(others_ + counting_) +
         " processes counted no events (--count); the counts are those of the others";
}

Counts AtPlaces(const CountedEvents::Places& places, const Counts& counts) {
  Counts placed{};
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i]) placed[*places[i]] += counts[i];
  }
  return placed;
}

}  // namespace ompprof::analyze
