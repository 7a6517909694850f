#include "profiler/collect/write/generated/generated_code.h"

#include <stdio.h>

#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

constexpr int kPiecesOfRound = 16;  // of a file with the names of generated code

}  // namespace

void GeneratedCode::BeginDescriptors(bool own) {
  own_descriptors_ = own;
  map_.Forget();
  for (uint32_t i = 0; i < dumps_.count(); ++i) dumps_.dump(i).file.Forget();
}

// The files stay open only in a table of descriptors that the program does not see.
bool GeneratedCode::Write(bool last) {
  const bool written = WriteMap(last) && WriteDumps(last);
  if (own_descriptors_ && !last) return written;
  map_.Close();
  for (uint32_t i = 0; i < dumps_.count(); ++i) dumps_.dump(i).file.Close();
  return written;
}

// Reads text that the process has added to its perf map. Returns its size; 0: there is none, yet.
size_t GeneratedCode::ReadMap() {
  char path[32];
  snprintf(path, sizeof(path), "/tmp/perf-%d.map", session.pid);
  if (map_size_ >= kMostMapText || !map_.Open(path, session.start_unix_ns)) return 0;
  const uint64_t left = kMostMapText - map_size_;
  const size_t size = map_.Read(map_size_, text_, left < sizeof(text_) ? left : sizeof(text_));
  map_size_ += size;
  return size;
}

// The last round copies all pieces, of which there is a largest number.
bool GeneratedCode::WriteMap(bool last) {
  for (int piece = 0; last || piece < kPiecesOfRound; ++piece) {
    if (!file_->MakeRoom()) return false;
    const size_t size = ReadMap();
    if (size == 0) break;
    EncodeCodeMap(text_, size, &file_->out);
  }
  return true;
}

// Reading the table of mappings may take milliseconds, so a program that generates no code is spared it.
bool GeneratedCode::WriteDumps(bool last) {
  any_ |= new_;
  if (new_ || (last && any_)) dumps_.Find(session.pid, text_, sizeof(text_));
  new_ = false;
  for (uint32_t i = 0; i < dumps_.count(); ++i) {
    JitDump& dump = dumps_.dump(i);
    for (int piece = 0; last || piece < kPiecesOfRound; ++piece) {
      if (!file_->MakeRoom()) return false;
      const size_t size = dump.ReadMore(session.start_unix_ns, reinterpret_cast<uint8_t*>(text_), sizeof(text_));
      if (size == 0) break;
      EncodeCodeDump(i + 1, dump.announced ? "" : dump.path, text_, size, &file_->out);
      dump.announced = true;
    }
  }
  return true;
}

}  // namespace ompprof::collect
