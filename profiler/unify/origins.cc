#include "profiler/unify/origins.h"

#include <algorithm>

#include "profiler/model/known_processes.h"

namespace ompprof::unify {

void Pack(const Origin& origin, Packer* to) {
  to->Put(origin.place.first);
  to->Put(origin.place.second);
  const auto& [host, pid, start_unix_ns, start_mono_ns, program] = origin.process;
  to->Put(host);
  to->Put(pid);
  to->Put(static_cast<uint64_t>(start_unix_ns));
  to->Put(start_mono_ns);
  to->Put(program);
}

Origin UnpackOrigin(Unpacker* from) {
  Origin origin;
  origin.place.first = from->Number();
  origin.place.second = from->Number();
  auto& [host, pid, start_unix_ns, start_mono_ns, program] = origin.process;
  host = from->Text();
  pid = from->Number();
  start_unix_ns = static_cast<int64_t>(from->Number());
  start_mono_ns = from->Number();
  program = from->Text();
  return origin;
}

std::set<PlaceInFiles> FindRepeated(std::vector<Origin> origins, const std::vector<std::string>& files,
                                    std::vector<std::string>* sentences) {
  std::sort(origins.begin(), origins.end(), [](const Origin& a, const Origin& b) { return a.place < b.place; });
  model::KnownProcesses known;
  std::set<PlaceInFiles> repeated;
  for (const Origin& origin : origins) {
    if (!known.Add(origin.process, files[origin.place.first])) repeated.insert(origin.place);
  }
  *sentences = known.Sentences();
  return repeated;
}

}  // namespace ompprof::unify
