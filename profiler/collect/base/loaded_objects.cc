#include "profiler/collect/base/loaded_objects.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>

namespace ompprof::collect {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// glibc's struct dl_find_object on processors without data bases of .eh_frame (all that ompprof knows). Written out,
// because older headers do not have it.
struct GlibcObject {
  unsigned long long flags;
  void* start;
  void* end;
  link_map* map;
  void* eh_frame_hdr;
  unsigned long long reserved[7];
};
#ifdef DLFO_EH_SEGMENT_TYPE
static_assert(sizeof(GlibcObject) == sizeof(dl_find_object));
#endif

using GlibcFind = int (*)(void* address, GlibcObject* object);

int FindFirst(void* address, GlibcObject* object);

// NULL: this glibc has no _dl_find_object. It is looked up by name: a reference would need glibc 2.35.
std::atomic<GlibcFind> glibc_find{FindFirst};

// A table that one thread at a time writes and handlers read. A reader whose table changes meanwhile looks again. A
// handler that interrupts the writer itself finds nothing.
class ObjectTable {
 public:
  bool Find(uintptr_t address, LoadedObject* object) const {
    constexpr int kTries = 3;
    for (int i = 0; i < kTries; ++i) {
      const uint32_t version = version_.load(std::memory_order_acquire);
      const bool found = Search(address, object);
      std::atomic_thread_fence(std::memory_order_acquire);
      if ((version & 1) == 0 && version_.load(kRelaxed) == version) return found;
    }
    return false;
  }

  // Does nothing if no object came or went since the last call, or if another thread is at it.
  void Refresh() {
    if (refreshing_.exchange(true, std::memory_order_acquire)) return;
    Gathering gathering{this, 0, _r_debug.r_map, false};
    dl_iterate_phdr(&ObjectTable::Gather, &gathering);
    if (gathering.changed) {
      std::sort(parts_, parts_ + gathering.count, [](const Part& a, const Part& b) { return a.start < b.start; });
      Publish(gathering.count);
    }
    refreshing_.store(false, std::memory_order_release);
  }

 private:
  static constexpr uint32_t kMostParts = 4096;

  struct Part {
    uintptr_t start;
    uintptr_t end;
    const link_map* map;
    const void* eh_frame_hdr;
  };
  struct SharedPart {
    std::atomic<uintptr_t> start;
    std::atomic<uintptr_t> end;
    std::atomic<const link_map*> map;
    std::atomic<const void*> eh_frame_hdr;
  };
  struct Gathering {
    ObjectTable* table;
    uint32_t count;
    const link_map* next;  // the loader lists objects and link maps in the same order
    bool changed;
  };

  // A binary search: the last part that begins at the address or before.
  bool Search(uintptr_t address, LoadedObject* object) const {
    uint32_t low = 0;
    uint32_t high = std::min(count_.load(kRelaxed), kMostParts);
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (shared_[middle].start.load(kRelaxed) <= address)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == 0) return false;
    const SharedPart& part = shared_[low - 1];
    object->start = part.start.load(kRelaxed);
    object->end = part.end.load(kRelaxed);
    object->map = part.map.load(kRelaxed);
    object->eh_frame_hdr = part.eh_frame_hdr.load(kRelaxed);
    return address < object->end;
  }

