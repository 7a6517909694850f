// Addresses that mean the same in all processes of a program: a module and an offset in it, a piece of generated code
// by its name, a lock by its origin. The unified program keeps places; they become made-up addresses when it is
// written.
#ifndef OMPPROF_PROFILER_UNIFY_PLACES_H_
#define OMPPROF_PROFILER_UNIFY_PLACES_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/model/code_map.h"
#include "profiler/model/module_map.h"
#include "profiler/model/process_profile.h"

namespace ompprof::unify {

// A module's number and an offset from its load bias. The value 0 is no place.
using Place = uint64_t;

inline constexpr Place kNoPlace = 0;

// The numbers behind those of modules.
inline constexpr uint64_t kOffsetBits = 44;
inline constexpr uint64_t kGeneratedCode =
    (uint64_t{1} << 20) - 1;                               // offset: the name's number; 0: code without a name
inline constexpr uint64_t kMadeLock = kGeneratedCode - 1;  // offset: number of a lock that the program made
inline constexpr uint64_t kUsedLock = kGeneratedCode - 2;  // offset: number of a lock of unknown origin

// Added to the address of the code that uses a lock of unknown origin, to make the address of this lock.
inline constexpr uint64_t kUsedLocks = uint64_t{7} << 59;

inline Place MakePlace(uint64_t module, uint64_t offset) { return module << kOffsetBits | offset; }
inline uint64_t ModuleOf(Place place) { return place >> kOffsetBits; }
inline uint64_t OffsetOf(Place place) { return place & ((uint64_t{1} << kOffsetBits) - 1); }

// The modules and the names of generated code of one program, over all its processes.
class PlaceTable {
 public:
  // The module's number; 0 if it has offsets that no real module has. Modules with one build id are one module,
  // wherever their files are. Modules without a build id are one if their paths and segments are equal.
  uint64_t NumberOf(const Module& module, bool profilers_own);

  Place OfGeneratedCode(const std::string& name);

  // An order of places of code that does not depend on the modules' numbers.
  bool Less(Place a, Place b) const;

  // The modules in their final order, with ids and made-up biases. `module_order`: the id of each number.
  std::map<uint32_t, Module> Modules(std::vector<uint32_t>* module_order) const;

  // A perf map with the names of generated code at made-up addresses.
  std::string GeneratedCodeMap() const;

  // Turns places into made-up addresses. Call it when all places are known.
  class Addresses {
   public:
    explicit Addresses(const PlaceTable& table);
    uint64_t Of(Place place) const;

   private:
    std::vector<uint64_t> biases_;     // by the module's number
    std::vector<uint64_t> generated_;  // by the name's number
  };

 private:
  std::vector<uint32_t> NumbersInOrder() const;

  std::map<std::string, uint32_t> numbers_;              // by key
  std::vector<std::pair<std::string, Module>> modules_;  // with their keys
  std::map<std::string, uint32_t> generated_;            // names, with their numbers
};

// The places of one process's addresses.
class ProcessPlaces {
 public:
  // Both must outlive the object.
  ProcessPlaces(const model::ProcessProfile& process, PlaceTable* table);

  // The place of code. A return address may be the first byte behind its module.
  Place OfCode(uint64_t address, bool return_address, uint32_t epoch);

  // The place of a variable; kNoPlace if no module holds it.
  Place OfVariable(uint64_t address, uint32_t epoch);

  // The number of a module of the process, by its id; 0: not known.
  uint64_t NumberOf(uint32_t module) const;

 private:
  struct Cached {
    uint64_t address = 0;
    uint64_t epoch = UINT64_MAX;
    Place place = kNoPlace;
  };
  Place Find(uint64_t address, bool return_address, uint32_t epoch);

  PlaceTable& table_;
  model::ModuleMap map_;
  std::map<uint32_t, uint64_t> number_by_id_;
  std::vector<model::CodeMap> generated_;  // the first that has an address counts
  std::vector<Cached> cache_;              // of code, by a part of the address
};

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_PLACES_H_
