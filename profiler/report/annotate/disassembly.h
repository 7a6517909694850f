// Machine code as text. `ompprof annotate --asm` shows it.
//
// Runs binutils' objdump, or LLVM's objdump with the same options, without a shell. A machine with a compiler has an
// objdump. The libraries are no alternative: libopcodes would put the whole program under the GPL and changes its
// interface with every binutils; LLVM's library adds a hundred megabytes for one command.
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
  std::string problem;                    // a sentence, if there are no instructions
};

// Disassembles the addresses [low, high) of the object file `path`. `objdump` is the name or path of a program.
Disassembly Disassemble(const std::string& objdump, const std::string& path, uint64_t low, uint64_t high);

// The instructions in objdump's output: the lines that begin with an address, a colon and a tab.
std::vector<Instruction> ParseDisassembly(const std::string& text);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_DISASSEMBLY_H_
