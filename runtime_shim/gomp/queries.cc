#include "runtime_shim/gomp/queries.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "runtime_shim/generations/generation.h"
#include "runtime_shim/gomp/plugin_loading.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/loaded_object.h"
#include "runtime_shim/ompt/runtime_queries.h"
#include "runtime_shim/ompt/tool_search.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_num_places, int());
DECLARE_REAL(omp_get_place_num_procs, int(int));
DECLARE_REAL(omp_get_place_proc_ids, void(int, int*));
DECLARE_REAL(omp_get_place_num, int());
DECLARE_REAL(omp_get_partition_num_places, int());
DECLARE_REAL(omp_get_partition_place_nums, void(int*));
DECLARE_REAL(omp_get_num_procs, int());
DECLARE_REAL(omp_get_num_threads, int());

template <class Pointer>
void Find(const RealFunction& function, Pointer& pointer) {
  pointer = reinterpret_cast<Pointer>(FindFunction(function));
}

// libgomp prints this text and the value for OMP_DISPLAY_ENV, and has the value nowhere else.
constexpr char kVersionText[] = "  _OPENMP = '";
constexpr size_t kVersionDigits = 6;
constexpr unsigned kUsualVersion = 201511;  // of GCC 6 to 14

// The version after the text in these bytes; 0 if the text is not there.
unsigned VersionWithin(const char* bytes, size_t size) {
  constexpr size_t kText = sizeof(kVersionText) - 1;
  auto* text = static_cast<const char*>(memmem(bytes, size, kVersionText, kText));
  if (text == nullptr || static_cast<size_t>(bytes + size - text) < kText + kVersionDigits) return 0;
  unsigned version = 0;
  for (size_t i = 0; i < kVersionDigits; i++) {
    const char digit = text[kText + i];
    if (digit < '0' || digit > '9') return 0;
    version = version * 10 + static_cast<unsigned>(digit - '0');
  }
  return version;
}

// _OPENMP of the runtime, from its constants in memory.
unsigned VersionOf(const link_map* runtime) {
  struct Search {
    const link_map* runtime;
    unsigned version;
  } search = {runtime, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto& asked = *static_cast<Search*>(argument);
        if (info->dlpi_addr != asked.runtime->l_addr || strcmp(info->dlpi_name, asked.runtime->l_name) != 0) return 0;
        for (unsigned i = 0; i < info->dlpi_phnum && asked.version == 0; i++) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type == PT_LOAD && part.p_flags == PF_R)
            asked.version = VersionWithin(reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr), part.p_memsz);
        }
        return 1;
      },
      &search);
  return search.version != 0 ? search.version : kUsualVersion;
}

void NameRuntime(RuntimeQueries& queries) {
  static char text[256];
  dl_find_object found;
  const bool is_found =
      FindObject(reinterpret_cast<const void*>(FindFunction(Real_omp_get_num_procs::function)), &found);
  queries.omp_version = is_found ? VersionOf(found.dlfo_link_map) : kUsualVersion;
  snprintf(text, sizeof(text), "libgomp_ompt 1.0 over GCC libgomp (%s)",
           is_found ? found.dlfo_link_map->l_name : "unknown file");
  queries.version_text = text;
}

bool WatchesDevices() {
  return KnownRuntime() == Runtime::kGomp && IsToolAskedFor(AskedGenerations()) &&
         WatchPluginLoading(reinterpret_cast<const void*>(FindFunction(Real_omp_get_num_procs::function)));
}

}  // namespace

void FindQueries() {
  RuntimeQueries& queries = runtime_queries;
  Find(Real_omp_get_num_places::function, queries.num_places);
  Find(Real_omp_get_place_num_procs::function, queries.place_num_procs);
  Find(Real_omp_get_place_proc_ids::function, queries.place_proc_ids);
  Find(Real_omp_get_place_num::function, queries.place_num);
  Find(Real_omp_get_partition_num_places::function, queries.partition_num_places);
  Find(Real_omp_get_partition_place_nums::function, queries.partition_place_nums);
  Find(Real_omp_get_num_threads::function, queries.num_threads);
  // Asked once, because libgomp counts in a buffer that its threads share.
  int (*num_procs)() = nullptr;
  Find(Real_omp_get_num_procs::function, num_procs);
  queries.num_procs = num_procs != nullptr ? num_procs() : 0;
  NameRuntime(queries);
  queries.watches_devices = WatchesDevices();
}

}  // namespace gomp_ompt
