// Generates code, names it in a jitdump, and works in it: 60 % of the CPU time in one generated function, 40 % in
// another, which the program has moved. The file also has what readers must step over: other records, machine code, a
// last record that is not whole. The record of the move comes at the end, and the program deletes the file at once.
//   jit_dump CPU_MS [DAMAGED]      DAMAGED: 1 writes a record without a name, and one of an impossible length
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "truth.h"

namespace {

truth::Account in_first("function", "jit_first");
truth::Account in_moved("function", "jit_moved");

// mov %rdi, %rcx; loop: add $1, %rax; xor %rdx, %rax; dec %rcx; jne loop; ret
constexpr unsigned char kLoop[] = {0x48, 0x89, 0xf9, 0x48, 0x83, 0xc0, 0x01, 0x48,
                                   0x31, 0xd0, 0x48, 0xff, 0xc9, 0x75, 0xf4, 0xc3};
constexpr size_t kLoopBegins = 3;
constexpr size_t kSize = 4096;
constexpr size_t kFirstAt = 256, kMovedFrom = 512, kMovedTo = 1024;
enum : uint32_t { kLoad = 0, kMove = 1, kDebugInfo = 2, kClose = 3, kUnwinding = 4, kUnknown = 77 };

using Loop = uint64_t (*)(uint64_t iterations);

std::string Bytes(uint64_t value, size_t size = 8) { return std::string(reinterpret_cast<const char*>(&value), size); }

std::string Text(const char* text) { return std::string(text, strlen(text) + 1); }

std::string Record(uint32_t kind, const std::string& content, size_t missing = 0) {
  return Bytes(kind, 4) + Bytes(16 + content.size() + missing, 4) + Bytes(truth::ClockNs(CLOCK_MONOTONIC)) + content;
}

std::string LoadRecord(const unsigned char* at, size_t size, uint64_t index, const char* name) {
  const auto address = reinterpret_cast<uint64_t>(at);
  return Record(kLoad, Bytes(static_cast<uint64_t>(getpid()), 4) + Bytes(static_cast<uint64_t>(gettid()), 4) +
                           Bytes(address) + Bytes(address) + Bytes(size) + Bytes(index) + Text(name) +
                           std::string(reinterpret_cast<const char*>(at), size));
}

std::string MoveRecord(const unsigned char* from, const unsigned char* to, size_t size, uint64_t index) {
  const auto address = reinterpret_cast<uint64_t>(to);
  return Record(kMove, Bytes(static_cast<uint64_t>(getpid()), 4) + Bytes(static_cast<uint64_t>(gettid()), 4) +
                           Bytes(address) + Bytes(reinterpret_cast<uint64_t>(from)) + Bytes(address) + Bytes(size) +
                           Bytes(index));
}

// Line 10 up to the loop, then line 11.
std::string DebugRecord(const unsigned char* at) {
  const auto address = reinterpret_cast<uint64_t>(at);
  return Record(kDebugInfo, Bytes(address) + Bytes(2) + Bytes(address) + Bytes(10, 4) + Bytes(0, 4) +
                                Text("/home/me/first.jit") + Bytes(address + kLoopBegins) + Bytes(11, 4) + Bytes(0, 4) +
                                Text("\xff"));
}

std::string FirstRecords(const unsigned char* code, bool damaged) {
  std::string bytes = Bytes(0x4a695444, 4) + Bytes(1, 4) + Bytes(40, 4) + Bytes(EM_X86_64, 4) + Bytes(0, 4) +
                      Bytes(static_cast<uint64_t>(getpid()), 4) + Bytes(truth::ClockNs(CLOCK_MONOTONIC)) + Bytes(0);
  bytes += Record(kUnknown, "anything");
  if (damaged) bytes += Record(kLoad, "");
  bytes += LoadRecord(code, kSize, 1, "of an older function");
  bytes += DebugRecord(code + kFirstAt);
  bytes += Record(kUnwinding, Bytes(8) + Bytes(8) + Bytes(0) + Bytes(7));
  bytes += LoadRecord(code + kFirstAt, sizeof kLoop, 2, "jit_first");
  bytes += LoadRecord(code + kMovedFrom, sizeof kLoop, 3, "jit_moved");
  return bytes;
}

void Work(const unsigned char* code, double cpu_ms) {
  const auto loop = reinterpret_cast<Loop>(reinterpret_cast<uintptr_t>(code));
  const uint64_t until = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) + static_cast<uint64_t>(cpu_ms * 1e6);
  while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < until) loop(10000000);
}

}  // namespace

TRUTH_FUNCTION void run_generated(const unsigned char* code, double cpu_ms) {
  {
    truth::Timed timed(in_first);
    Work(code + kFirstAt, cpu_ms * 0.6);
  }
  {
    truth::Timed timed(in_moved);
    Work(code + kMovedTo, cpu_ms * 0.4);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  auto* code =
      static_cast<unsigned char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (code == MAP_FAILED) return 1;
  for (const size_t at : {kFirstAt, kMovedFrom, kMovedTo}) memcpy(code + at, kLoop, sizeof kLoop);
  if (mprotect(code, kSize, PROT_READ | PROT_EXEC) != 0) return 1;
  const char* folder = getenv("TEST_TMPDIR");
  const std::string path =
      std::string(folder != nullptr ? folder : "/tmp") + "/jit-" + std::to_string(getpid()) + ".dump";
  FILE* dump = fopen(path.c_str(), "w+");
  if (dump == nullptr) return 1;
  const bool damaged = truth::Argument(argc, argv, 2, 0) != 0;
  const std::string first = FirstRecords(code, damaged);
  fwrite(first.data(), 1, first.size(), dump);
  fflush(dump);
  // This mapping tells profilers of the file.
  if (mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED) return 1;
  run_generated(code, static_cast<double>(truth::Argument(argc, argv, 1, 2000)));
  std::string rest = MoveRecord(code + kMovedFrom, code + kMovedTo, sizeof kLoop, 3) + Record(kClose, "");
  rest += damaged ? Bytes(kLoad, 4) + Bytes(3, 4) + Bytes(0) : Record(kLoad, "cut", 1000);
  fwrite(rest.data(), 1, rest.size(), dump);
  fclose(dump);
  unlink(path.c_str());
  in_first.Print();
  in_moved.Print();
  truth::PrintProcess();
  return 0;
}
