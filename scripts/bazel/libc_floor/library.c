// Binds what a preloaded library of ours calls in libc to libc's own functions. The loader binds a name to the first
// object that exports it, and the program comes first: bash has a getenv of its own, others have a hash or an error
// with another meaning. Our settings would be what the program's function says, and the program would see calls that it
// does not make alone.
//
// References to functions are changed if they lead elsewhere: neither into the files that the reference's version names
// (libc, and the loader), nor into libraries that were preloaded before ours, which are there to be called. In other
// programs nothing is written. Not changed are:
//   - memory: who defines malloc defines it for libc as well, so both have one allocator;
//   - data, such as environ: the program and libc share the program's copy;
//   - anything in a process with a sanitizer, whose functions in libc's place are for everybody.
//
// Nothing here calls a function.
#if !defined(__x86_64__) || !defined(__linux__)
#error "other processors have other relocations and system calls"
#endif
#include "scripts/bazel/libc_floor/library.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Of the sanitizers; NULL: there is none.
extern void __asan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

// From the linker: this library's first bytes, and its dynamic section.
extern const ElfW(Ehdr) __ehdr_start HIDDEN;
extern ElfW(Dyn) _DYNAMIC[] HIDDEN;

// What the dynamic section of an object has.
struct Object {
  uintptr_t base;
  const ElfW(Sym) * symbols;
  const char* strings;
  const char* name;       // by which other objects need it; NULL: none
  const uint32_t* table;  // of the names' hashes, in GNU's format
  const ElfW(Half) * versions;
  const char* defined;  // ElfW(Verdef)
  const char* needed;   // ElfW(Verneed)
  const ElfW(Rela) * relocations[2];
  size_t bytes[2];
};

static struct Object ObjectOf(uintptr_t base, const ElfW(Dyn) * entry) {
  struct Object object = {.base = base};
  const ElfW(Dyn)* name = NULL;
  for (; entry->d_tag != DT_NULL; entry++) {
    // glibc adds the base to most addresses here, but not to all.
    const uintptr_t address = entry->d_un.d_ptr < base ? entry->d_un.d_ptr + base : entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) object.symbols = (const void*)address;
    if (entry->d_tag == DT_STRTAB) object.strings = (const void*)address;
    if (entry->d_tag == DT_SONAME) name = entry;
    if (entry->d_tag == DT_GNU_HASH) object.table = (const void*)address;
    if (entry->d_tag == DT_VERSYM) object.versions = (const void*)address;
    if (entry->d_tag == DT_VERDEF) object.defined = (const void*)address;
    if (entry->d_tag == DT_VERNEED) object.needed = (const void*)address;
    if (entry->d_tag == DT_RELA) object.relocations[0] = (const void*)address;
    if (entry->d_tag == DT_RELASZ) object.bytes[0] = entry->d_un.d_val;
    if (entry->d_tag == DT_JMPREL) object.relocations[1] = (const void*)address;
    if (entry->d_tag == DT_PLTRELSZ) object.bytes[1] = entry->d_un.d_val;
  }
  if (name != NULL && object.strings != NULL) object.name = object.strings + name->d_un.d_val;
  return object;
}

static bool Equal(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) a++, b++;
  return *a == *b;
}

// Whether `address` lies in the object that is loaded at `base`. Objects at 0 have their header elsewhere.
static bool Holds(uintptr_t base, uintptr_t address) {
  if (base == 0) return false;
  const ElfW(Ehdr)* const header = (const void*)base;
  const ElfW(Phdr)* const parts = (const void*)(base + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++) {
    if (parts[i].p_type == PT_LOAD && address - base - parts[i].p_vaddr < parts[i].p_memsz) return true;
  }
  return false;
}

// The version that a reference of `own` names; NULL: none.
static const char* VersionOf(const struct Object* own, size_t symbol) {
  if (own->versions == NULL || own->needed == NULL) return NULL;
  for (const char* file = own->needed;;) {
    const ElfW(Verneed)* const need = (const void*)file;
    const char* at = file + need->vn_aux;
    for (unsigned i = 0; i < need->vn_cnt; i++) {
      const ElfW(Vernaux)* const version = (const void*)at;
      if (version->vna_other == (own->versions[symbol] & 0x7fff)) return own->strings + version->vna_name;
      at += version->vna_next;
    }
    if (need->vn_next == 0) return NULL;
    file += need->vn_next;
  }
}

// Whether `own` names versions of the object: libc's files.
static bool Needs(const struct Object* own, const struct Object* object) {
  if (own->needed == NULL || object->name == NULL) return false;
  for (const char* file = own->needed;;) {
    const ElfW(Verneed)* const need = (const void*)file;
    if (Equal(own->strings + need->vn_file, object->name)) return true;
    if (need->vn_next == 0) return false;
    file += need->vn_next;
  }
}

static bool HasVersion(const struct Object* object, size_t symbol, const char* version) {
  if (object->versions == NULL || object->defined == NULL) return false;
  for (const char* at = object->defined;;) {
    const ElfW(Verdef)* const definition = (const void*)at;
    const ElfW(Verdaux)* const name = (const void*)(at + definition->vd_aux);
    if (definition->vd_ndx == (object->versions[symbol] & 0x7fff))
      return Equal(object->strings + name->vda_name, version);
    if (definition->vd_next == 0) return false;
    at += definition->vd_next;
  }
}

