// The search for leaks at the end of a process, part of the preloaded runtime of AddressSanitizer (variants.py).
//
// rt ends with _exit, which skips the handlers with which LeakSanitizer searches. The handler below does it instead, in the
// process that RT_DEBUG_LEAKS=1 was set for but not in its forks. LeakSanitizer looks for pointers in allocated memory,
// globals, stacks and registers. V8's heap and Python's arenas are mapped, not allocated, and are therefore registered first.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void __lsan_do_leak_check(void);
void __lsan_register_root_region(const void *start, size_t size);

// The sanitizer's own memory is not registered: a leaked block must not keep another one alive. Its shadow has a fixed place;
// its allocator reserves a region for each size of block, in the order of the sizes.
static const uintptr_t SHADOW_END = 0x10007fff8000, REGION = 64ull << 30;
static const size_t SMALLEST = 1, LARGEST = 126000; // blocks of the first and last region in use; larger blocks are mapped

static pid_t searched;

__attribute__((constructor)) static void remember_process(void) {
  const char *value = getenv("RT_DEBUG_LEAKS");
  if (value != NULL && strcmp(value, "1") == 0) searched = getpid();
}

typedef struct {
  uintptr_t start, end;
} Range;

static Range find_allocator(void) {
  void *const first = malloc(SMALLEST), *const last = malloc(LARGEST);
  const Range allocator = {(uintptr_t)first - REGION, (uintptr_t)last + REGION};
  free(first);
  free(last);
  return allocator;
}

// Addresses in a form that LeakSanitizer does not recognise.
static uintptr_t *decoded;
static size_t decoded_count, decoded_capacity;

// The address that a word of V8's heap stands for: with a tag in the upper 16 bits, as in the table of external pointers, or in
// a number to which 2^50 was added, as in the functions of addons (native/src/addons/functions.rs). 0 for other words.
static uintptr_t decode(uint64_t word) {
  const uint64_t exponent_of_2_50 = 0x431;
  if (word >> 52 == exponent_of_2_50) return (word & 0xfffffffffffff) >> 2;
  const uint64_t address = word & 0xffffffffffff;
  return address == word ? 0 : address;
}

static void keep_decoded(Range mapping, const Range *allocator) {
  for (uintptr_t at = mapping.start; at + sizeof(uint64_t) <= mapping.end; at += 4) { // compressed references have 4 bytes
    uint64_t word;
    memcpy(&word, (const void *)at, sizeof word);
    const uintptr_t address = decode(word);
    if (address < allocator->start || address >= allocator->end) continue;
    if (decoded_count == decoded_capacity) {
      decoded_capacity = decoded_capacity == 0 ? 1024 : decoded_capacity * 2;
      decoded = realloc(decoded, decoded_capacity * sizeof *decoded);
      if (decoded == NULL) abort();
    }
    decoded[decoded_count++] = address;
  }
}

// Registers the mappings above the shadow that are not of files, not stacks, and not the allocator's.
static void register_mapped_memory(void) {
  const Range allocator = find_allocator();
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) return;
  char line[4352];
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long start, end, inode;
    char mode[8];
    if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, mode, &inode) != 4) continue;
    if (inode != 0 || start < SHADOW_END || strncmp(mode, "rw", 2) != 0 || strstr(line, "[stack]") != NULL) continue;
    if (start < allocator.end && end > allocator.start) continue;
    __lsan_register_root_region((const void *)start, end - start);
    keep_decoded((Range){start, end}, &allocator);
  }
  fclose(maps);
}

void _exit(int status) {
  if (searched == getpid()) {
    register_mapped_memory();
    __lsan_do_leak_check(); // does not return if it finds leaks: the status is 23
  }
  for (;;) syscall(SYS_exit_group, status);
}