  void Publish(uint32_t count) {
    version_.store(version_.load(kRelaxed) + 1, kRelaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (uint32_t i = 0; i < count; ++i) {
      shared_[i].start.store(parts_[i].start, kRelaxed);
      shared_[i].end.store(parts_[i].end, kRelaxed);
      shared_[i].map.store(parts_[i].map, kRelaxed);
      shared_[i].eh_frame_hdr.store(parts_[i].eh_frame_hdr, kRelaxed);
    }
    count_.store(count, kRelaxed);
    version_.store(version_.load(kRelaxed) + 1, std::memory_order_release);
  }

  // dl_iterate_phdr holds the loader's lock, so the list of link maps stays as it is.
  static int Gather(dl_phdr_info* info, size_t, void* data) {
    auto* gathering = static_cast<Gathering*>(data);
    ObjectTable* table = gathering->table;
    if (!gathering->changed) {
      if (info->dlpi_adds == table->adds_ && info->dlpi_subs == table->subs_) return 1;
      gathering->changed = true;
      table->adds_ = info->dlpi_adds;
      table->subs_ = info->dlpi_subs;
    }
    const link_map* map = gathering->next;
    while (map != nullptr && (map->l_addr != info->dlpi_addr || map->l_name != info->dlpi_name)) map = map->l_next;
    if (map != nullptr) gathering->next = map->l_next;
    table->AddParts(*info, map, &gathering->count);
    return 0;
  }

  void AddParts(const dl_phdr_info& info, const link_map* map, uint32_t* count) {
    constexpr uintptr_t kPage = 4096;
    const void* eh_frame_hdr = nullptr;
    const uint32_t first = *count;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info.dlpi_phdr[i];
      const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
      if (segment.p_type == PT_GNU_EH_FRAME) eh_frame_hdr = reinterpret_cast<const void*>(begin);
      if (segment.p_type != PT_LOAD) continue;
      const uintptr_t start = begin / kPage * kPage;
      const uintptr_t end = begin + segment.p_memsz;
      // Between segments of a library is no other object: the loader has reserved the whole.
      if (*count > first && (map == nullptr || map->l_name[0] != '\0' || start <= parts_[*count - 1].end + kPage))
        parts_[*count - 1].end = end;
      else if (*count < kMostParts)
        parts_[(*count)++] = {start, end, map, nullptr};
    }
    for (uint32_t i = first; i < *count; ++i) parts_[i].eh_frame_hdr = eh_frame_hdr;
  }

  std::atomic<uint32_t> version_{};  // odd: being written
  std::atomic<uint32_t> count_{};
  std::atomic<bool> refreshing_{};
  unsigned long long adds_ = 0;  // the loader's counts of objects that came and went, at the last call
  unsigned long long subs_ = 0;
  SharedPart shared_[kMostParts];
  Part parts_[kMostParts];
};

ObjectTable object_table;

// Before the constructors, which is before all handlers, code of the program may come here already.
__attribute__((constructor(101))) void LookUp() {
  glibc_find.store(reinterpret_cast<GlibcFind>(dlsym(RTLD_DEFAULT, "_dl_find_object")), kRelaxed);
  RefreshLoadedObjects();
}

int FindFirst(void* address, GlibcObject* object) {
  LookUp();
  const GlibcFind find = glibc_find.load(kRelaxed);
  LoadedObject found;
  if (find != nullptr) return find(address, object);
  if (!object_table.Find(reinterpret_cast<uintptr_t>(address), &found)) return -1;
  object->start = reinterpret_cast<void*>(found.start);
  object->end = reinterpret_cast<void*>(found.end);
  object->map = const_cast<link_map*>(found.map);
  object->eh_frame_hdr = const_cast<void*>(found.eh_frame_hdr);
  return 0;
}

}  // namespace

bool FindLoadedObject(uintptr_t address, LoadedObject* object) {
  const GlibcFind find = glibc_find.load(kRelaxed);
  if (find == nullptr) return object_table.Find(address, object);
  GlibcObject found;
  if (find(reinterpret_cast<void*>(address), &found) != 0) return false;
  *object = {reinterpret_cast<uintptr_t>(found.start), reinterpret_cast<uintptr_t>(found.end), found.map,
             found.eh_frame_hdr};
  return true;
}

void RefreshLoadedObjects() {
  if (glibc_find.load(kRelaxed) == nullptr) object_table.Refresh();
}

void UseOwnTableOfObjects() {
  glibc_find.store(nullptr, kRelaxed);
  RefreshLoadedObjects();
}

}  // namespace ompprof::collect