// The object's function; 0: it has none. (The format: Bloom's filter, which is passed over, buckets, and chains.)
static uintptr_t FindIn(const struct Object* object, const char* name, const char* version) {
  if (object->table == NULL || object->symbols == NULL || object->strings == NULL) return 0;
  uint32_t hash = 5381;
  for (const char* at = name; *at != '\0'; at++) hash = hash * 33 + (unsigned char)*at;
  const uint32_t count = object->table[0], first = object->table[1];
  const uint32_t* const buckets = object->table + 4 + object->table[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* const chains = buckets + count;
  uint32_t symbol = buckets[hash % count];
  if (symbol < first) return 0;
  for (;; symbol++) {
    const uint32_t chain = chains[symbol - first];
    const ElfW(Sym)* const found = &object->symbols[symbol];
    if ((chain | 1) == (hash | 1) && found->st_shndx != SHN_UNDEF && Equal(object->strings + found->st_name, name) &&
        HasVersion(object, symbol, version)) {
      const uintptr_t address = object->base + found->st_value;
      return ELF64_ST_TYPE(found->st_info) == STT_GNU_IFUNC ? ((uintptr_t(*)(void))address)() : address;
    }
    if ((chain & 1) != 0) return 0;
  }
}

static bool IsOfMemory(const char* name) {
  static const char kNames[][16] = {"malloc", "calloc", "realloc", "free", "aligned_alloc"};
  for (size_t i = 0; i < sizeof(kNames) / sizeof(kNames[0]); i++) {
    if (Equal(name, kNames[i])) return true;
  }
  return false;
}

// libc's files, of which some are empty since glibc 2.34.
struct Libc {
  struct Object files[6];
  int count;
};

static struct Libc FindLibc(const struct Object* own) {
  struct Libc libc = {.count = 0};
  for (const struct link_map* map = _r_debug.r_map; map != NULL && libc.count < 6; map = map->l_next) {
    const struct Object object = ObjectOf(map->l_addr, map->l_ld);
    if (Needs(own, &object)) libc.files[libc.count++] = object;
  }
  return libc;
}

// Whether the address lies in a library that was preloaded before ours. The first object of the list is the program.
static bool IsPreloaded(uintptr_t address) {
  for (const struct link_map* map = _r_debug.r_map->l_next; map != NULL && map->l_ld != _DYNAMIC; map = map->l_next) {
    if (Holds(map->l_addr, address)) return true;
  }
  return false;
}

// Where the reference should lead if it leads elsewhere, to `now`; 0: it is right.
static uintptr_t Mend(const struct Object* own, const struct Libc* libc, size_t symbol, uintptr_t now) {
  const ElfW(Sym)* const wanted = &own->symbols[symbol];
  if (ELF64_ST_TYPE(wanted->st_info) != STT_FUNC || Holds(own->base, now)) return 0;
  for (int i = 0; i < libc->count; i++) {
    if (Holds(libc->files[i].base, now)) return 0;
  }
  if (IsPreloaded(now)) return 0;
  if (wanted->st_shndx != SHN_UNDEF) return own->base + wanted->st_value;  // a wrapper of ours calls another
  const char* const name = own->strings + wanted->st_name;
  const char* const version = VersionOf(own, symbol);
  if (version == NULL || IsOfMemory(name)) return 0;
  uintptr_t found = 0;
  for (int i = 0; i < libc->count && found == 0; i++) found = FindIn(&libc->files[i], name, version);
  return found;
}

static long Protect(uintptr_t begin, uintptr_t end, int rights) {
  long result = SYS_mprotect;
  register long third __asm__("rdx") = rights;
  __asm__ volatile("syscall" : "+a"(result) : "D"(begin), "S"(end - begin), "r"(third) : "rcx", "r11", "memory");
  return result;
}

// The references lie in the part that the loader has made read-only.
static bool SetRights(uintptr_t base, int rights) {
  const ElfW(Phdr)* const parts = (const void*)(base + __ehdr_start.e_phoff);
  for (int i = 0; i < __ehdr_start.e_phnum; i++) {
    if (parts[i].p_type != PT_GNU_RELRO) continue;
    const uintptr_t page = 4096;
    const uintptr_t begin = (base + parts[i].p_vaddr) / page * page;
    const uintptr_t end = (base + parts[i].p_vaddr + parts[i].p_memsz) / page * page;
    return begin == end || Protect(begin, end, rights) == 0;
  }
  return true;
}

HIDDEN void BindCallsToLibc(void) {
  static bool begun;
  if (__atomic_exchange_n(&begun, true, __ATOMIC_RELAXED)) return;
  const struct Object own = ObjectOf((uintptr_t)&__ehdr_start, _DYNAMIC);
  if (own.symbols == NULL || own.strings == NULL) return;
  if (__asan_init != NULL || __msan_init != NULL || __tsan_init != NULL) return;
  const struct Libc libc = FindLibc(&own);
  bool writable = false;
  for (int table = 0; table < 2; table++) {
    for (size_t i = 0; i < own.bytes[table] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela)* const relocation = &own.relocations[table][i];
      const unsigned long type = ELF64_R_TYPE(relocation->r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      uintptr_t* const place = (uintptr_t*)(own.base + relocation->r_offset);
      const uintptr_t function = Mend(&own, &libc, ELF64_R_SYM(relocation->r_info), *place);
      if (function == 0) continue;
      if (!writable && !SetRights(own.base, PROT_READ | PROT_WRITE)) return;
      writable = true;
      __atomic_store_n(place, function, __ATOMIC_RELEASE);
    }
  }
  if (writable) SetRights(own.base, PROT_READ);
}

static __attribute__((constructor(101))) void BindFirst(void) { BindCallsToLibc(); }
