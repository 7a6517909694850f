// Machine code as text. `ompprof annotate --asm` shows it.
//
// binutils' objdump (or LLVM's, which takes the same options) is run for it, without a shell. As a library it would be
// libopcodes, whose licence (GPL) would be the whole program's and whose interface changes with every binutils, or
// LLVM's, a hundred megabytes for one command; objdump is where a compiler is.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_DISASSEMBLY_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_DISASSEMBLY_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::report {

struct Instruction {
  uint64_t address;  // in the file's addresses
  std::string text;  // "mov    %rax,(%rdi)", fit for a terminal
};

struct Disassembly {
  std::vector<Instruction> instructions;  // by address
  std::string problem;                    // a sentence if there are none
};

// The code of the object file `path` from `low` to before `high`, by `objdump`, a program's name or path.
Disassembly Disassemble(const std::string& objdump, const std::string& path, uint64_t low, uint64_t high);

// The instructions in what objdump printed: the lines that begin with an address, a colon and a tab.
std::vector<Instruction> ParseDisassembly(const std::string& text);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_DISASSEMBLY_H_
